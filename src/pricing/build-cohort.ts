import type { Build, BuildProviders } from '../warehouse/build.ts'
import { Uint32List } from '../warehouse/interning.ts'
import type { BlockCache } from '../warehouse/block-cache.ts'
import type { JoinedPairs } from '../warehouse/provider-attributes.ts'
import type { Cohort } from './cohort.ts'

/** Room for one query's notes on a build's sets and atoms. Kept between queries: clearing is a new stamp, not a new array. */
class Notes {
  readonly setStamp: Uint32Array
  readonly setCount: Uint32Array
  readonly atomStamp: Uint32Array
  readonly atomCount: Uint32Array
  readonly setSeen: Uint32Array
  readonly atomSeen: Uint32Array
  readonly npiBits: Uint32Array
  readonly tinBits: Uint32Array
  readonly found = new Uint32List()
  stamp = 0
  seen = 0

  constructor({ setEnd, atomEnd, npi, tin }: BuildProviders) {
    this.setStamp = new Uint32Array(setEnd.length)
    this.setCount = new Uint32Array(setEnd.length)
    this.setSeen = new Uint32Array(setEnd.length)
    this.atomStamp = new Uint32Array(atomEnd.length)
    this.atomCount = new Uint32Array(atomEnd.length)
    this.atomSeen = new Uint32Array(atomEnd.length)
    this.npiBits = new Uint32Array((npi.length >>> 5) + 1)
    this.tinBits = new Uint32Array((tin.length >>> 5) + 1)
  }
}

const idleNotes = new WeakMap<BuildProviders, Notes[]>()
const idleMost = 4
const lastStamp = 0xffff_fff0

/** A cohort seen from one build: how many entries of a set are in it, and which providers. */
export class BuildCohort {
  readonly build: Build
  readonly providers: BuildProviders
  private readonly joined: JoinedPairs
  private readonly cohort: Cohort
  private readonly notes: Notes

  constructor(build: Build, cache: BlockCache, cohort: Cohort) {
    this.build = build
    this.cohort = cohort
    this.providers = cache.providers(build)
    this.joined = cohort.attributes.join(this.providers)
    const idle = idleNotes.get(this.providers)?.pop()
    this.notes = idle && idle.stamp < lastStamp && idle.seen < lastStamp ? idle : new Notes(this.providers)
    this.notes.stamp++
  }

  /** Gives the notes back for the next query. */
  release(): void {
    const idle = idleNotes.get(this.providers)
    if (!idle) idleNotes.set(this.providers, [this.notes])
    else if (idle.length < idleMost) idle.push(this.notes)
  }

  /** How many pairs of a set are in the cohort. */
  countOf(set: number): number {
    const { setStamp, setCount, stamp } = this.notes
    if (setStamp[set] === stamp) return setCount[set]!
    const { setEnd, setAtom } = this.providers
    let count = 0
    for (let i = set === 0 ? 0 : setEnd[set - 1]!; i < setEnd[set]!; i++)
      count += this.atomCountOf(setAtom[i]!)
    setStamp[set] = stamp
    setCount[set] = count
    return count
  }

  private atomCountOf(atom: number): number {
    const { atomStamp, atomCount, stamp } = this.notes
    if (atomStamp[atom] === stamp) return atomCount[atom]!
    const { atomEnd } = this.providers
    const count = this.cohort.count(this.joined, atom === 0 ? 0 : atomEnd[atom - 1]!, atomEnd[atom]!)
    atomStamp[atom] = stamp
    atomCount[atom] = count
    return count
  }

  /** Distinct NPIs and TINs of the cohort over some sets. */
  distinct(sets: Uint32Array): { npis: number; tins: number } {
    const { npiBits, tinBits } = this.notes
    const { pairNpi, pairTin, atomEnd } = this.providers
    const { cohort, joined } = this
    let npis = 0
    let tins = 0
    for (const atom of this.atomsOf(sets)) {
      const from = atom === 0 ? 0 : atomEnd[atom - 1]!
      const to = atomEnd[atom]!
      const whole = this.atomCountOf(atom) === to - from
      for (let pair = from; pair < to; pair++) {
        if (!whole && !cohort.has(joined, pair)) continue
        const npi = pairNpi[pair]!
        const npiBit = 1 << (npi & 31)
        const npiWord = npiBits[npi >>> 5]!
        if ((npiWord & npiBit) === 0) {
          npiBits[npi >>> 5] = npiWord | npiBit
          npis++
        }
        const tin = pairTin[pair]!
        const tinBit = 1 << (tin & 31)
        const tinWord = tinBits[tin >>> 5]!
        if ((tinWord & tinBit) === 0) {
          tinBits[tin >>> 5] = tinWord | tinBit
          tins++
        }
      }
    }
    npiBits.fill(0)
    tinBits.fill(0)
    return { npis, tins }
  }

  /** Every pair of some sets that is in the cohort, each once. */
  eachPair(sets: Uint32Array, visit: (rank: number, npi: number, tin: number) => void): void {
    const { pairNpi, pairTin, atomEnd } = this.providers
    const { cohort, joined } = this
    for (const atom of this.atomsOf(sets)) {
      const from = atom === 0 ? 0 : atomEnd[atom - 1]!
      const to = atomEnd[atom]!
      const whole = this.atomCountOf(atom) === to - from
      for (let pair = from; pair < to; pair++)
        if (whole || cohort.has(joined, pair)) visit(joined.rank[pair]!, pairNpi[pair]!, pairTin[pair]!)
    }
  }

  /** The atoms of some sets that hold somebody of the cohort, each once. */
  private atomsOf(sets: Uint32Array): Uint32Array {
    const { setEnd, setAtom } = this.providers
    const { setSeen, atomSeen, found } = this.notes
    const seen = ++this.notes.seen
    found.length = 0
    for (let at = 0; at < sets.length; at++) {
      const set = sets[at]!
      if (setSeen[set] === seen) continue
      setSeen[set] = seen
      for (let i = set === 0 ? 0 : setEnd[set - 1]!; i < setEnd[set]!; i++) {
        const atom = setAtom[i]!
        if (atomSeen[atom] === seen) continue
        atomSeen[atom] = seen
        if (this.atomCountOf(atom) > 0) found.push(atom)
      }
    }
    return found.trimmed()
  }
}

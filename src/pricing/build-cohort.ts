import type { Build, BuildProviders } from '../warehouse/build.ts'
import type { BlockCache } from '../warehouse/block-cache.ts'
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

const idleNotes = new WeakMap<Build, Notes[]>()
const lastStamp = 0xffff_fff0

/** A cohort seen from one build: how many entries of a set are in it, and which providers. */
export class BuildCohort {
  readonly build: Build
  readonly providers: BuildProviders
  readonly ranks: Uint32Array
  private readonly cohort: Cohort
  private readonly notes: Notes

  constructor(build: Build, cache: BlockCache, cohort: Cohort) {
    this.build = build
    this.cohort = cohort
    this.providers = cache.providers(build)
    this.ranks = cohort.attributes.ranksOf(build, this.providers)
    const idle = idleNotes.get(build)?.pop()
    this.notes = idle && idle.stamp < lastStamp && idle.seen < lastStamp ? idle : new Notes(this.providers)
    this.notes.stamp++
  }

  /** Gives the notes back for the next query. */
  release(): void {
    const idle = idleNotes.get(this.build)
    if (idle) idle.push(this.notes)
    else idleNotes.set(this.build, [this.notes])
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
    const { atomEnd, pairNpi } = this.providers
    const { cohort, ranks } = this
    let count = 0
    for (let pair = atom === 0 ? 0 : atomEnd[atom - 1]!; pair < atomEnd[atom]!; pair++)
      if (cohort.has(ranks[pairNpi[pair]!]!)) count++
    atomStamp[atom] = stamp
    atomCount[atom] = count
    return count
  }

  /** Distinct NPIs and TINs of the cohort over some sets. */
  distinct(sets: Uint32Array): { npis: number; tins: number } {
    const { npiBits, tinBits } = this.notes
    let npis = 0
    let tins = 0
    this.eachPair(sets, (_, npi, tin) => {
      const npiBit = 1 << (npi & 31)
      if ((npiBits[npi >>> 5]! & npiBit) === 0) {
        npiBits[npi >>> 5]! |= npiBit
        npis++
      }
      const tinBit = 1 << (tin & 31)
      if ((tinBits[tin >>> 5]! & tinBit) === 0) {
        tinBits[tin >>> 5]! |= tinBit
        tins++
      }
    })
    npiBits.fill(0)
    tinBits.fill(0)
    return { npis, tins }
  }

  /** Every pair of some sets that is in the cohort, at least once, each atom once. */
  eachPair(sets: Uint32Array, visit: (rank: number, npi: number, tin: number) => void): void {
    const { providers, ranks, cohort, notes } = this
    const { setEnd, setAtom, atomEnd, pairNpi, pairTin } = providers
    const { setSeen, atomSeen } = notes
    const seen = ++notes.seen
    for (const set of sets) {
      if (setSeen[set] === seen) continue
      setSeen[set] = seen
      for (let i = set === 0 ? 0 : setEnd[set - 1]!; i < setEnd[set]!; i++) {
        const atom = setAtom[i]!
        if (atomSeen[atom] === seen) continue
        atomSeen[atom] = seen
        const inside = this.atomCountOf(atom)
        if (inside === 0) continue
        const from = atom === 0 ? 0 : atomEnd[atom - 1]!
        const to = atomEnd[atom]!
        const whole = inside === to - from
        for (let pair = from; pair < to; pair++) {
          const npi = pairNpi[pair]!
          const rank = ranks[npi]!
          if (whole || cohort.has(rank)) visit(rank, npi, pairTin[pair]!)
        }
      }
    }
  }
}

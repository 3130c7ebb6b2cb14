import type { BlockCache } from '../warehouse/block-cache.ts'
import type { Build, BuildProviders } from '../warehouse/build.ts'
import { unknownProvider, type ProviderAttributes } from '../warehouse/provider-attributes.ts'
import { providerIndex } from '../warehouse/provider-index.ts'
import type { GroupValues, ProviderField } from './groups.ts'

/** An identifier that a question names, and what rows call it. */
export interface AskedIdentifier {
  readonly metrics: string
  readonly npis: readonly number[]
  readonly tins: readonly number[]
  /** A CCN also means the TINs that the payer lists its NPIs with. */
  readonly withTins: boolean
}

export interface AskedLists {
  readonly npis?: readonly number[] | undefined
  readonly tins?: readonly number[] | undefined
  readonly ccns?: readonly string[] | undefined
}

/** The identifiers of a question in the order asked: NPIs, TINs, CCNs, each once. */
export function askedIdentifiers(
  { npis = [], tins = [], ccns = [] }: AskedLists,
  hospitalNpis: (ccn: string) => readonly number[],
): AskedIdentifier[] {
  return [
    ...[...new Set(npis)].map((npi) => ({ metrics: `npi_${npi}`, npis: [npi], tins: [], withTins: false })),
    ...[...new Set(tins)].map((tin) => ({ metrics: `tin_${tin}`, npis: [], tins: [tin], withTins: false })),
    ...[...new Set(ccns)].map((ccn) => ({
      metrics: `ccn_${ccn}`,
      npis: hospitalNpis(ccn),
      tins: [],
      withTins: true,
    })),
  ]
}

/** One identifier as far as a set holds it: with the directory fields that split rows. */
export interface Match {
  readonly identifier: number
  readonly values: GroupValues
}

const none: readonly Match[] = []

/** The providers asked for, seen from one build: which of them a set holds. */
export class AskedProviders {
  private readonly providers: BuildProviders
  private readonly attributes: ProviderAttributes
  private readonly fields: readonly ProviderField[]
  /** Pairs asked for in each atom, with the identifiers they belong to. */
  private readonly wanted = new Map<number, Map<number, number[]>>()
  private readonly wantedAtoms: Uint8Array
  private readonly known = new Map<number, readonly Match[]>()
  /** 0 = not looked at, 1 = holds nobody, 2 = holds somebody. */
  private readonly holds: Uint8Array

  constructor(
    build: Build,
    cache: BlockCache,
    attributes: ProviderAttributes,
    identifiers: readonly AskedIdentifier[],
    fields: readonly ProviderField[],
  ) {
    this.providers = cache.providers(build)
    this.attributes = attributes
    this.fields = fields
    const index = providerIndex(this.providers)
    for (const [identifier, { npis, tins, withTins }] of identifiers.entries()) {
      const pairs = new Set<number>()
      for (const npi of npis) for (const pair of index.pairsOfNpi(npi)) pairs.add(pair)
      for (const tin of tins) for (const pair of index.pairsOfTin(tin)) pairs.add(pair)
      if (withTins)
        for (const tin of new Set([...pairs].map((pair) => this.providers.pairTin[pair]!)))
          for (const pair of index.pairsOfTinRow(tin)) pairs.add(pair)
      for (const pair of pairs) this.want(index.atomOf(pair), pair, identifier)
    }
    this.wantedAtoms = new Uint8Array(this.wanted.size > 0 ? this.providers.atomEnd.length : 0)
    for (const atom of this.wanted.keys()) this.wantedAtoms[atom] = 1
    this.holds = new Uint8Array(this.wanted.size > 0 ? this.providers.setEnd.length : 0)
  }

  get isEmpty(): boolean {
    return this.wanted.size === 0
  }

  /** The identifiers that a set holds, once per combination of directory fields. */
  matches(set: number): readonly Match[] {
    const held = this.holds[set]
    if (held === 1) return none
    if (held === 2) return this.known.get(set)!
    const matches = this.look(set)
    this.holds[set] = matches.length > 0 ? 2 : 1
    if (matches.length > 0) this.known.set(set, matches)
    return matches
  }

  /** The pairs of a set that belong to somebody asked for, each once, ascending. */
  pairs(set: number): number[] {
    const { setEnd, setAtom } = this.providers
    const found: number[] = []
    for (let i = set === 0 ? 0 : setEnd[set - 1]!; i < setEnd[set]!; i++) {
      const atom = setAtom[i]!
      if (this.wantedAtoms[atom] === 1) for (const pair of this.wanted.get(atom)!.keys()) found.push(pair)
    }
    return found.sort((a, b) => a - b)
  }

  private look(set: number): Match[] {
    const { setEnd, setAtom, pairNpi } = this.providers
    const found = new Map<string, Match>()
    for (let i = set === 0 ? 0 : setEnd[set - 1]!; i < setEnd[set]!; i++) {
      const atom = setAtom[i]!
      if (this.wantedAtoms[atom] === 0) continue
      for (const [pair, identifiers] of this.wanted.get(atom)!) {
        const values = this.valuesOf(this.providers.npi[pairNpi[pair]!]!)
        const suffix = this.fields.map((field) => values[field]).join('\u0000')
        for (const identifier of identifiers) {
          const key = `${identifier} ${suffix}`
          if (!found.has(key)) found.set(key, { identifier, values })
        }
      }
    }
    return [...found.values()]
  }

  private want(atom: number, pair: number, identifier: number): void {
    let pairs = this.wanted.get(atom)
    if (!pairs) this.wanted.set(atom, (pairs = new Map()))
    const identifiers = pairs.get(pair)
    if (identifiers) identifiers.push(identifier)
    else pairs.set(pair, [identifier])
  }

  /** Directory fields of an NPI; `none` where the directory does not know it. */
  private valuesOf(npi: number): GroupValues {
    if (this.fields.length === 0) return {}
    const { attributes } = this
    const rank = attributes.rankOf(npi)
    const known = rank !== unknownProvider
    const all = {
      npiState: (known && attributes.states[attributes.state[rank]!]) || 'none',
      taxonomyCode: (known && attributes.taxonomies[attributes.taxonomy[rank]!]) || 'none',
      entityType: (known && attributes.entityTypes[attributes.entityType[rank]!]) || 'none',
    }
    return Object.fromEntries(this.fields.map((field) => [field, all[field]]))
  }
}

import type { BuildProviders } from './build.ts'
import type { Engine } from './engine.ts'

/** What a cohort may ask of a provider. */
export interface ProviderFacts {
  readonly npi: number
  readonly state?: string | null | undefined
  readonly zip?: string | null | undefined
  readonly taxonomy?: string | null | undefined
  readonly entityType?: string | null | undefined
}

/** The rank of an NPI that the directory does not know. */
export const unknownProvider = 0xffff_ffff

/** Words numbered from 1; 0 stands for "none". */
class Words {
  readonly texts: string[] = ['']
  private readonly numbers = new Map<string, number>([['', 0]])

  number(text: string | null | undefined): number {
    const key = text ?? ''
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.texts.push(key) - 1
      this.numbers.set(key, number)
    }
    return number
  }
}

/** A build's pairs joined to the directory. */
export interface JoinedPairs {
  /** The rank of each pair's NPI, or `unknownProvider`. */
  readonly rank: Uint32Array
  /** State, taxonomy and entity type of each pair's NPI in one number (see `factsOf`); 0 = unknown. */
  readonly facts: Uint32Array
}

/** State (8 bits), taxonomy (16), entity type (8): one look per pair instead of three. */
export const factsOf = (state: number, taxonomy: number, entityType: number) =>
  (state | (taxonomy << 8) | (entityType << 24)) >>> 0

/** The five digits as a number plus one; 0 = none. */
export const zipNumber = (zip: string | null | undefined) =>
  zip && /^\d{5}$/.test(zip) ? Number(zip) + 1 : 0
export const zipText = (zip: number) => (zip === 0 ? '' : String(zip - 1).padStart(5, '0'))

/**
 * State, ZIP, primary taxonomy and entity type of every provider in the directory, packed (16 bytes a provider).
 * A provider's rank is its place in NPI order. Builds are joined to it by rank when they are first asked about a cohort,
 * so that a new directory needs no new builds.
 */
export class ProviderAttributes {
  /** The directory build these come from: part of what an answer depends on. */
  readonly id: string
  size = 0
  npi: Float64Array
  state: Uint8Array
  taxonomy: Uint16Array
  entityType: Uint8Array
  zip: Uint32Array
  private readonly stateWords = new Words()
  private readonly taxonomyWords = new Words()
  private readonly entityWords = new Words()
  private readonly joined = new WeakMap<BuildProviders, JoinedPairs>()

  constructor(id: string, room = 1_024) {
    this.id = id
    this.npi = new Float64Array(room)
    this.state = new Uint8Array(room)
    this.taxonomy = new Uint16Array(room)
    this.entityType = new Uint8Array(room)
    this.zip = new Uint32Array(room)
  }

  get states(): readonly string[] {
    return this.stateWords.texts
  }

  get taxonomies(): readonly string[] {
    return this.taxonomyWords.texts
  }

  get entityTypes(): readonly string[] {
    return this.entityWords.texts
  }

  /** Adds the next provider; NPIs must ascend. */
  add({ npi, state, zip, taxonomy, entityType }: ProviderFacts): void {
    if (this.size > 0 && npi <= this.npi[this.size - 1]!)
      throw new Error('Providers must come by ascending NPI.')
    if (this.size === this.npi.length) this.grow()
    const rank = this.size++
    this.npi[rank] = npi
    this.state[rank] = this.stateWords.number(state)
    this.taxonomy[rank] = this.taxonomyWords.number(taxonomy)
    this.entityType[rank] = this.entityWords.number(entityType)
    this.zip[rank] = zipNumber(zip)
  }

  rankOf(npi: number): number {
    const place = this.placeOf(npi, 0, this.size)
    return place < this.size && this.npi[place] === npi ? place : unknownProvider
  }

  /** Where an NPI stands, or would stand, between two places. */
  private placeOf(npi: number, from: number, to: number): number {
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.npi[middle]! < npi) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Ranks of ascending NPIs: each is looked for a little beyond the one before. */
  private ranksOf(npis: Float64Array): Uint32Array {
    const ranks = new Uint32Array(npis.length)
    let place = 0
    for (let i = 0; i < npis.length; i++) {
      const npi = npis[i]!
      let reach = 1
      while (place + reach < this.size && this.npi[place + reach]! < npi) reach *= 2
      place = this.placeOf(npi, place, Math.min(place + reach + 1, this.size))
      ranks[i] = place < this.size && this.npi[place] === npi ? place : unknownProvider
    }
    return ranks
  }

  /** The pairs of a build with what the directory says of their NPIs; looked up once, kept as long as they are. */
  join(providers: BuildProviders): JoinedPairs {
    let joined = this.joined.get(providers)
    if (!joined) {
      const { npi, pairNpi } = providers
      const ranks = this.ranksOf(npi)
      joined = { rank: new Uint32Array(pairNpi.length), facts: new Uint32Array(pairNpi.length) }
      for (let pair = 0; pair < pairNpi.length; pair++) {
        const rank = ranks[pairNpi[pair]!]!
        joined.rank[pair] = rank
        if (rank !== unknownProvider)
          joined.facts[pair] = factsOf(this.state[rank]!, this.taxonomy[rank]!, this.entityType[rank]!)
      }
      this.joined.set(providers, joined)
    }
    return joined
  }

  private grow(): void {
    const room = this.npi.length * 2
    const larger = <Values extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(
      values: Values,
      into: Values,
    ): Values => {
      into.set(values)
      return into
    }
    this.npi = larger(this.npi, new Float64Array(room))
    this.state = larger(this.state, new Uint8Array(room))
    this.taxonomy = larger(this.taxonomy, new Uint16Array(room))
    this.entityType = larger(this.entityType, new Uint8Array(room))
    this.zip = larger(this.zip, new Uint32Array(room))
  }
}

/** Reads the attributes from the directory's `providers` table. */
export async function loadProviderAttributes(engine: Engine, id: string): Promise<ProviderAttributes> {
  const attributes = new ProviderAttributes(id, 1 << 16)
  for await (const [npi = [], state = [], zip = [], taxonomy = [], entityType = []] of engine.columns(
    'select npi, state, zip, primary_taxonomy, entity_type from providers order by npi',
  ))
    for (let i = 0; i < npi.length; i++)
      attributes.add({
        npi: Number(npi[i]),
        state: state[i] as string | null,
        zip: zip[i] as string | null,
        taxonomy: taxonomy[i] as string | null,
        entityType: entityType[i] as string | null,
      })
  return attributes
}

import { zipNumber, type JoinedPairs, type ProviderAttributes } from '../warehouse/provider-attributes.ts'

/** Which providers a market question is about. */
export interface CohortFilter {
  readonly states: readonly string[]
  /** Left out: every specialty, and none. */
  readonly taxonomyCodes?: readonly string[] | undefined
  readonly zipCodes?: readonly string[] | undefined
  readonly entityTypes?: readonly string[] | undefined
}

/** The providers of a market question, by their directory attributes. */
export class Cohort {
  readonly attributes: ProviderAttributes
  private readonly states: Uint8Array
  private readonly taxonomies: Uint8Array
  private readonly entityTypes: Uint8Array
  private readonly zips: ReadonlySet<number> | undefined

  constructor(attributes: ProviderAttributes, filter: CohortFilter) {
    this.attributes = attributes
    this.states = marks(attributes.states, filter.states)
    this.taxonomies = filter.taxonomyCodes
      ? marks(attributes.taxonomies, filter.taxonomyCodes)
      : new Uint8Array(attributes.taxonomies.length).fill(1)
    this.entityTypes =
      filter.entityTypes && filter.entityTypes.length > 0
        ? marks(attributes.entityTypes, filter.entityTypes)
        : new Uint8Array(attributes.entityTypes.length).fill(1)
    this.zips =
      filter.zipCodes && filter.zipCodes.length > 0 ? new Set(filter.zipCodes.map(zipNumber)) : undefined
  }

  /** How many of the pairs `from` to `to` are in the cohort. */
  count({ facts, rank }: JoinedPairs, from: number, to: number): number {
    const { states, taxonomies, entityTypes, zips } = this
    const zip = this.attributes.zip
    let count = 0
    for (let pair = from; pair < to; pair++) {
      const fact = facts[pair]!
      if (
        states[fact & 0xff] === 1 &&
        taxonomies[(fact >>> 8) & 0xffff] === 1 &&
        entityTypes[fact >>> 24] === 1 &&
        (zips === undefined || zips.has(zip[rank[pair]!]!))
      )
        count++
    }
    return count
  }

  has({ facts, rank }: JoinedPairs, pair: number): boolean {
    const fact = facts[pair]!
    return (
      this.states[fact & 0xff] === 1 &&
      this.taxonomies[(fact >>> 8) & 0xffff] === 1 &&
      this.entityTypes[fact >>> 24] === 1 &&
      (this.zips === undefined || this.zips.has(this.attributes.zip[rank[pair]!]!))
    )
  }
}

// Number 0 stands for "none": no filter asks for it.
function marks(words: readonly string[], asked: readonly string[]): Uint8Array {
  const chosen = new Set(asked)
  return Uint8Array.from(words, (word, number) => (number > 0 && chosen.has(word) ? 1 : 0))
}

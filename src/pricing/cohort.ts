import { unknownProvider, zipNumber, type ProviderAttributes } from '../warehouse/provider-attributes.ts'

/** Which providers a market question is about. */
export interface CohortFilter {
  readonly states: readonly string[]
  readonly taxonomyCodes: readonly string[]
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
    this.taxonomies = marks(attributes.taxonomies, filter.taxonomyCodes)
    this.entityTypes =
      filter.entityTypes && filter.entityTypes.length > 0
        ? marks(attributes.entityTypes, filter.entityTypes)
        : new Uint8Array(attributes.entityTypes.length).fill(1)
    this.zips =
      filter.zipCodes && filter.zipCodes.length > 0 ? new Set(filter.zipCodes.map(zipNumber)) : undefined
  }

  has(rank: number): boolean {
    if (rank === unknownProvider) return false
    const { attributes } = this
    return (
      this.states[attributes.state[rank]!] === 1 &&
      this.taxonomies[attributes.taxonomy[rank]!] === 1 &&
      this.entityTypes[attributes.entityType[rank]!] === 1 &&
      (this.zips === undefined || this.zips.has(attributes.zip[rank]!))
    )
  }
}

// Number 0 stands for "none": no filter asks for it.
function marks(words: readonly string[], asked: readonly string[]): Uint8Array {
  const chosen = new Set(asked)
  return Uint8Array.from(words, (word, number) => (number > 0 && chosen.has(word) ? 1 : 0))
}

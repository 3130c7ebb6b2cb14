import { facilityPlaces } from '../vocabulary/place-of-service-list.ts'
import type { Term } from '../warehouse/terms.ts'

/** What Medicare pays, as far as a comparison needs to know. The Medicare tables answer it; tests answer it from a list. */
export interface MedicareAmounts {
  /** A number for the locality whose factors hold at a ZIP code; where the ZIP is unknown, one for the average of the state's localities. Undefined where neither is known. */
  locality(year: number, zip: string, state: string): number | undefined
  /** Ten-thousandths of a dollar; undefined where Medicare has no amount. */
  amount(question: MedicareQuestion): number | undefined
}

export interface MedicareQuestion {
  readonly year: number
  readonly type: string
  readonly code: string
  /** The entry's modifiers; empty = none. */
  readonly modifiers: readonly string[]
  readonly facility: boolean
  readonly locality: number
}

/**
 * Which of Medicare's two amounts an entry compares with: facility where every place it names is one.
 * An entry for all places or for none named is compared by its billing class.
 */
export function isFacility({
  serviceCodes,
  billingClass,
}: Pick<Term, 'serviceCodes' | 'billingClass'>): boolean {
  const places = serviceCodes.filter((place) => place !== 'CSTM-00')
  return places.length > 0
    ? places.every((place) => facilityPlaces.has(place))
    : billingClass === 'institutional'
}

import { payers } from '../vocabulary/payers.ts'
import { yearMonthOf, type YearMonth } from '../vocabulary/period.ts'
import type { Snapshot } from '../warehouse/rates.ts'
import { order } from '../warehouse/terms.ts'

/** Every supported payer by name, with the periods it has data for, newest first. */
export function payerPeriods(snapshot: Snapshot): { payer: string; yearMonths: YearMonth[] }[] {
  // A published payer that the registry has lost is still data.
  const names = new Set([...payers().map(({ payer }) => payer), ...snapshot.builds.map(({ payer }) => payer)])
  return [...names]
    .sort(order)
    .map((payer) => ({ payer, yearMonths: snapshot.months(payer).map(yearMonthOf) }))
}

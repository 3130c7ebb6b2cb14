import type { Snapshot } from '../warehouse/rates.ts'

/** Plan names of a payer's newest period, the most frequent first; the count is of entries that carry the name. */
export function payerPlans(snapshot: Snapshot, payer: string): { planName: string; count: number }[] {
  const newest = snapshot.latest().find((build) => build.payer === payer)
  return (newest?.summary.plans ?? []).map(({ name, count }) => ({ planName: name, count }))
}

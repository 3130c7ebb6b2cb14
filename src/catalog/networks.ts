import type { Snapshot } from '../warehouse/rates.ts'

/** Network names of a payer's newest period as reported, the most frequent first. */
export function payerNetworks(snapshot: Snapshot, payer: string): { network: string; count: number }[] {
  const newest = snapshot.latest().find((build) => build.payer === payer)
  return (newest?.summary.networks ?? []).map(({ name, count }) => ({ network: name, count }))
}

import type { ProviderAttributes } from '../warehouse/provider-attributes.ts'
import type { Snapshot } from '../warehouse/rates.ts'
import type { MedicareAmounts } from './baseline.ts'

/** A billing code's place in its classification: RBCS, MDC and type, or revenue series. */
export interface CodeGroup {
  readonly group: string
  readonly subgroup: string
}

/** What pricing answers from: one state of the published rates, and the reference data beside it. */
export interface PricingSources {
  readonly snapshot: Snapshot
  readonly attributes: ProviderAttributes
  readonly medicare?: MedicareAmounts
  readonly codeGroup?: (type: string, code: string) => CodeGroup | undefined
  /** NPIs enrolled under a CCN. */
  readonly hospitalNpis?: (ccn: string) => readonly number[]
}

/** The group of codes that no classification knows. */
export const unclassified: CodeGroup = { group: 'unclassified', subgroup: 'unclassified' }

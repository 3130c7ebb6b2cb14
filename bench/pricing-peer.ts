import type { ProviderAttributes } from '../src/warehouse/provider-attributes.ts'
import type { Snapshot } from '../src/warehouse/rates.ts'
import type { Scale } from './pricing-data.ts'
import type { Made } from './pricing-made.ts'
import type { MarketQuestion, ProviderQuestion } from './pricing-questions.ts'

/** Another way to keep and ask the same data, set up as a careful user would. */
export interface Peer extends Made {
  readonly name: string
  /** Values of the answer in our row order. */
  market(question: MarketQuestion): Promise<number[]>
  /** How many rows the answer has. */
  provider(question: ProviderQuestion): Promise<number>
  close(): Promise<void>
}

export interface PeerData {
  readonly folder: string
  readonly snapshot: Snapshot
  readonly scale: Scale
  readonly attributes: ProviderAttributes
  /** Only these codes are flattened, where all would take hours and fill the disk. */
  readonly onlyCodes?: readonly string[] | undefined
}

import { marketPercentiles } from './market-benchmarks.ts'
import { marketRates } from './market-rates.ts'
import { medicareRates } from './medicare-rates.ts'
import { feeSchedule } from './provider-rates.ts'
import { providerSearch } from './provider-search.ts'
import type { Tool } from './tool.ts'

/** Every tool, by name, in the order that tools/list and the documentation print. */
export const tools = {
  search_market_percentile_negotiated_rates: marketPercentiles,
  search_market_negotiated_rates: marketRates,
  search_provider_fee_schedule: feeSchedule,
  search_providers: providerSearch,
  search_medicare_rates: medicareRates,
} as const satisfies Record<string, Tool>

export type ToolName = keyof typeof tools
export const toolList: readonly Tool[] = Object.values(tools)

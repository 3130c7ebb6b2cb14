import { marketPercentiles } from '../../src/operations/market-benchmarks.ts'
import { marketRates } from '../../src/operations/market-rates.ts'
import { medicareRates } from '../../src/operations/medicare-rates.ts'
import { feeSchedule } from '../../src/operations/provider-rates.ts'
import { providerSearch } from '../../src/operations/provider-search.ts'
import type { Answers, ToolAnswers } from '../../src/service.ts'

/** Answers that return the examples of the documentation, for tests of the doors alone. */
export const sampleAnswers: Answers = {
  marketBenchmarks: async () => exampleOf(marketPercentiles).rows,
  providerRates: async ({ pagination }) => {
    const { rows: data, sourceMonths } = exampleOf(feeSchedule)
    return pagination ? { data, sourceMonths, nextCursor: null } : data
  },
}

export const sampleToolAnswers: ToolAnswers = {
  search_market_negotiated_rates: async () => exampleOf(marketRates),
  search_providers: async () => exampleOf(providerSearch),
  search_medicare_rates: async () => exampleOf(medicareRates).rows,
}

function exampleOf<Output>(tool: {
  output: { parse(value: unknown): Output }
  example: { response: unknown }
}): Output {
  return tool.output.parse(tool.example.response)
}

import { z } from 'zod'
import { Aggregation } from '../vocabulary/aggregations.ts'
import { GroupByField } from '../vocabulary/grouping.ts'
import { MedicareBaseline } from '../vocabulary/medicare.ts'
import { operation } from './operation.ts'
import { MarketFilters } from './rate-filters.ts'
import { MarketRow } from './rate-rows.ts'
import { benchmarksToolInput } from './tool-inputs.ts'
import { list } from './bounds.ts'

export const marketBenchmarks = operation({
  name: 'marketBenchmarks',
  method: 'POST',
  path: '/api/v1/market/benchmarks',
  group: 'Pricing',
  credits: 1,
  summary: 'Aggregate statistics over published rates of a market',
  description: [
    'Statistics over the entries of a cohort defined by payer, geography, specialty, billing code and period. An entry is one distinct combination of payer, period, TIN, NPI, code, severity, billing class, setting, negotiated type, service codes, modifiers and rate: the same combination met again in another file, plan or network is the same entry. All statistics are exact.',
    'Compare like with like: keep billing class, service code, modifier and negotiated type comparable. Without a `negotiatedTypes` filter or a `negotiatedType` grouping, `percentage` and `per diem` rates stay out of the pool; rates of zero or below and above 100 million dollars always do. Providers that the directory does not know are in no cohort.',
    'One row per aggregation per group. Rows are ordered by period, then by the group-by fields in the order asked for (text order), then by aggregation in the order asked for. An entry with several service codes, modifiers or networks counts in each of their groups. An empty answer can mean a filter that is too narrow, or data that are not loaded.',
  ].join('\n\n'),
  request: z.strictObject({
    filters: MarketFilters,
    metrics: z
      .strictObject({
        aggregations: list(Aggregation).min(1, 'name at least one').describe('Statistics to compute'),
        comparedTo: MedicareBaseline.optional(),
      })
      .describe('What to compute'),
    groupBy: list(GroupByField)
      .optional()
      .describe('Fields that split the answer; without them all entries are pooled'),
  }),
  response: z.array(MarketRow),
  example: {
    request: {
      filters: {
        states: ['FL'],
        taxonomyCodes: ['207RC0000X'],
        payers: ['Aetna', 'Cigna'],
        billingCodeAndTypes: [{ code: '93306', type: 'CPT' }],
        billingClasses: ['professional'],
      },
      metrics: { aggregations: ['median_rate', 'num_distinct_npis'] },
      groupBy: ['payer'],
    },
    response: [
      { metrics: 'median_rate', value: 231.4, payer: 'Aetna' },
      { metrics: 'num_distinct_npis', value: 1204, payer: 'Aetna' },
      { metrics: 'median_rate', value: 219.05, payer: 'Cigna' },
      { metrics: 'num_distinct_npis', value: 987, payer: 'Cigna' },
    ],
  },
  failures: ['query_too_wide', 'query_timeout'],
  tool: {
    name: 'search_market_percentile_negotiated_rates',
    title: 'Market percentiles of negotiated rates',
    description:
      'Aggregate statistics (percentiles, minimum, maximum, mean, counts) over negotiated rates across all matching providers. Returns aggregated numbers only.',
    input: benchmarksToolInput,
  },
})

import { z } from 'zod'
import { Aggregation } from '../vocabulary/aggregations.ts'
import { GroupByField } from '../vocabulary/grouping.ts'
import { MedicareBaseline } from '../vocabulary/medicare.ts'
import { operation } from './operation.ts'
import { MarketFilters } from './rate-filters.ts'
import { MarketRow } from './rate-rows.ts'
import { tool } from './tool.ts'
import { benchmarksToolInput } from './tool-inputs.ts'
import { list } from './bounds.ts'

/** The same question as a tool: aggregated rows, the same numbers. */
export const marketPercentiles = tool({
  name: 'search_market_percentile_negotiated_rates',
  title: 'Market percentiles of negotiated rates',
  description:
    'Aggregate statistics (percentiles, minimum, maximum, mean, counts) over the negotiated rates of all matching providers; returns aggregated numbers only. Use it for questions such as "what does each payer pay cardiologists in Florida for an echo": one row per statistic and group. Add metrics.comparedTo to get percents of Medicare. Group by payer and billingCode unless the rates shall be pooled.',
  credits: 1,
  input: benchmarksToolInput,
  output: z.object({
    rows: z.array(MarketRow).describe('One row per statistic and group'),
    totalRows: z.int().describe('Rows of the whole answer'),
    advice: z.string().optional().describe('How to narrow, when rows were left out'),
  }),
  example: {
    request: {
      filters: {
        states: ['FL'],
        taxonomyCodes: ['207RC0000X'],
        payers: ['Aetna', 'Cigna'],
        billingCodeAndTypes: [{ code: '93306', type: 'CPT' }],
        billingClasses: ['professional'],
      },
      metrics: { aggregations: ['percentile_50', 'num_distinct_npis'], comparedTo: 'medicare_2026' },
      groupBy: ['payer', 'billingCode'],
    },
    response: {
      rows: [
        {
          metrics: 'percentile_50',
          value: 131.4,
          payer: 'Aetna',
          billingCode: '93306',
          comparedTo: 'medicare_2026',
          numCompared: 5210,
        },
      ],
      totalRows: 1,
    },
  },
})
export type MarketPercentilesRequest = z.output<typeof marketPercentiles.input>

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
  tool: marketPercentiles,
})

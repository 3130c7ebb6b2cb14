import type { z } from 'zod'
import { choice } from './choice.ts'

export const percentileRanks = [
  1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 96, 97, 98, 99,
] as const
export type PercentileRank = (typeof percentileRanks)[number]

/** Statistics that are not percentiles, with what each says. */
export const plainAggregations = {
  avg_rate: 'Arithmetic mean of the rates of all entries',
  median_rate: 'Same as percentile_50',
  max_rate: 'Largest rate',
  min_rate: 'Smallest rate',
  num_distinct_rates: 'How many different rates',
  num_distinct_npis: 'How many different NPIs',
  num_distinct_tins: 'How many different TINs',
  num_entries: 'How many entries: distinct combinations of provider, code, context and rate',
} as const

export const aggregations = [
  'avg_rate',
  'median_rate',
  'max_rate',
  'min_rate',
  'num_distinct_rates',
  'num_distinct_npis',
  'num_distinct_tins',
  'num_entries',
  'percentile_1',
  'percentile_2',
  'percentile_3',
  'percentile_4',
  'percentile_5',
  'percentile_10',
  'percentile_15',
  'percentile_20',
  'percentile_25',
  'percentile_30',
  'percentile_35',
  'percentile_40',
  'percentile_45',
  'percentile_50',
  'percentile_55',
  'percentile_60',
  'percentile_65',
  'percentile_70',
  'percentile_75',
  'percentile_80',
  'percentile_85',
  'percentile_90',
  'percentile_95',
  'percentile_96',
  'percentile_97',
  'percentile_98',
  'percentile_99',
] as const

export const Aggregation = choice('aggregation', aggregations).describe(
  'A statistic over entries. percentile_N interpolates linearly between order statistics (as Excel PERCENTILE.INC). All are exact',
)
export type Aggregation = z.infer<typeof Aggregation>

/** What an aggregation says, in a sentence. */
export function aggregationMeaning(aggregation: Aggregation): string {
  if (aggregation in plainAggregations)
    return plainAggregations[aggregation as keyof typeof plainAggregations]
  return `The rate that ${aggregation.slice('percentile_'.length)} % of entries lie at or below, interpolated`
}

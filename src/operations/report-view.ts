import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { list } from './bounds.ts'
import { dimensionIds, type ReportColumnId } from './report-columns.ts'
import { lookRequest, RateUnit } from './report-rows.ts'

export const Dimension = choice('dimension column', dimensionIds)
export const dimensions = (most: number, ...fallback: ReportColumnId[]) =>
  list(Dimension, most)
    .refine((ids) => new Set(ids).size === ids.length, 'each column once')
    .default(fallback)

export const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'expected YYYY-MM')
  .optional()

export const computed = { ...lookRequest, unit: RateUnit.default('dollars') }
export const viewRequest = {
  ...computed,
  month: month.describe(
    'Source month to look at, YYYY-MM. Without it the newest month of each payer, unless year_month is among the columns that split the answer: months are never pooled',
  ),
}

export const Measure = choice('measure', ['negotiated_rate', 'medicare_percent']).describe(
  'What is measured: the rate, or the rate as a percent of Medicare (rows without a Medicare amount stay out)',
)
export type Measure = z.infer<typeof Measure>

export const keyValue = z.union([z.string(), z.number()]).nullable()
export const rate = z.number().nullable()
export const failures = ['not_found', 'report_not_ready', 'query_too_wide', 'query_timeout'] as const
export const noneLeftOut = {
  rowsMatched: 5210,
  rowsUsed: 5210,
  otherMonths: 0,
  otherUnits: 0,
  implausible: 0,
  outliers: 0,
  outlierPools: [],
  notBest: 0,
}

/** Your rate, or a competitor's, within a group. */
export const Mark = z
  .object({
    id: z.string().describe('`yours`, or `competitor_<id>`'),
    label: z.string(),
    rate: rate.describe('Its rates made one (yours: the median); null where it has none in the group'),
    entries: z.int(),
    min: rate,
    max: rate,
    percentileRank: rate.describe(
      'Where its rate stands among the group’s, 0 to 100: the inverse of the percentile (Excel’s PERCENTRANK.INC), beyond the ends 0 or 100',
    ),
  })
  .describe('Your rate or a competitor’s within a group')
  .meta({ id: 'ReportMark' })
export type Mark = z.infer<typeof Mark>

export const Seed = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The same seed on the same rows gives the same answer; without it the report’s own')

import { z } from 'zod'
import { AnyModifier, BillingClass, EntityType } from '../vocabulary/enums.ts'
import { YearMonth } from '../vocabulary/period.ts'
import { BillingCodeFilter } from './rate-filters.ts'
import { list } from './bounds.ts'

/**
 * What the tools take. Long lists are plain text here, with a hint where the values are listed:
 * a model should not carry hundreds of enum values in every call. The same checks run behind them.
 */
const texts = (meaning: string) => list(z.string()).describe(meaning)

const toolRateFilters = {
  billingCodeAndTypes: list(BillingCodeFilter).optional().describe('Billing codes, each { code, type }'),
  billingClasses: list(BillingClass).optional().describe('professional, institutional'),
  serviceCodes: texts(
    'Two-character place of service codes, such as 11 (office) or 22 (outpatient hospital)',
  ).optional(),
  billingCodeModifiers: list(AnyModifier)
    .optional()
    .describe('Modifiers such as 25, 59, LT; none = without a modifier'),
  negotiatedTypes: texts(
    'negotiated, fee schedule, per diem, percentage, derived; see resource search-rates-options-negotiated-types',
  ).optional(),
  yearMonths: list(YearMonth).optional().describe('Source-data periods; empty = most recent data'),
  planNames: texts('Normalised plan types such as HMO, PPO, EPO').optional(),
  networks: texts('Exact network names').optional(),
}

const payersInput = texts(
  'Payer identifiers; see resource search-rates-options-payers. Many Blue Cross affiliates are state-specific',
)

export const benchmarksToolInput = z.strictObject({
  filters: z.strictObject({
    states: texts('Two-letter state codes').min(1),
    zipCodes: texts('Five-digit ZIP codes').optional(),
    taxonomyCodes: texts('NUCC taxonomy codes; at least one specialty').min(1),
    entityTypes: list(EntityType).optional().describe('individual, group; omit for both'),
    payers: payersInput.min(1),
    ...toolRateFilters,
  }),
  metrics: z.strictObject({
    aggregations: texts(
      'Statistics such as percentile_50 or num_distinct_npis; see resource search-rates-options-aggregations',
    ).min(1),
    comparedTo: z
      .string()
      .optional()
      .describe('Medicare baseline such as medicare_2025: rates become percents of Medicare'),
  }),
  groupBy: texts(
    'Such as payer and billingCode; without them rates are pooled; network yields one group per network',
  ),
})

export const feeScheduleToolInput = z.strictObject({
  providers: z
    .strictObject({
      npis: list(z.int()).min(1).optional().describe('Ten-digit NPIs'),
      tins: list(z.int()).min(1).optional().describe('Nine-digit TINs'),
      ccns: list(z.string()).min(1).optional().describe('Six-character CCNs'),
    })
    .describe('At least one of npis, tins, ccns'),
  payers: payersInput.min(1),
  ...toolRateFilters,
  groupBy: texts('Such as payer and billingCode; network and planName come back as deduplicated arrays'),
})

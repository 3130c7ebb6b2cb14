import { z } from 'zod'
import { YearMonth } from '../vocabulary/period.ts'

/** The fields that a grouping adds to a row; absent ones were not asked for. */
export const groupFields = {
  payer: z.string().optional().describe('Present when groupBy contains payer'),
  npiState: z
    .string()
    .optional()
    .describe('State of the NPI in the provider directory; present when groupBy contains npiState'),
  taxonomyCode: z
    .string()
    .optional()
    .describe('Primary taxonomy of the NPI; present when groupBy contains taxonomyCode'),
  entityType: z.string().optional().describe('individual or group; present when groupBy contains entityType'),
  billingCode: z.string().optional().describe('Present when groupBy contains billingCode'),
  billingCodeType: z.string().optional().describe('Present when groupBy contains billingCodeType'),
  billingCodeGroup: z
    .string()
    .optional()
    .describe(
      'RBCS category for CPT and HCPCS, MDC for MS-DRG, series for revenue codes; present when groupBy contains billingCodeGroup',
    ),
  billingCodeSubgroup: z
    .string()
    .optional()
    .describe('RBCS subcategory, MS-DRG type; present when groupBy contains billingCodeSubgroup'),
  billingClass: z.string().optional().describe('Present when groupBy contains billingClass'),
  negotiatedType: z.string().optional().describe('Present when groupBy contains negotiatedType'),
  serviceCode: z.string().optional().describe('Present when groupBy contains serviceCode'),
  billingCodeModifier: z.string().optional().describe('Present when groupBy contains billingCodeModifier'),
}

const yearMonth = YearMonth.optional().describe(
  'The period of this row; present when the request names two or more yearMonths',
)

export const MarketRow = z
  .object({
    metrics: z.string().describe('The aggregation'),
    value: z.number().describe('Its value: dollars, a count, or with comparedTo a percent of Medicare'),
    ...groupFields,
    network: z
      .string()
      .optional()
      .describe('Network name as reported; present when groupBy contains network'),
    yearMonth,
    comparedTo: z.string().optional().describe('The Medicare baseline, when one was asked for'),
    numCompared: z
      .int()
      .optional()
      .describe('How many entries of the group have a Medicare amount, when a baseline was asked for'),
  })
  .describe('One aggregation of one group')
  .meta({ id: 'MarketRow' })
export type MarketRow = z.infer<typeof MarketRow>

export const ProviderRateRow = z
  .object({
    metrics: z.string().describe('The identifier asked for that this rate belongs to: npi_…, tin_… or ccn_…'),
    value: z.number().describe('The published rate: dollars, or a percent for negotiatedType percentage'),
    ...groupFields,
    network: z
      .array(z.string())
      .optional()
      .describe('All network names of this rate, sorted; present when groupBy contains network'),
    planName: z
      .array(z.string())
      .max(30)
      .optional()
      .describe('Plan names of this rate, sorted, at most 30; present when groupBy contains planName'),
    yearMonth,
  })
  .describe('One published rate of one provider asked for')
  .meta({ id: 'ProviderRateRow' })
export type ProviderRateRow = z.infer<typeof ProviderRateRow>

import { z } from 'zod'
import { ProviderGroupByField } from '../vocabulary/grouping.ts'
import { Ccn, Npi, TinNumber } from '../vocabulary/identifiers.ts'
import { Payer } from '../vocabulary/payers.ts'
import { operation } from './operation.ts'
import { BillingCodeFilter, rateFilters } from './rate-filters.ts'
import { ProviderRateRow } from './rate-rows.ts'
import { tool } from './tool.ts'
import { feeScheduleToolInput } from './tool-inputs.ts'
import { list } from './bounds.ts'

export const pageSizeMost = 10_000
export const pageSizeDefault = 1_000

/** Providers by name: NPIs, TINs, hospitals. */
export const Providers = z
  .strictObject({
    npis: list(Npi).min(1, 'name at least one, or leave it out').optional().describe('NPIs'),
    tins: list(TinNumber).min(1, 'name at least one, or leave it out').optional().describe('TINs'),
    ccns: list(Ccn)
      .min(1, 'name at least one, or leave it out')
      .optional()
      .describe(
        'Hospitals by CCN. A CCN means the NPIs enrolled under it and the TINs that the payer lists those NPIs with',
      ),
  })
  .refine((providers) => Object.values(providers).some((list) => list !== undefined), {
    error: 'name at least one of npis, tins, ccns',
  })
  .describe('Whose rates; at least one of npis, tins, ccns')
  .meta({ minProperties: 1 })

const Pagination = z
  .strictObject({
    pageSize: z
      .int()
      .min(1)
      .max(pageSizeMost)
      .optional()
      .describe(
        'Rows per page, 1 to 10,000. Bounded by the maximum of your organisation; default: the smaller of 1,000 and that maximum',
      ),
    cursor: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe(
        'nextCursor of the page before. Every other field of the request must stay unchanged, except pageSize',
      ),
  })
  .describe('Opts in to pages; send {} to start. Each page is billed')

/** What a page of rates comes with. */
export const ProviderRatesPage = z
  .object({
    data: z.array(ProviderRateRow),
    sourceMonths: z
      .array(z.string().regex(/^[0-9]{6}$/))
      .describe('The YYYYMM source months selected for this query, even when no rates match'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Send it as pagination.cursor for the next page; null = no more rows'),
  })
  .describe('A page of provider rates')
  .meta({ id: 'ProviderRatesPage' })
export type ProviderRatesPage = z.infer<typeof ProviderRatesPage>

/** The same question as a tool: the first rows of the answer, and the source months. */
export const feeSchedule = tool({
  name: 'search_provider_fee_schedule',
  title: 'Fee schedule of specific providers',
  description:
    'Negotiated rates of specific providers, by NPI, TIN or CCN; find the identifiers with search_providers first. One row per identifier, group-by fields and rate. Several rows for one payer and code are different contracts or contexts: add group-by fields to tell them apart. For a whole market use search_market_percentile_negotiated_rates.',
  credits: 1,
  input: feeScheduleToolInput,
  output: z.object({
    rows: z.array(ProviderRateRow).describe('One row per published rate of a provider asked for'),
    sourceMonths: z.array(z.string()).describe('The YYYYMM source months selected, even when no rates match'),
    cut: z.boolean().describe('true = more rows match than are returned'),
    advice: z.string().optional().describe('How to narrow, when rows were left out'),
  }),
  example: {
    request: {
      providers: { npis: [1234567893] },
      payers: ['Aetna'],
      billingCodeAndTypes: [{ code: '99213', type: 'CPT' }],
      groupBy: ['payer', 'billingCode', 'network'],
    },
    response: {
      rows: [
        {
          metrics: 'npi_1234567893',
          value: 98.12,
          payer: 'Aetna',
          billingCode: '99213',
          network: ['Choice POS II', 'Open Access Select'],
        },
      ],
      sourceMonths: ['202605'],
      cut: false,
    },
  },
})
export type FeeScheduleRequest = z.output<typeof feeSchedule.input>

export const providerRates = operation({
  name: 'providerRates',
  method: 'POST',
  path: '/api/v1/provider/rates',
  group: 'Pricing',
  credits: 1,
  summary: 'Published negotiated rates of specific providers',
  description: [
    'One row per distinct combination of identifier asked for, group-by fields and value. Several rows for one payer and code may be different contracts or contexts: add group-by fields to tell them apart. `network` and `planName` never split rows.',
    'Rows are ordered by period, then by identifier in the order asked for (NPIs, TINs, CCNs), then by the group-by fields in the order asked for (text order), then by value.',
    'Without `pagination` the answer is an array; with it, an object with `data`, `sourceMonths` and `nextCursor`. A walk along the cursor sees one state of the data even while new data arrive, and returns exactly the rows of the array, once each and in the same order. Each page is billed.',
    'Rates of zero and rates above 100 million dollars are shown here, though market statistics leave them out.',
  ].join('\n\n'),
  request: z.strictObject({
    providers: Providers,
    payers: list(Payer).min(1, 'name at least one').describe('Payers to include'),
    billingCodeAndTypes: list(BillingCodeFilter).describe(
      'Billing codes to include; an empty list asks for all codes',
    ),
    ...rateFilters,
    groupBy: list(ProviderGroupByField).optional().describe('Fields that each row carries'),
    pagination: Pagination.optional(),
  }),
  response: z.union([z.array(ProviderRateRow), ProviderRatesPage]),
  example: {
    request: {
      providers: { npis: [1234567893] },
      payers: ['Aetna'],
      billingCodeAndTypes: [{ code: '99213', type: 'CPT' }],
      groupBy: ['payer', 'billingCode', 'network'],
      pagination: {},
    },
    response: {
      data: [
        {
          metrics: 'npi_1234567893',
          value: 98.12,
          payer: 'Aetna',
          billingCode: '99213',
          network: ['Choice POS II', 'Open Access Select'],
        },
      ],
      sourceMonths: ['202605'],
      nextCursor: null,
    },
  },
  failures: ['query_too_wide', 'query_timeout', 'invalid_cursor'],
  tool: feeSchedule,
})

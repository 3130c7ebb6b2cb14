import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { YearMonth } from '../vocabulary/period.ts'
import { list } from './bounds.ts'
import { tool } from './tool.ts'
import { marketRatesFilters } from './tool-inputs.ts'

export const marketRatesPageMost = 100
const pageDefault = 50

/** The columns that can be collapsed into a delimited list. Payer and period always stay apart, and the rate has its own method. */
export const collapsibleColumns = [
  'billingCodeType',
  'billingCode',
  'npi',
  'tin',
  'npiState',
  'taxonomyCode',
  'entityType',
  'billingClass',
  'setting',
  'negotiatedType',
  'serviceCode',
  'billingCodeModifier',
  'network',
  'planName',
] as const

const sortColumns = ['payer', 'yearMonth', 'rate', ...collapsibleColumns] as const

export const rateAggregations = ['none', 'min', 'max', 'avg', 'median', 'modal'] as const

const place = z.union([z.string(), z.number()]).optional()

/** One published rate of one provider. A collapsed column holds its values joined with "; ". */
export const MarketRateRow = z
  .object({
    payer: z.string(),
    yearMonth: YearMonth,
    rate: z.number().describe('Dollars; a percent for negotiatedType percentage'),
    npi: place.describe('Number; text when collapsed'),
    tin: place.describe('Number; text when collapsed'),
    npiState: place,
    taxonomyCode: place,
    entityType: place,
    billingCode: place,
    billingCodeType: place,
    billingClass: place,
    setting: place.describe('inpatient, outpatient or both, where the payer says so'),
    negotiatedType: place,
    serviceCode: place,
    billingCodeModifier: place,
    network: place.describe('Only when aggregatedColumns contains network'),
    planName: place.describe('Only when aggregatedColumns contains planName'),
    entries: z.int().optional().describe('How many published entries the row stands for'),
    source: z
      .object({
        file: z.string(),
        place: z.string(),
        byteOffset: z.number(),
        origin: z.record(z.string(), z.union([z.string(), z.number()])),
      })
      .optional()
      .describe('Where the rate was first seen in the payer’s files'),
  })
  .describe('A published rate of a provider')
export type MarketRateRow = z.infer<typeof MarketRateRow>

/** A page of rows, and how many there are in all. */
export const MarketRatesAnswer = z.object({
  rows: z.array(MarketRateRow),
  totalRows: z.int().describe('Rows that match, before the page was cut out'),
})
export type MarketRatesAnswer = z.infer<typeof MarketRatesAnswer>

export const marketRates = tool({
  name: 'search_market_negotiated_rates',
  title: 'Negotiated rates of a market, provider by provider',
  description:
    'A bounded page of individual negotiated rates, one row per provider, for a state, specialty, payer and billing code. Use it to see who is paid what, or to find the highest and lowest paid. For percentiles and averages use search_market_percentile_negotiated_rates instead; for providers known by name or number use search_provider_fee_schedule.',
  credits: 1,
  input: z.strictObject({
    filters: marketRatesFilters,
    aggregatedColumns: list(choice('column to collapse', collapsibleColumns))
      .default(['serviceCode', 'billingCodeModifier'])
      .describe(
        'Fields collapsed into "; "-delimited lists within a row (this is not a group-by): npi, tin, npiState, taxonomyCode, entityType, billingCode, billingCodeType, billingClass, setting, negotiatedType, serviceCode, billingCodeModifier, network, planName. payer is always separate and not valid here. Include network or planName only when their output is needed',
      )
      .meta({ examples: [['serviceCode', 'billingCodeModifier', 'network']] }),
    rateAggregation: choice('rate aggregation', rateAggregations)
      .default('none')
      .describe('How several rates that fall into one row become one: none keeps a row per rate'),
    sortInfo: list(
      z.strictObject({
        id: choice('column to sort by', sortColumns).describe('Column, such as rate, npi or payer'),
        desc: z.boolean().default(false).describe('true = largest first'),
      }),
      20,
    )
      .optional()
      .describe('Sort keys, most important first, applied before the page is cut out')
      .meta({ examples: [[{ id: 'rate', desc: true }]] }),
    limit: z
      .strictObject({
        start: z.int().min(0).default(0).describe('Rows to skip; default 0'),
        offset: z.int().min(1).max(marketRatesPageMost).describe('Page size (not a position), 1 to 100'),
      })
      .default({ start: 0, offset: pageDefault })
      .describe(`Pagination; default the first ${pageDefault} rows. For the next page add offset to start`)
      .meta({ examples: [{ start: 0, offset: 25 }] }),
  }),
  output: MarketRatesAnswer.extend({
    start: z.int().describe('Rows skipped before the first of these'),
    nextStart: z.int().nullable().describe('limit.start of the next page; null = no more rows'),
    advice: z.string().optional().describe('How to narrow or page, when rows were left out'),
  }),
  example: {
    request: {
      filters: {
        states: ['FL'],
        taxonomyCodes: ['207RC0000X'],
        payers: ['Aetna'],
        billingCodeAndTypes: [{ code: '93306', type: 'CPT' }],
      },
      sortInfo: [{ id: 'rate', desc: true }],
      limit: { start: 0, offset: 25 },
    },
    response: {
      rows: [
        {
          payer: 'Aetna',
          yearMonth: { year: 2026, month: 5 },
          npi: 1234567893,
          tin: 123456789,
          npiState: 'FL',
          taxonomyCode: '207RC0000X',
          entityType: 'individual',
          billingCode: '93306',
          billingCodeType: 'CPT',
          billingClass: 'professional',
          negotiatedType: 'negotiated',
          serviceCode: '11; 22',
          billingCodeModifier: 'none',
          rate: 412.5,
        },
      ],
      totalRows: 1,
      start: 0,
      nextStart: null,
    },
  },
})
export type MarketRatesRequest = z.output<typeof marketRates.input>

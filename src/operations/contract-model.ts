import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { list } from './bounds.ts'
import { ReportFilterTree } from './report-filter.ts'

/** The nine sides from which a report is looked at. */
export const reportTabs = [
  'interactiveChart',
  'summaryPivot',
  'percentile',
  'sample',
  'fullData',
  'rateChange',
  'weightedContract',
  'dummyClaims',
  'modelContract',
] as const
export const ReportTab = choice('tab', reportTabs)
export type ReportTab = z.infer<typeof ReportTab>

export const configLengthMost = 250_000
export const yourTinsMost = 100
export const competitorColumnsMost = 8
export const competitorTinsMost = 100
export const mixEntriesMost = 1_000
export const manualRatesMost = 10_000

/** How the rates of several TINs, or several rates of one, become one. */
export const RateSummary = choice('aggregation', ['max', 'median', 'avg', 'min', 'modal']).describe(
  'How several rates become one. modal = the most frequent rate, the lowest of equally frequent ones',
)
export type RateSummary = z.infer<typeof RateSummary>

const tinValueMost = 9_999_999_999

/** The TIN in what people paste: 8 to 10 digits with any formatting; leading zeroes fall away. Undefined where it is none. */
export function tinFromPasted(text: string): number | undefined {
  const digits = text.replaceAll(/[\s\p{Pd}.,/()#:]/gu, '')
  return /^\d{8,10}$/.test(digits) ? Number(digits) : undefined
}

const TinValue = z
  .preprocess(
    (sent) => (typeof sent === 'string' ? (tinFromPasted(sent) ?? sent) : sent),
    z.int({ error: 'expected 8 to 10 digits' }).min(0).max(tinValueMost),
  )
  .describe(
    'TIN as a whole number. Text of 8 to 10 digits is taken too: formatting and leading zeroes are removed',
  )
  .meta({
    examples: [123456789],
    jsonSchema: {
      anyOf: [{ type: 'integer', minimum: 0, maximum: tinValueMost }, { type: 'string' }],
    },
  })

const named = z
  .strictObject({
    value: TinValue,
    title: z.string().max(500).optional().describe('Name to show; default: the TIN itself'),
    grouping: z.string().max(500).nullable().optional().describe('Group to show it under; default: none'),
    score: z.number().nullable().optional().describe('How well it matched a search, where it came from one'),
  })
  .describe('A TIN, and how to show it')
  .meta({ id: 'TinEntry' })

export const TinEntry = named.transform(({ value, title, grouping, score }) => ({
  value,
  title: title ?? String(value),
  grouping: grouping ?? null,
  ...(score !== undefined && { score }),
}))
export type TinEntry = z.output<typeof TinEntry>

const isEachOnce = (entries: readonly { readonly value: number }[]) =>
  new Set(entries.map(({ value }) => value)).size === entries.length

export const CompetitorColumn = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9]{8,64}$/, 'expected 8 to 64 lower-case letters and digits')
      .describe('Names the column; `competitor_<id>` elsewhere')
      .meta({ examples: ['eastside1'] }),
    label: z.string().min(1).max(500).describe('Heading'),
    tins: list(TinEntry, competitorTinsMost)
      .min(1, 'name at least one')
      .refine(isEachOnce, 'each TIN once')
      .describe('Whose rates it shows; each TIN once'),
    aggregation: RateSummary,
  })
  .describe('Competitors whose rates stand beside yours')
  .meta({ id: 'CompetitorColumn' })
export type CompetitorColumn = z.output<typeof CompetitorColumn>

const Mix = (key: string) =>
  list(
    z.strictObject({
      key: z.string().max(500).describe(key),
      percentOfBusiness: z
        .number()
        .describe('Share of annual revenue, in percent. Shares are taken relative to their sum'),
    }),
    mixEntriesMost,
  )

export const baselineDefault = 'p75'
export const baselineColumnDefault = 'negotiated_rate'

/** An empty object is a saved tree without filters. */
const SavedFilterTree = z.preprocess(
  (sent) =>
    typeof sent === 'object' && sent !== null && !Array.isArray(sent) && Object.keys(sent).length === 0
      ? { op: 'AND', filters: [] }
      : sent,
  ReportFilterTree,
)

/** How a report is looked at and modelled, as its users saved it. */
export const SavedContractModelConfig = z
  .strictObject({
    tabType: ReportTab.optional().describe('Tab to open'),
    isBestRateChosen: z
      .boolean()
      .optional()
      .describe('Keep one rate per TIN, payer, code and context: the highest'),
    isOutlierRemoved: z.boolean().optional().describe('Leave outliers out (log-IQR)'),
    compareColorsEnabled: z.boolean().optional().describe('Colour rates by how they compare'),
    dropdownFilters: SavedFilterTree.optional().describe(
      'Filter tree that every tab uses when its request brings none',
    ),
    tableFilters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Filter tree of the table, of the form of dropdownFilters: narrows the rows and their export further, and no computed tab. An object of another form is kept for the screen as it is',
      ),
    sorts: z
      .array(z.strictObject({ id: z.string().max(200), desc: z.boolean() }))
      .optional()
      .describe('Sort keys of the table'),
    yourTins: list(TinEntry, yourTinsMost).optional().describe('Your own TINs'),
    competitorColumns: list(CompetitorColumn, competitorColumnsMost)
      .refine((columns) => new Set(columns.map(({ id }) => id)).size === columns.length, 'each id once')
      .optional()
      .describe('Competitors to compare with'),
    payerMix: Mix('Payer').optional().describe('Your business by payer; without it every payer counts alike'),
    billingCodeMix: Mix('Billing code, such as `99213`, or with its type, `CPT 99213`')
      .optional()
      .describe('Your business by code; without it every code counts alike'),
    totalAnnualRevenue: z
      .string()
      .max(64)
      .optional()
      .describe('Dollars a year, such as `$12,500,000`')
      .meta({ examples: ['12500000'] }),
    baselineBenchmark: z
      .string()
      .max(100)
      .default(baselineDefault)
      .describe(
        'What your rates are measured against: `p50`, `p75`, `p90` of the market, or `competitor_<id>`. Anything else counts as p75',
      ),
    baselineColumn: z
      .string()
      .max(200)
      .default(baselineColumnDefault)
      .describe(
        'Column that is Your Rate. Falls back to `negotiated_rate`, then to the first column of dollar rates',
      ),
    manualRates: z
      .record(z.string().max(1_000), z.number())
      .refine((rates) => Object.keys(rates).length <= manualRatesMost, {
        error: `at most ${manualRatesMost.toLocaleString('en-US')}`,
      })
      .optional()
      .describe(
        'Rates typed by hand, by column and row: the key is the JSON text of `[column, payer, billing_code_type, billing_code]`',
      ),
  })
  .refine((config) => JSON.stringify(config).length <= configLengthMost, {
    error: `at most ${configLengthMost.toLocaleString('en-US')} characters when written as JSON`,
  })
  .describe('Saved contract-model configuration. No other property is accepted')
  .meta({ id: 'SavedContractModelConfig' })
export type SavedContractModelConfig = z.output<typeof SavedContractModelConfig>

/** The key of a rate typed by hand: which column, and which row of the model. */
export const manualRateKey = (
  column: string,
  row: { readonly payer: string | null; readonly billing_code_type: string; readonly billing_code: string },
) => JSON.stringify([column, row.payer, row.billing_code_type, row.billing_code])

import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { list } from './bounds.ts'
import { SavedContractModelConfig } from './contract-model.ts'
import { rateAggregations } from './market-rates.ts'
import { operation } from './operation.ts'
import { dimensionIds, ReportColumn, reportColumnIds } from './report-columns.ts'
import { ReportFilterTree } from './report-filter.ts'
import { reportExampleParams, reportParams } from './reports.ts'

export const rowsPageMost = 10_000
export const rowsPageDefault = 1_000

/** Kinds of number that a published rate can be. They are never mixed in a statistic. */
export const RateUnit = choice('unit', ['dollars', 'per diem', 'percentage']).describe(
  'Which rates a computation is over: dollars (negotiated, derived, fee schedule), per diem, or percentage',
)
export type RateUnit = z.infer<typeof RateUnit>

/** What every look at a report's rows may bring along. */
export const lookRequest = {
  filter: ReportFilterTree.optional().describe(
    'Filter tree over the report’s columns; without it the saved dropdownFilters. Text is compared without case. MATCH_WORDS: every word of the value is a word of the column, in any order. Nulls match only IS_NULL, NOT_EQUAL and NOT_CONTAINS. An empty group is no filter',
  ),
  config: SavedContractModelConfig.optional().describe(
    'Configuration to use instead of the saved one, for this answer only',
  ),
}

/** What was left out of a look, and why. */
export const LeftOut = z
  .object({
    rowsMatched: z.int().describe('Rows that match the filter'),
    rowsUsed: z.int().describe('Rows that the answer is made from'),
    otherMonths: z.int().describe('Rows left out because they are of another month: months are never pooled'),
    otherUnits: z.int().describe('Rows left out because they are rates of another unit'),
    implausible: z
      .int()
      .describe('Rows left out because the rate is zero, below, or above 100 million dollars'),
    outliers: z.int().describe('Rows left out as outliers (isOutlierRemoved)'),
    outlierPools: z
      .array(
        z.object({
          billing_code_type: z.string(),
          billing_code: z.string(),
          severity: z.string().nullable(),
          billing_class: z.string().nullable(),
          modifiers: z.string(),
          rule: z
            .enum(['log_iqr', 'medicare'])
            .describe(
              'log_iqr: bounds of the logarithms of more than 40 rates. medicare: 10 % to 1,000 % of the Medicare amount (drugs 80 % to 400 % of the payment limit), for 40 rates or fewer',
            ),
          rates: z.int().describe('Rates in the pool'),
          lower: z.number().nullable().describe('Rates below it were left out; log_iqr only'),
          upper: z.number().nullable().describe('Rates above it were left out; log_iqr only'),
          removed: z.int(),
        }),
      )
      .describe('Pools that lost rates, those that lost most first; at most 100'),
    notBest: z
      .int()
      .describe(
        'Rows that gave way to a higher rate of the same TIN, payer, code and context (isBestRateChosen)',
      ),
  })
  .describe('What was left out of the answer, and why')
  .meta({ id: 'ReportLeftOut' })
export type LeftOut = z.infer<typeof LeftOut>

export const Pagination = z
  .strictObject({
    pageSize: z
      .int()
      .min(1)
      .max(rowsPageMost)
      .optional()
      .describe(
        'Rows per page, 1 to 10,000; default 1,000, or less where your organisation’s maximum is less',
      ),
    cursor: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('nextCursor of the page before. Everything else must stay unchanged, except pageSize'),
  })
  .describe('Which page')

const value = z.union([z.string(), z.number()]).nullable()
export const RowData = z.array(z.record(z.string(), value)).describe('Rows; each has the listed columns')

export const reportRows = operation({
  name: 'reportRows',
  method: 'POST',
  path: '/api/v1/reports/{id}/rows',
  group: 'Reports',
  credits: 0,
  summary: 'Rows of a report: filtered, collapsed, sorted, in pages',
  description: [
    'The full-data tab. One row per published entry, in the order of payer, month, code, context and rate, unless `sorts` says otherwise. `isBestRateChosen` and `isOutlierRemoved` of the configuration apply here as in every tab; rows then also carry `best_of`, how many rates the chosen one was the highest of.',
    '`aggregatedColumns` are collapsed into "; "-delimited lists, and rows that then agree in all other dimension columns become one, with `entries` saying how many they were. `rateAggregation` says how their rates become one; `none` keeps a row per rate. Columns that only describe a collapsed one (the name of an NPI) are collapsed with it; the place in the source file is left out. Without a rate aggregation, rates of every unit are listed; with one, a row never mixes units because the rate type stays apart, unless it is collapsed: then only dollars are kept.',
    '`totalRows` counts the rows of all pages. A cursor goes on with the rows that the first page was cut from; after a refresh has replaced them it is refused with `invalid_cursor`.',
  ].join('\n\n'),
  params: reportParams,
  request: z.strictObject({
    ...lookRequest,
    columns: list(choice('column', reportColumnIds))
      .min(1)
      .optional()
      .describe('Columns to return; all without it'),
    aggregatedColumns: list(choice('column to collapse', dimensionIds))
      .optional()
      .describe('Dimension columns to collapse into lists'),
    rateAggregation: choice('rate aggregation', rateAggregations)
      .default('none')
      .describe('How the rates of a collapsed row become one'),
    sorts: list(
      z.strictObject({
        id: choice('column to sort by', [...reportColumnIds, 'entries', 'best_of']),
        desc: z.boolean().default(false).describe('true = largest first'),
      }),
      20,
    )
      .optional()
      .describe('Sort keys, most important first; nulls come last'),
    pagination: Pagination.optional(),
  }),
  response: z.object({
    columns: z.array(ReportColumn),
    data: RowData,
    nextCursor: z.string().nullable().describe('Send it as pagination.cursor; null = no more rows'),
    totalRows: z.int(),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: {
      filter: {
        op: 'AND',
        filters: [
          { op: 'EQUAL', field: 'payer', value: 'Aetna' },
          { op: 'GREATER_THAN', field: 'negotiated_rate', value: 100 },
        ],
      },
      sorts: [{ id: 'negotiated_rate', desc: true }],
      pagination: { pageSize: 100 },
    },
    response: {
      columns: [
        { id: 'payer', label: 'Payer', kind: 'text', role: 'dimension', description: 'Payer' },
        {
          id: 'negotiated_rate',
          label: 'Rate',
          kind: 'dollars',
          role: 'measure',
          description: 'Published rate',
        },
      ],
      data: [{ payer: 'Aetna', negotiated_rate: 412.5 }],
      nextCursor: null,
      totalRows: 1,
      leftOut: {
        rowsMatched: 1,
        rowsUsed: 1,
        otherMonths: 0,
        otherUnits: 0,
        implausible: 0,
        outliers: 0,
        outlierPools: [],
        notBest: 0,
      },
    },
  },
  failures: ['not_found', 'report_not_ready', 'invalid_cursor', 'query_too_wide', 'query_timeout'],
})

export const exportFormats = ['csv', 'parquet', 'xlsx'] as const

export const exportReport = operation({
  name: 'exportReport',
  method: 'GET',
  path: '/api/v1/reports/{id}/export',
  group: 'Reports',
  credits: 0,
  summary: 'All rows of a report as a file',
  description: [
    'CSV (UTF-8, RFC 4180), Parquet, or an Excel workbook. `rows=all` writes every row of the report; `rows=saved` those that the saved configuration leaves: its dropdown filters, outliers removed, best rates chosen.',
    'An Excel sheet holds 1,048,576 rows; more go to further sheets. In CSV, a text that a spreadsheet would take for a formula is written with a leading apostrophe.',
  ].join('\n\n'),
  params: reportParams,
  request: z.strictObject({
    format: choice('format', exportFormats).default('csv'),
    rows: choice('rows', ['all', 'saved']).default('all'),
  }),
  download: [
    'text/csv',
    'application/vnd.apache.parquet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  response: z.unknown(),
  example: { params: reportExampleParams, request: { format: 'csv' }, response: undefined },
  failures: ['not_found', 'report_not_ready'],
})

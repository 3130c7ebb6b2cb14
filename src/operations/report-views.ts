import { z } from 'zod'
import { Aggregation } from '../vocabulary/aggregations.ts'
import { choice } from '../vocabulary/choice.ts'
import { list } from './bounds.ts'
import { RateSummary } from './contract-model.ts'
import { operation } from './operation.ts'
import { dimensionIds, ReportColumn, type ReportColumnId } from './report-columns.ts'
import { LeftOut, lookRequest, Pagination, RateUnit, RowData } from './report-rows.ts'
import { reportExampleParams, reportParams } from './reports.ts'

export const Dimension = choice('dimension column', dimensionIds)
const dimensions = (most: number, ...fallback: ReportColumnId[]) =>
  list(Dimension, most)
    .refine((ids) => new Set(ids).size === ids.length, 'each column once')
    .default(fallback)

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'expected YYYY-MM')
  .optional()

const computed = { ...lookRequest, unit: RateUnit.default('dollars') }
const viewRequest = {
  ...computed,
  month: month.describe(
    'Source month to look at, YYYY-MM. Without it the newest month of each payer, unless year_month is among the columns that split the answer: months are never pooled',
  ),
}

export const Measure = choice('measure', ['negotiated_rate', 'medicare_percent']).describe(
  'What is measured: the rate, or the rate as a percent of Medicare (rows without a Medicare amount stay out)',
)
export type Measure = z.infer<typeof Measure>

const keyValue = z.union([z.string(), z.number()]).nullable()
const rate = z.number().nullable()
const failures = ['not_found', 'report_not_ready', 'query_too_wide', 'query_timeout'] as const
const noneLeftOut = {
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

export const reportInteractiveChart = operation({
  name: 'reportInteractiveChart',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/interactiveChart',
  group: 'Reports',
  credits: 0,
  summary: 'How rates are distributed, by a dimension',
  description:
    'One distribution per value of the dimension, those with most entries first: exact percentiles, a histogram over bins that all groups share, and your TINs and competitors marked in it. Bins are of equal width from the smallest to the largest value; a value on an edge belongs to the bin above, the largest to the last.',
  params: reportParams,
  request: z.strictObject({
    ...viewRequest,
    dimension: Dimension.default('payer'),
    measure: Measure.default('negotiated_rate'),
    groupsMost: z.int().min(1).max(200).default(50).describe('Groups to return'),
    bins: z.int().min(1).max(200).default(40).describe('Bars of the histogram'),
  }),
  response: z.object({
    dimension: z.string(),
    measure: Measure,
    edges: z
      .array(z.number())
      .describe('Edges of the bins: one more than there are bins; empty without rows'),
    groups: z.array(
      z.object({
        value: keyValue,
        entries: z.int(),
        min: z.number(),
        p10: z.number(),
        p25: z.number(),
        p50: z.number(),
        p75: z.number(),
        p90: z.number(),
        max: z.number(),
        avg: z.number(),
        histogram: z.array(z.int()).describe('Entries in each bin'),
        marks: z.array(Mark),
      }),
    ),
    groupsTotal: z.int(),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { dimension: 'payer', bins: 2 },
    response: {
      dimension: 'payer',
      measure: 'negotiated_rate',
      edges: [100, 250, 400],
      groups: [
        {
          value: 'Aetna',
          entries: 5210,
          min: 100,
          p10: 120,
          p25: 150,
          p50: 220,
          p75: 280,
          p90: 350,
          max: 400,
          avg: 225.5,
          histogram: [3000, 2210],
          marks: [
            {
              id: 'yours',
              label: 'Your TINs',
              rate: 210,
              entries: 12,
              min: 190,
              max: 230,
              percentileRank: 44.2,
            },
          ],
        },
      ],
      groupsTotal: 1,
      leftOut: noneLeftOut,
    },
  },
  failures,
})

export const reportSummaryPivot = operation({
  name: 'reportSummaryPivot',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/summaryPivot',
  group: 'Reports',
  credits: 0,
  summary: 'Rows by columns by a measure, with totals',
  description:
    'A pivot table. Totals are computed over all rows they stand for (a total of medians is the median of everything, not a sum). At most 10,000 rows and 200 columns.',
  params: reportParams,
  request: z
    .strictObject({
      ...viewRequest,
      rows: dimensions(4, 'payer'),
      columns: dimensions(2),
      aggregation: Aggregation.default('median_rate'),
      measure: Measure.default('negotiated_rate'),
    })
    .refine(({ rows, columns }) => !columns.some((column) => rows.includes(column)), {
      path: ['columns'],
      error: 'a column stands in rows or in columns, not in both',
    }),
  response: z.object({
    rowColumns: z.array(z.string()),
    columnColumns: z.array(z.string()),
    columnKeys: z.array(z.array(keyValue)).describe('Values of each column of the pivot, in text order'),
    rows: z.array(
      z.object({
        key: z.array(keyValue),
        cells: z.array(rate).describe('One per columnKeys; null where nothing falls into the cell'),
        total: rate,
      }),
    ),
    totals: z.object({ cells: z.array(rate), total: rate }),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { rows: ['payer'], columns: ['year_month'], aggregation: 'median_rate' },
    response: {
      rowColumns: ['payer'],
      columnColumns: ['year_month'],
      columnKeys: [['2026-05']],
      rows: [{ key: ['Aetna'], cells: [220], total: 220 }],
      totals: { cells: [220], total: 220 },
      leftOut: noneLeftOut,
    },
  },
  failures,
})

export const reportPercentile = operation({
  name: 'reportPercentile',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/percentile',
  group: 'Reports',
  credits: 0,
  summary: 'Percentiles by group, and where your rate stands',
  description:
    'Exact percentiles per group (linear between order statistics, as market benchmarks), with your rate and each competitor’s and their percentile ranks in the group. At most 20,000 groups, in text order of their keys.',
  params: reportParams,
  request: z.strictObject({
    ...viewRequest,
    groupBy: dimensions(8, 'payer', 'billing_code_type', 'billing_code'),
    percentiles: list(z.int().min(1).max(99), 99).default([10, 25, 50, 75, 90]),
    measure: Measure.default('negotiated_rate'),
  }),
  response: z.object({
    groupBy: z.array(z.string()),
    rows: z.array(
      z.object({
        key: z.array(keyValue).describe('Values of groupBy'),
        entries: z.int(),
        min: z.number(),
        max: z.number(),
        avg: z.number(),
        percentiles: z.record(z.string(), z.number()).describe('By name: `p50`'),
        marks: z.array(Mark),
      }),
    ),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { groupBy: ['payer'], percentiles: [50] },
    response: {
      groupBy: ['payer'],
      rows: [
        {
          key: ['Aetna'],
          entries: 5210,
          min: 100,
          max: 400,
          avg: 225.5,
          percentiles: { p50: 220 },
          marks: [],
        },
      ],
      leftOut: noneLeftOut,
    },
  },
  failures,
})

const Seed = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The same seed on the same rows gives the same answer; without it the report’s own')

export const reportSample = operation({
  name: 'reportSample',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/sample',
  group: 'Reports',
  credits: 0,
  summary: 'A random sample of rows that can be drawn again',
  description:
    'Rows drawn without repetition, every row with the same chance, in the order of the report. The same seed, filter and configuration on the same rows of a report draw the same sample.',
  params: reportParams,
  request: z.strictObject({
    ...lookRequest,
    size: z.int().min(1).max(10_000).default(100).describe('Rows to draw'),
    seed: Seed,
  }),
  response: z.object({
    seed: z.string(),
    columns: z.array(ReportColumn),
    data: RowData,
    totalRows: z.int().describe('Rows it was drawn from'),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { size: 1, seed: 'spring' },
    response: {
      seed: 'spring',
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
      totalRows: 5210,
      leftOut: noneLeftOut,
    },
  },
  failures,
})

export const reportRateChange = operation({
  name: 'reportRateChange',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/rateChange',
  group: 'Reports',
  credits: 0,
  summary: 'Two months beside each other: what rose, fell, came and went',
  description:
    'Rows of the two months are matched by `groupBy`; several rates of a group in a month become one by `aggregation`. A group that only the first month has is gone, one that only the second has is new. Needs a report over at least two months (`yearMonths` in its query).',
  params: reportParams,
  request: z.strictObject({
    ...computed,
    from: month.describe('Earlier month, YYYY-MM; default: the earliest of the report'),
    to: month.describe('Later month, YYYY-MM; default: the newest of the report'),
    groupBy: dimensions(10, 'payer', 'billing_code_type', 'billing_code', 'tin').refine(
      (ids) => !ids.includes('year_month'),
      'months are what is compared',
    ),
    aggregation: RateSummary.default('median'),
    statuses: list(choice('status', ['increased', 'decreased', 'unchanged', 'new', 'gone']))
      .optional()
      .describe('Keep rows of these kinds'),
    sort: choice('sort', ['key', 'change', 'changePercent'])
      .default('key')
      .describe('change: largest rise first'),
    pagination: Pagination.optional(),
  }),
  response: z.object({
    from: z.string().nullable(),
    to: z.string().nullable(),
    groupBy: z.array(z.string()),
    summary: z.object({
      increased: z.int(),
      decreased: z.int(),
      unchanged: z.int(),
      new: z.int(),
      gone: z.int(),
    }),
    rows: z.array(
      z.object({
        key: z.array(keyValue),
        status: z.enum(['increased', 'decreased', 'unchanged', 'new', 'gone']),
        oldRate: rate,
        newRate: rate,
        change: rate.describe('Dollars'),
        changePercent: rate.describe('Percent of the old rate, to four decimals'),
        oldEntries: z.int(),
        newEntries: z.int(),
      }),
    ),
    totalRows: z.int(),
    nextCursor: z.string().nullable(),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { from: '2026-04', to: '2026-05', groupBy: ['payer', 'billing_code'] },
    response: {
      from: '2026-04',
      to: '2026-05',
      groupBy: ['payer', 'billing_code'],
      summary: { increased: 1, decreased: 0, unchanged: 0, new: 0, gone: 0 },
      rows: [
        {
          key: ['Aetna', '93306'],
          status: 'increased',
          oldRate: 200,
          newRate: 220,
          change: 20,
          changePercent: 10,
          oldEntries: 2600,
          newEntries: 2610,
        },
      ],
      totalRows: 1,
      nextCursor: null,
      leftOut: noneLeftOut,
    },
  },
  failures: [...failures, 'invalid_cursor'],
})

/** What your rates are measured against. */
export const ModelBasis = z
  .object({
    yourColumn: z.string().describe('The column that is Your Rate, after fallbacks'),
    baseline: z.string().describe('`p50`, `p75`, `p90` or `competitor_<id>`, after fallbacks'),
    baselineLabel: z.string(),
    annualRevenue: z
      .number()
      .nullable()
      .describe(
        'totalAnnualRevenue as read; null where none is given or it is no amount: then one million stands in for it',
      ),
  })
  .describe('What the model is built on')
  .meta({ id: 'ReportModelBasis' })

const line = {
  revenue: z.number().describe('Dollars a year at your rates'),
  atBaseline: z.number().describe('Dollars a year for the same services at the baseline'),
  difference: z.number().describe('atBaseline less revenue: what the baseline is worth to you'),
  index: rate.describe('100 × revenue / atBaseline: 90 = you are paid 90 % of the baseline'),
}

export const reportWeightedContract = operation({
  name: 'reportWeightedContract',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/weightedContract',
  group: 'Reports',
  credits: 0,
  summary: 'Your rates against a baseline, weighted by your payer and code mix',
  description:
    'For every payer and code: your rate, the baseline, and what the same services would bring at the baseline. A cell’s revenue is the annual revenue times the payer’s and the code’s share. Every formula, with an example worked through, is in docs/contract-model.md.',
  params: reportParams,
  request: z.strictObject({ ...viewRequest }),
  response: z.object({
    basis: ModelBasis,
    rows: z.array(
      z.object({
        payer: z.string(),
        billing_code_type: z.string(),
        billing_code: z.string(),
        yourRate: rate,
        yourEntries: z.int(),
        baselineRate: rate,
        marketEntries: z.int(),
        percentOfBusiness: z.number().describe('Share of this payer and code in your business, percent'),
        ...line,
        isCovered: z
          .boolean()
          .describe('Whether both rates are there; a row that is not covered is in no total'),
      }),
    ),
    byPayer: z.array(z.object({ key: z.string(), percentOfBusiness: z.number(), ...line })),
    byCode: z.array(z.object({ key: z.string(), percentOfBusiness: z.number(), ...line })),
    total: z.object({
      ...line,
      coveredPercent: z.number().describe('Share of your business that the totals stand for, percent'),
    }),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: {},
    response: {
      basis: {
        yourColumn: 'negotiated_rate',
        baseline: 'p75',
        baselineLabel: '75th percentile',
        annualRevenue: 1_000_000,
      },
      rows: [
        {
          payer: 'Aetna',
          billing_code_type: 'CPT',
          billing_code: '93306',
          yourRate: 200,
          yourEntries: 12,
          baselineRate: 250,
          marketEntries: 5210,
          percentOfBusiness: 100,
          revenue: 1_000_000,
          atBaseline: 1_250_000,
          difference: 250_000,
          index: 80,
          isCovered: true,
        },
      ],
      byPayer: [
        {
          key: 'Aetna',
          percentOfBusiness: 100,
          revenue: 1_000_000,
          atBaseline: 1_250_000,
          difference: 250_000,
          index: 80,
        },
      ],
      byCode: [
        {
          key: 'CPT 93306',
          percentOfBusiness: 100,
          revenue: 1_000_000,
          atBaseline: 1_250_000,
          difference: 250_000,
          index: 80,
        },
      ],
      total: {
        revenue: 1_000_000,
        atBaseline: 1_250_000,
        difference: 250_000,
        index: 80,
        coveredPercent: 100,
      },
      leftOut: noneLeftOut,
    },
  },
  failures,
})

export const ModelColumn = z
  .object({
    id: z.string().describe('`negotiated_rate` (yours), `competitor_<id>`, `p50`, `medicare_rate`, `manual`'),
    label: z.string(),
    kind: z.enum(['yours', 'competitor', 'percentile', 'medicare', 'manual']),
  })
  .describe('A column of the model')
  .meta({ id: 'ReportModelColumn' })
export type ModelColumn = z.infer<typeof ModelColumn>

const Spread = z.object({
  min: rate,
  p10: rate,
  p25: rate,
  p50: rate,
  p75: rate,
  p90: rate,
  max: rate,
  avg: rate,
})

export const reportDummyClaims = operation({
  name: 'reportDummyClaims',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/dummyClaims',
  group: 'Reports',
  credits: 0,
  summary: 'Made-up claims drawn from your mixes, priced under each contract',
  description:
    'Draws claims by payer and code so that, on average, the revenue at your rates is divided as your mixes say, and prices each under your rates, the baseline and every competitor. Totals compare like with like: a column’s difference is over the claims that it can price. The same seed draws the same claims.',
  params: reportParams,
  request: z.strictObject({
    ...viewRequest,
    claims: z.int().min(1).max(100_000).default(1_000).describe('Claims to draw'),
    shown: z.int().min(0).max(1_000).default(100).describe('Claims to list'),
    seed: Seed,
  }),
  response: z.object({
    basis: ModelBasis,
    seed: z.string(),
    claims: z.int().describe('Claims drawn; 0 where no payer and code has a rate of yours'),
    columns: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        claimsPriced: z.int(),
        total: z.number().describe('Dollars for the claims it can price'),
        yoursOnSame: z.number().describe('Dollars for the same claims at your rates'),
        difference: z.number().describe('total less yoursOnSame'),
        differencePercent: rate,
        perClaim: Spread,
      }),
    ),
    spread: z
      .object({
        claims: z.int().describe('Claims that every column can price'),
        lowest: z.object({ id: z.string(), total: z.number() }),
        highest: z.object({ id: z.string(), total: z.number() }),
        difference: z.number(),
      })
      .nullable()
      .describe('Dearest and cheapest column over the claims that every column can price'),
    rows: z.array(
      z.object({
        number: z.int(),
        payer: z.string(),
        billing_code_type: z.string(),
        billing_code: z.string(),
        prices: z.record(z.string(), rate),
      }),
    ),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { claims: 1, seed: 'spring' },
    response: {
      basis: {
        yourColumn: 'negotiated_rate',
        baseline: 'p75',
        baselineLabel: '75th percentile',
        annualRevenue: null,
      },
      seed: 'spring',
      claims: 1,
      columns: [
        {
          id: 'yours',
          label: 'Your rate',
          claimsPriced: 1,
          total: 200,
          yoursOnSame: 200,
          difference: 0,
          differencePercent: 0,
          perClaim: { min: 200, p10: 200, p25: 200, p50: 200, p75: 200, p90: 200, max: 200, avg: 200 },
        },
      ],
      spread: {
        claims: 1,
        lowest: { id: 'yours', total: 200 },
        highest: { id: 'yours', total: 200 },
        difference: 0,
      },
      rows: [
        {
          number: 1,
          payer: 'Aetna',
          billing_code_type: 'CPT',
          billing_code: '93306',
          prices: { yours: 200 },
        },
      ],
      leftOut: noneLeftOut,
    },
  },
  failures,
})

export const reportModelContract = operation({
  name: 'reportModelContract',
  method: 'POST',
  path: '/api/v1/reports/{id}/views/modelContract',
  group: 'Reports',
  credits: 0,
  summary: 'Codes by columns: your rate, competitors, percentiles, Medicare, manual rates; and totals',
  description:
    'One row per payer and code (or per code over all payers). A rate in `manualRates` takes the place of the computed one in its cell. Totals: the revenue at your rates of the rows that a column can price, and what the same services bring at that column’s rates.',
  params: reportParams,
  request: z.strictObject({
    ...viewRequest,
    rowsBy: choice('rowsBy', ['payerAndCode', 'code']).default('payerAndCode'),
    percentiles: list(z.int().min(1).max(99), 20).default([50, 75, 90]),
  }),
  response: z.object({
    basis: ModelBasis,
    columns: z.array(ModelColumn),
    rows: z.array(
      z.object({
        payer: z.string().nullable().describe('null where rows are by code'),
        billing_code_type: z.string(),
        billing_code: z.string(),
        percentOfBusiness: z.number(),
        cells: z.record(
          z.string(),
          z.object({
            rate,
            entries: z.int().describe('Rows it was made from; 0 for a manual rate'),
            isManual: z.boolean(),
          }),
        ),
      }),
    ),
    totals: z.array(
      z.object({
        id: z.string(),
        coveredPercent: z.number(),
        revenue: z
          .number()
          .describe('Dollars a year at your rates, over the rows that this column can price'),
        atColumn: z.number().describe('Dollars a year for the same services at this column’s rates'),
        difference: z.number(),
        index: rate.describe('100 × atColumn / revenue'),
      }),
    ),
    leftOut: LeftOut,
  }),
  example: {
    params: reportExampleParams,
    request: { rowsBy: 'payerAndCode' },
    response: {
      basis: {
        yourColumn: 'negotiated_rate',
        baseline: 'p75',
        baselineLabel: '75th percentile',
        annualRevenue: 1_000_000,
      },
      columns: [
        { id: 'negotiated_rate', label: 'Your rate', kind: 'yours' },
        { id: 'p75', label: '75th percentile', kind: 'percentile' },
      ],
      rows: [
        {
          payer: 'Aetna',
          billing_code_type: 'CPT',
          billing_code: '93306',
          percentOfBusiness: 100,
          cells: {
            negotiated_rate: { rate: 200, entries: 12, isManual: false },
            p75: { rate: 250, entries: 5210, isManual: false },
          },
        },
      ],
      totals: [
        {
          id: 'p75',
          coveredPercent: 100,
          revenue: 1_000_000,
          atColumn: 1_250_000,
          difference: 250_000,
          index: 125,
        },
      ],
      leftOut: noneLeftOut,
    },
  },
  failures,
})

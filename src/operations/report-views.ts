import { z } from 'zod'
import { Aggregation } from '../vocabulary/aggregations.ts'
import { choice } from '../vocabulary/choice.ts'
import { list } from './bounds.ts'
import { RateSummary } from './contract-model.ts'
import { operation } from './operation.ts'
import { ReportColumn } from './report-columns.ts'
import { LeftOut, lookRequest, Pagination, RowData } from './report-rows.ts'
import {
  computed,
  Dimension,
  dimensions,
  failures,
  keyValue,
  Mark,
  Measure,
  month,
  noneLeftOut,
  rate,
  Seed,
  viewRequest,
} from './report-view.ts'
import { reportExampleParams, reportParams } from './reports.ts'

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

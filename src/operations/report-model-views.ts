import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { list } from './bounds.ts'
import { operation } from './operation.ts'
import { LeftOut } from './report-rows.ts'
import { failures, noneLeftOut, rate, Seed, viewRequest } from './report-view.ts'
import { reportExampleParams, reportParams } from './reports.ts'

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

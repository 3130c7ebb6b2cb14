import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SavedContractModelConfig } from '../operations/contract-model.ts'
import { WeightedValues, type Distribution } from '../pricing/statistics.ts'
import { dummyClaims } from './dummy-claims.ts'
import { basisOf, revenueFromText, type ModelCell } from './model.ts'
import { modelContract, weightedContract } from './weighted-contract.ts'

const rates = (...dollars: number[]): Distribution => {
  const values = new WeightedValues()
  for (const rate of dollars) values.add(Math.round(rate * 10_000), 1)
  return values.distribution()
}

/** A cell whose 75th percentile is the baseline given. */
const cell = (
  payer: string | null,
  code: string,
  own: number[],
  baseline: number[],
  more: Partial<ModelCell> = {},
): ModelCell => ({
  payer,
  billing_code_type: 'CPT',
  billing_code: code,
  own: rates(...own),
  market: rates(...baseline),
  competitors: [],
  medicare: undefined,
  ...more,
})
const configured = (config: object) =>
  basisOf(SavedContractModelConfig.parse({ yourTins: [{ value: 1 }], ...config }))

const page = readFileSync(join(import.meta.dirname, '../../docs/contract-model.md'), 'utf8')

describe('the page docs/contract-model.md', () => {
  it('shows what the model computes', () => {
    const [, revenue = ''] = /^R = ([\d,]+)\./m.exec(page) ?? []
    const mix = (name: string) => {
      const [, text = ''] = new RegExp(`${name} mix: ([^.]+)\\.`).exec(page) ?? []
      return text.split(', ').map((part) => {
        const [key = '', percent] = part.split(' ')
        return { key, percentOfBusiness: Number(percent) }
      })
    }
    const lines = [...page.matchAll(/^\| (Aetna|Cigna|total) \|(.*)\|$/gm)].map(([, payer, rest = '']) => [
      payer!,
      ...rest.split('|').map((text) => text.trim()),
    ])
    expect(lines).toHaveLength(5)
    const basis = configured({
      totalAnnualRevenue: revenue,
      payerMix: mix('Payer'),
      billingCodeMix: mix('Code'),
      baselineBenchmark: 'p75',
    })
    const cells = lines
      .slice(0, -1)
      .map(([payer, code, , own, baseline]) => cell(payer!, code!, [Number(own)], [Number(baseline)]))
    const { rows, total } = weightedContract(basis, cells)
    const shown = rows.map((row) => [
      row.payer,
      row.billing_code,
      ...[
        row.percentOfBusiness,
        row.yourRate,
        row.baselineRate,
        row.revenue,
        row.atBaseline,
        row.difference,
        row.index,
      ].map(String),
    ])
    expect(shown).toEqual(lines.slice(0, -1))
    const { coveredPercent, revenue: sum, atBaseline, difference, index } = total
    expect([
      'total',
      '',
      String(coveredPercent),
      '',
      '',
      ...[sum, atBaseline, difference, index].map(String),
    ]).toEqual(lines.at(-1))
  })
})

/** Spreadsheet arithmetic: fractions of whole numbers, rounded where a formula says ROUND. */
const round = (numerator: bigint, denominator: bigint, decimals: number): number => {
  const scaled = numerator * 10n ** BigInt(decimals)
  const doubled = (scaled * 2n) / denominator
  return Number((doubled + 1n) / 2n) / 10 ** decimals
}

const dollars = fc.integer({ min: 2_000, max: 500_000 }).map((cents) => cents / 100)
const percents = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)

describe('the weighted contract', () => {
  it('comes to what a spreadsheet comes to', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ own: dollars, baseline: dollars }), { minLength: 4, maxLength: 4 }),
        fc.tuple(percents, percents, percents, percents),
        fc.integer({ min: 1, max: 10 ** 10 }).map((cents) => cents / 100),
        (figures, [p1, p2, c1, c2], revenue) => {
          fc.pre(p1 + p2 > 0 && c1 + c2 > 0)
          const payers = [['Aetna', p1] as const, ['Cigna', p2] as const]
          const codes = [['99213', c1] as const, ['99214', c2] as const]
          const pairs = payers.flatMap((payer) => codes.map((code) => [payer, code] as const))
          const basis = configured({
            totalAnnualRevenue: String(revenue),
            payerMix: payers.map(([key, percentOfBusiness]) => ({ key, percentOfBusiness })),
            billingCodeMix: codes.map(([key, percentOfBusiness]) => ({ key, percentOfBusiness })),
          })
          const cells = pairs.map(([[payer], [code]], at) =>
            cell(payer, code, [figures[at]!.own], [figures[at]!.baseline]),
          )
          const { rows, total } = weightedContract(basis, cells)
          const whole = (value: number) => BigInt(Math.round(value * 10_000))
          let [sumRevenue, sumBaseline] = [0n, 0n]
          for (const [at, [[, payer], [, code]]] of pairs.entries()) {
            const share = [
              whole(payer) * whole(code),
              (whole(p1) + whole(p2)) * (whole(c1) + whole(c2)),
            ] as const
            const cellRevenue = round(whole(revenue) * share[0], share[1] * 10_000n, 4)
            const atBaseline = round(
              whole(cellRevenue) * whole(figures[at]!.baseline),
              whole(figures[at]!.own) * 10_000n,
              4,
            )
            expect(rows[at]).toMatchObject({ revenue: cellRevenue, atBaseline, isCovered: true })
            sumRevenue += whole(cellRevenue)
            sumBaseline += BigInt(Math.round(atBaseline * 10_000))
          }
          expect(total.revenue).toBe(Number(sumRevenue) / 10_000)
          expect(total.atBaseline).toBe(Number(sumBaseline) / 10_000)
          expect(total.index).toBe(sumBaseline === 0n ? null : round(100n * sumRevenue, sumBaseline, 4))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('leaves out of every total what one side has no rate for, and says how much that is', () => {
    const { rows, total, byPayer } = weightedContract(
      configured({
        payerMix: [
          { key: 'Aetna', percentOfBusiness: 75 },
          { key: 'Cigna', percentOfBusiness: 25 },
        ],
      }),
      [cell('Aetna', '99213', [50], [100]), cell('Cigna', '99213', [], [100])],
    )
    expect(rows.map(({ isCovered }) => isCovered)).toEqual([true, false])
    expect(total).toEqual({
      revenue: 750_000,
      atBaseline: 1_500_000,
      difference: 750_000,
      index: 50,
      coveredPercent: 75,
    })
    expect(byPayer.map(({ key }) => key)).toEqual(['Aetna'])
  })

  it('divides a code without a type between the types that a payer publishes it under', () => {
    const basis = configured({
      billingCodeMix: [
        { key: '470', percentOfBusiness: 60 },
        { key: 'MS-DRG 471', percentOfBusiness: 40 },
      ],
    })
    const cells = [
      cell('Aetna', '470', [1], [1], { billing_code_type: 'MS-DRG' }),
      cell('Aetna', '470', [1], [1], { billing_code_type: 'APR-DRG' }),
      cell('Aetna', '471', [1], [1], { billing_code_type: 'MS-DRG' }),
      cell('Aetna', '471', [1], [1], { billing_code_type: 'APR-DRG' }),
    ]
    expect(weightedContract(basis, cells).rows.map((row) => row.percentOfBusiness)).toEqual([30, 30, 40, 0])
  })
})

describe('the basis of the model', () => {
  const competitor = { id: 'eastside1', label: 'Eastside', tins: [{ value: 2 }], aggregation: 'max' }
  it.each([
    [undefined, 'p75'],
    ['p50', 'p50'],
    ['p90', 'p90'],
    ['p60', 'p75'],
    ['competitor_eastside1', 'competitor_eastside1'],
    ['competitor_elsewhere', 'p75'],
  ])('takes %s for the baseline %s', (asked, taken) => {
    const config = { competitorColumns: [competitor], ...(asked && { baselineBenchmark: asked }) }
    expect(configured(config).baseline).toBe(taken)
  })

  it.each([
    [undefined, 'negotiated_rate'],
    ['medicare_rate', 'medicare_rate'],
    ['competitor_eastside1', 'competitor_eastside1'],
    ['billing_code', 'negotiated_rate'],
  ])('takes %s for Your Rate: %s', (asked, taken) => {
    const config = { competitorColumns: [competitor], ...(asked && { baselineColumn: asked }) }
    expect(configured(config).yourColumn).toBe(taken)
  })

  it.each([
    ['$12,500,000.50', 125_000_005_000n],
    [' 7 ', 70_000n],
    ['much', undefined],
    ['-5', undefined],
    ['0', undefined],
    [undefined, undefined],
  ])('reads the revenue %s', (text, amount) => expect(revenueFromText(text)).toBe(amount))
})

describe('the model contract', () => {
  it('shows every column, lets a typed rate take the place of a computed one, and totals what a column can price', () => {
    const basis = configured({
      totalAnnualRevenue: '1000',
      competitorColumns: [{ id: 'eastside1', label: 'Eastside', tins: [{ value: 2 }], aggregation: 'max' }],
      manualRates: { '["manual","Aetna","CPT","99213"]': 120, '["p50","Aetna","CPT","99214"]': 44 },
    })
    const cells = [
      cell('Aetna', '99213', [80, 90, 100], [80, 90, 100, 110], {
        competitors: [rates(95, 105)],
        medicare: rates(60),
      }),
      cell('Aetna', '99214', [10], [20], { competitors: [rates()] }),
    ]
    const { columns, rows, totals } = modelContract(basis, cells, [50])
    expect(columns.map(({ id }) => id)).toEqual([
      'negotiated_rate',
      'competitor_eastside1',
      'p50',
      'medicare_rate',
      'manual',
    ])
    const figures = rows.map(({ cells: line }) => columns.map(({ id }) => line[id]!.rate))
    expect(figures).toEqual([
      [90, 105, 95, 60, 120],
      [10, null, 44, null, null],
    ])
    expect(rows[1]!.cells['p50']).toEqual({ rate: 44, entries: 0, isManual: true })
    expect(
      totals.map(({ id, coveredPercent, revenue, atColumn }) => [id, coveredPercent, revenue, atColumn]),
    ).toEqual([
      ['negotiated_rate', 100, 1000, 1000],
      ['competitor_eastside1', 50, 500, 583.3333],
      ['p50', 100, 1000, 2727.7778],
      ['medicare_rate', 50, 500, 333.3333],
      ['manual', 50, 500, 666.6667],
    ])
  })
})

describe('made-up claims', () => {
  it('divide revenue at your rates as the mixes say', () => {
    const mix = [
      { key: 'Aetna', percentOfBusiness: 80 },
      { key: 'Cigna', percentOfBusiness: 20 },
    ]
    const cells = [cell('Aetna', '99213', [400], [500]), cell('Cigna', '99213', [50], [60])]
    const { rows, claims } = dummyClaims(configured({ payerMix: mix }), cells, {
      claims: 20_000,
      shown: 20_000,
      seed: 'x',
    })
    expect(claims).toBe(20_000)
    const revenue = (payer: string) =>
      rows.reduce((sum, row) => sum + (row.payer === payer ? row.prices['yours']! : 0), 0)
    expect(revenue('Aetna') / (revenue('Aetna') + revenue('Cigna'))).toBeCloseTo(0.8, 1)
    // 80 / 400 against 20 / 50: one claim of Aetna to two of Cigna.
    expect(rows.filter(({ payer }) => payer === 'Aetna').length / 20_000).toBeCloseTo(1 / 3, 1)
  })

  it('are none where no cell has a rate of yours', () => {
    const none = dummyClaims(configured({}), [cell('Aetna', '99213', [], [5])], {
      claims: 10,
      shown: 10,
      seed: 'x',
    })
    expect(none).toMatchObject({ claims: 0, rows: [], spread: null })
  })
})

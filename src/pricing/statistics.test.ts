import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentile, statistic, WeightedValues } from './statistics.ts'

const distributionOf = (pairs: readonly (readonly [dollars: number, weight: number])[]) => {
  const values = new WeightedValues()
  for (const [dollars, weight] of pairs) values.add(Math.round(dollars * 10_000), weight)
  return values.distribution()
}
const none = { entries: 0, distinctRates: 0, distinctNpis: 0, distinctTins: 0 }

describe('statistics', () => {
  it('interpolate percentiles between neighbours', () => {
    expect(
      percentile(
        distributionOf([
          [400, 1],
          [100, 1],
          [800, 1],
          [200, 1],
        ]),
        25,
      ),
    ).toBe(175)
    expect(
      percentile(
        distributionOf([
          [100, 2],
          [200.5, 2],
          [400.25, 2],
        ]),
        25,
      ),
    ).toBe(125.125)
  })

  it('are the same whether values come weighted or one by one', () => {
    const pair = fc.tuple(fc.integer({ min: 1, max: 2_000_000_000_000 }), fc.integer({ min: 1, max: 5 }))
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 99 }),
        (pairs, rank) => {
          const [weighted, single] = [new WeightedValues(), new WeightedValues()]
          for (const [value, weight] of pairs) {
            weighted.add(value, weight)
            for (let i = 0; i < weight; i++) single.add(value, 1)
          }
          const [one, other] = [weighted.distribution(), single.distribution()]
          expect(percentile(one, rank)).toBe(percentile(other, rank))
          expect(statistic('avg_rate', one, none)).toBe(statistic('avg_rate', other, none))
        },
      ),
    )
  })

  it('never drift: a billion entries of ten cents average ten cents', () => {
    expect(statistic('avg_rate', distributionOf([[0.1, 1_000_000_000]]), none)).toBe(0.1)
    expect(
      statistic(
        'avg_rate',
        distributionOf([
          [99_999_999.99, 1_000_000_000],
          [0.01, 1_000_000_000],
        ]),
        none,
      ),
    ).toBe(50_000_000)
  })

  it('have no value over nothing', () => {
    expect(statistic('median_rate', distributionOf([]), none)).toBeUndefined()
    expect(statistic('num_entries', distributionOf([]), none)).toBe(0)
  })
})

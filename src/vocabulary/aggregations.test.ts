import { expect, it } from 'vitest'
import {
  Aggregation,
  aggregationMeaning,
  aggregations,
  percentileRanks,
  plainAggregations,
} from './aggregations.ts'

const document = [
  1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 96, 97, 98, 99,
]
const others =
  'avg_rate median_rate max_rate min_rate num_distinct_rates num_distinct_npis num_distinct_tins num_entries'

it('are the 8 statistics and 27 percentiles of the document', () => {
  expect([...percentileRanks]).toEqual(document)
  expect(Object.keys(plainAggregations)).toEqual(others.split(' '))
  expect([...aggregations]).toEqual([...others.split(' '), ...document.map((rank) => `percentile_${rank}`)])
  expect(Aggregation.options).toHaveLength(35)
})

it('each say what they mean', () => {
  expect(aggregationMeaning('avg_rate')).toBe('Arithmetic mean of the rates of all entries')
  expect(aggregationMeaning('percentile_95')).toContain('95 %')
  expect(new Set(aggregations.map(aggregationMeaning)).size).toBe(35)
})

it('refuse a rank off the list with its neighbours', () => {
  expect(Aggregation.safeParse('percentile_51').error?.issues[0]?.message).toMatch(
    /^"percentile_51" is not an aggregation; nearest: "percentile_/,
  )
  for (const wrong of ['percentile_0', 'percentile_100', 'percentile_05', 'mean', 50])
    expect(Aggregation.safeParse(wrong).success).toBe(false)
})

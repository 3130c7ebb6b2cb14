import type { RateSummary } from '../operations/contract-model.ts'
import { halfUp } from '../vocabulary/amount.ts'
import { percentile, statistic, type Distribution } from '../pricing/statistics.ts'

/** Millionths of a dollar: what medians, means and percentiles of ten-thousandths need. */
export type Millionths = bigint

export const millionthsOf = (dollars: number): Millionths => BigInt(Math.round(dollars * 1_000_000))
export const dollarsOf = (amount: Millionths): number => Number(amount) / 1_000_000

/**
 * The SQL that makes several rates one, in ten-thousandths of a dollar. Exact: the mean is a quotient of whole numbers,
 * rounded half up to a millionth; the median lies between two whole numbers.
 */
export const summaryExpression = (summary: RateSummary, rate = 'negotiated_rate'): string =>
  ({
    min: `min(${rate})`,
    max: `max(${rate})`,
    median: `quantile_cont(${rate}::double, 0.5)`,
    avg: `((sum(${rate})::hugeint * 200 + count(${rate})) // (2 * count(${rate})))::double / 100`,
    modal: `list_sort(list_transform(map_entries(histogram(${rate})), lambda e: {n: -e.value::bigint, rate: e.key}))[1].rate`,
  })[summary]

const noCounts = { entries: 0, distinctRates: 0, distinctNpis: 0, distinctTins: 0 }

/** The same over a distribution; undefined where it is empty. */
export function summarised(rates: Distribution, summary: RateSummary): Millionths | undefined {
  if (rates.total === 0) return undefined
  if (summary === 'modal') {
    let best = 0
    for (let at = 1; at < rates.values.length; at++) if (rates.weights[at]! > rates.weights[best]!) best = at
    return BigInt(rates.values[best]!) * 100n
  }
  return millionthsOf(statistic(`${summary}_rate`, rates, noCounts)!)
}

/** A percentile of a distribution; undefined where it is empty. */
export const percentileOf = (rates: Distribution, rank: number): Millionths | undefined =>
  rates.total === 0 ? undefined : millionthsOf(percentile(rates, rank))

/**
 * Where a rate stands in a distribution, 0 to 100, to two decimals: the inverse of the percentile. A rate among several equal
 * ones takes the lowest place; beyond the ends it is 0 or 100. Undefined where there is nothing to compare with.
 */
export function percentileRank(rates: Distribution, rate: Millionths): number | undefined {
  const { values, weights, total } = rates
  if (total === 0) return undefined
  const at = (index: number) => BigInt(values[index]!) * 100n
  if (rate < at(0)) return 0
  if (rate > at(values.length - 1)) return 100
  if (total === 1) return undefined
  let below = 0
  let index = 0
  while (index + 1 < values.length && at(index + 1) <= rate) below += weights[index++]!
  const last = BigInt(total - 1)
  if (at(index) === rate) return hundredths(BigInt(below) * 10_000n, last)
  const place = BigInt(below + weights[index]! - 1)
  const gap = at(index + 1) - at(index)
  return hundredths((place * gap + (rate - at(index))) * 10_000n, last * gap)
}

/** A quotient rounded half up, as hundredths. */
const hundredths = (dividend: bigint, divisor: bigint) => Number(halfUp(dividend, divisor)) / 100

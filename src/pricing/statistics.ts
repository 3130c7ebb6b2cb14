import type { Aggregation } from '../vocabulary/aggregations.ts'

/** Values and how many entries have each, ascending and distinct. */
export interface Distribution {
  readonly values: Float64Array
  readonly weights: Float64Array
  readonly total: number
}

/** Values with weights, gathered in any order. */
export class WeightedValues {
  length = 0
  values = new Float64Array(16)
  weights = new Float64Array(16)

  add(value: number, weight: number): void {
    if (this.length === this.values.length) {
      const [values, weights] = [new Float64Array(this.length * 2), new Float64Array(this.length * 2)]
      values.set(this.values)
      weights.set(this.weights)
      this.values = values
      this.weights = weights
    }
    this.values[this.length] = value
    this.weights[this.length++] = weight
  }

  distribution(): Distribution {
    return distributionOf(this.values, this.weights, this.length)
  }
}

type Weights = Float64Array | Uint32Array

/** The first `length` values with their weights, sorted and summed up. */
export function distributionOf(values: Float64Array, weights: Weights, length: number): Distribution {
  let most = 0
  for (let i = 0; i < length; i++) if (values[i]! > most) most = values[i]!
  const span = 2 ** Math.ceil(Math.log2(length + 1))
  return (most + 1) * span <= Number.MAX_SAFE_INTEGER
    ? bySortedKeys(values, weights, length, span)
    : byMap(values, weights, length)
}

// Value and place as one number each, so that the native sort of numbers carries the weights along. Values are not negative.
function bySortedKeys(values: Float64Array, weights: Weights, length: number, span: number): Distribution {
  const keys = new Float64Array(length)
  for (let i = 0; i < length; i++) keys[i] = values[i]! * span + i
  keys.sort()
  const distinct = new Float64Array(length)
  const sums = new Float64Array(length)
  let count = 0
  let total = 0
  for (let i = 0; i < length; i++) {
    // `%` on large numbers is many times slower.
    const at = keys[i]! - Math.floor(keys[i]! / span) * span
    const value = values[at]!
    if (count === 0 || distinct[count - 1] !== value) distinct[count++] = value
    sums[count - 1]! += weights[at]!
    total += weights[at]!
  }
  return { values: distinct.subarray(0, count), weights: sums.subarray(0, count), total }
}

function byMap(values: Float64Array, weights: Weights, length: number): Distribution {
  const sums = new Map<number, number>()
  let total = 0
  for (let i = 0; i < length; i++) {
    sums.set(values[i]!, (sums.get(values[i]!) ?? 0) + weights[i]!)
    total += weights[i]!
  }
  const distinct = Float64Array.from(sums.keys()).sort()
  return { values: distinct, weights: Float64Array.from(distinct, (value) => sums.get(value)!), total }
}

/** Counts that a group has besides its rates. */
export interface GroupCounts {
  readonly entries: number
  readonly distinctRates: number
  readonly distinctNpis: number
  readonly distinctTins: number
}

const countOf: Partial<Record<Aggregation, (counts: GroupCounts) => number>> = {
  num_entries: ({ entries }) => entries,
  num_distinct_rates: ({ distinctRates }) => distinctRates,
  num_distinct_npis: ({ distinctNpis }) => distinctNpis,
  num_distinct_tins: ({ distinctTins }) => distinctTins,
}

const rateOf: Partial<Record<Aggregation, (rates: Distribution) => number>> = {
  min_rate: ({ values }) => values[0]! / 10_000,
  max_rate: ({ values }) => values.at(-1)! / 10_000,
  avg_rate: (rates) => mean(rates),
  median_rate: (rates) => percentile(rates, 50),
}

/** A statistic of a group as a JSON number; undefined where it has no rates to take it over. */
export function statistic(
  aggregation: Aggregation,
  rates: Distribution,
  counts: GroupCounts,
): number | undefined {
  const count = countOf[aggregation]
  if (count) return count(counts)
  if (rates.total === 0) return undefined
  return rateOf[aggregation]?.(rates) ?? percentile(rates, Number(aggregation.slice('percentile_'.length)))
}

const millionths = 1_000_000

/** The mean, exact until it is rounded half up to a millionth of a dollar. */
function mean({ values, weights, total }: Distribution): number {
  let sum = 0n
  let small = 0
  for (let i = 0; i < values.length; i++) {
    const product = values[i]! * weights[i]!
    if (small + product <= Number.MAX_SAFE_INTEGER) small += product
    else {
      sum += BigInt(small) + BigInt(values[i]!) * BigInt(weights[i]!)
      small = 0
    }
  }
  sum += BigInt(small)
  const count = BigInt(total)
  return Number((sum * 200n + count) / (count * 2n)) / millionths
}

/** Linear interpolation between the two order statistics around (n - 1) p: exact to a millionth, which is all that hundredths of ten-thousandths need. */
export function percentile({ values, weights, total }: Distribution, rank: number): number {
  const hundredths = (total - 1) * rank
  const below = Math.floor(hundredths / 100)
  const part = hundredths - below * 100
  let passed = 0
  let i = 0
  while (passed + weights[i]! <= below) passed += weights[i++]!
  const low = values[i]!
  const high = part > 0 && passed + weights[i]! <= below + 1 ? values[i + 1]! : low
  return (low * (100 - part) + high * part) / millionths
}

import type { ComparedSubjects } from './compared-subjects.ts'
import { distinctByGroup, distinctProviders } from './distinct-providers.ts'
import type { GroupValues } from './groups.ts'
import type { Pool, PoolPart } from './pools.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { distributionOf, WeightedValues, type Distribution, type GroupCounts } from './statistics.ts'
import type { Turns } from './turns.ts'

/** A group of an answer, ready for any aggregation. */
export interface PoolStatistics {
  readonly values: GroupValues
  /** Rates, or percents of Medicare where they are compared. */
  readonly rates: Distribution
  readonly counts: GroupCounts
  /** Entries that have a Medicare amount. */
  readonly compared: number
}

/** Counts and distributions of a pool: one group, or one per value of the directory fields asked for. */
export async function poolStatistics(
  pool: Pool,
  keys: ProviderKeys | undefined,
  compared: ComparedSubjects | undefined,
  distinct: boolean,
  turns: Turns,
): Promise<PoolStatistics[]> {
  return keys ? splitPool(pool, keys, compared, distinct, turns) : wholePool(pool, distinct, turns)
}

async function wholePool(pool: Pool, distinct: boolean, turns: Turns): Promise<PoolStatistics[]> {
  const [only, ...others] = pool.parts
  if (!only) return []
  const rates = others.length === 0 ? distributionOf(only.rate, only.count, only.length) : pooled(pool)
  if (rates.total === 0) return []
  const { npis, tins } = distinct ? await distinctProviders(pool, turns) : { npis: 0, tins: 0 }
  return [
    {
      values: pool.values,
      rates,
      counts: {
        entries: rates.total,
        distinctRates: rates.values.length,
        distinctNpis: npis,
        distinctTins: tins,
      },
      compared: 0,
    },
  ]
}

function pooled(pool: Pool): Distribution {
  const length = pool.parts.reduce((sum, part) => sum + part.length, 0)
  const [rates, counts] = [new Float64Array(length), new Uint32Array(length)]
  let at = 0
  for (const part of pool.parts) {
    rates.set(part.rate.subarray(0, part.length), at)
    counts.set(part.count.subarray(0, part.length), at)
    at += part.length
  }
  return distributionOf(rates, counts, length)
}

/** Dollars and percents of one group. */
class Split {
  readonly dollars = new WeightedValues()
  readonly percents = new WeightedValues()
}

const rowsPerTurn = 512

async function splitPool(
  pool: Pool,
  keys: ProviderKeys,
  compared: ComparedSubjects | undefined,
  distinct: boolean,
  turns: Turns,
): Promise<PoolStatistics[]> {
  const splits = new Map<number, Split>()
  for (const part of pool.parts) {
    const counted = new SetKeys(part, keys)
    const { rate, set, subject } = part
    for (let row = 0; row < part.length; row++) {
      if (row % rowsPerTurn === 0) await turns.pause()
      for (const [key, count] of counted.of(set[row]!)) {
        const group = keys.groupOf(key)
        let split = splits.get(group)
        if (!split) splits.set(group, (split = new Split()))
        split.dollars.add(rate[row]!, count)
        const percent = compared?.percent(rate[row]!, subject[row]!, keys.localityOf(key))
        if (percent !== undefined) split.percents.add(percent, count)
      }
    }
  }
  const providers = distinct ? await distinctByGroup(pool, keys, turns) : undefined
  return [...splits].map(([group, { dollars, percents }]) => {
    const rates = dollars.distribution()
    const shown = compared ? percents.distribution() : rates
    const { npis, tins } = providers?.get(group) ?? { npis: 0, tins: 0 }
    return {
      values: { ...pool.values, ...keys.values(group) },
      rates: shown,
      counts: {
        entries: rates.total,
        distinctRates: rates.values.length,
        distinctNpis: npis,
        distinctTins: tins,
      },
      compared: compared ? shown.total : 0,
    }
  })
}

/** How many entries of each set fall under each key. */
class SetKeys {
  private readonly part: PoolPart
  private readonly keys: ProviderKeys
  private readonly known = new Map<number, readonly (readonly [key: number, count: number])[]>()

  constructor(part: PoolPart, keys: ProviderKeys) {
    this.part = part
    this.keys = keys
  }

  of(set: number): readonly (readonly [key: number, count: number])[] {
    let counts = this.known.get(set)
    if (!counts) {
      const byKey = new Map<number, number>()
      // Atoms of a set are distinct and share no pair: each pair is visited once.
      this.part.cohort.eachPair(Uint32Array.of(set), (rank) => {
        const key = this.keys.keyOf(rank)
        byKey.set(key, (byKey.get(key) ?? 0) + 1)
      })
      counts = [...byKey]
      this.known.set(set, counts)
    }
    return counts
  }
}

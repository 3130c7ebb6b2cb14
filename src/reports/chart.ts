import type { ResponseOf } from '../operations/operation.ts'
import type { reportInteractiveChart } from '../operations/report-views.ts'
import type { Distribution } from '../pricing/statistics.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import { marksOf, partiesOf, rateGroups, type RateGroup } from './groups.ts'
import type { Look } from './look.ts'
import { dollarsOf, percentileOf, summarised } from './rate-summary.ts'
import type { ViewRequest } from './view-request.ts'

type Chart = Omit<ResponseOf<typeof reportInteractiveChart>, 'leftOut'>
type Request = ViewRequest<typeof reportInteractiveChart>

const groupsMost = 20_000
const scale = 10_000

/** Distributions by a dimension, those with most entries first, over bins that all of them share. */
export async function chart(
  engine: Engine,
  look: Look,
  request: Request,
  options: QueryOptions,
): Promise<Chart> {
  const { dimension, measure } = request
  const parties = partiesOf(request.config)
  const all: RateGroup[] = []
  for await (const group of rateGroups(
    engine,
    look,
    { keys: [dimension], measure, parties, groupsMost },
    options,
  ))
    all.push(group)
  const shown = all
    .toSorted((a, b) => b.all.total - a.all.total || order(a.key[0], b.key[0]))
    .slice(0, request.groupsMost)
  const lowest = Math.min(...shown.map(({ all }) => all.values[0]!))
  const highest = Math.max(...shown.map(({ all }) => all.values.at(-1)!))
  const width = (highest - lowest) / request.bins
  return {
    dimension,
    measure,
    edges:
      shown.length === 0
        ? []
        : Array.from({ length: request.bins + 1 }, (_, at) =>
            at === request.bins ? highest / scale : Math.round(lowest + width * at) / scale,
          ),
    groups: shown.map((group) => ({
      value: group.key[0]!,
      entries: group.all.total,
      min: group.all.values[0]! / scale,
      p10: percentileDollars(group.all, 10),
      p25: percentileDollars(group.all, 25),
      p50: percentileDollars(group.all, 50),
      p75: percentileDollars(group.all, 75),
      p90: percentileDollars(group.all, 90),
      max: group.all.values.at(-1)! / scale,
      avg: dollarsOf(summarised(group.all, 'avg')!),
      histogram: histogram(group.all, lowest, width, request.bins),
      marks: marksOf(group, parties),
    })),
    groupsTotal: all.length,
  }
}

const percentileDollars = (rates: Distribution, rank: number) => dollarsOf(percentileOf(rates, rank)!)

/** Entries in each bin. Edges are rounded to ten-thousandths, as they are shown. */
export function histogram(
  { values, weights }: Distribution,
  lowest: number,
  width: number,
  bins: number,
): number[] {
  const counts = Array.from({ length: bins }, () => 0)
  let bin = 0
  for (const [at, value] of values.entries()) {
    while (bin < bins - 1 && value >= Math.round(lowest + width * (bin + 1))) bin++
    counts[bin]! += weights[at]!
  }
  return counts
}

const order = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)

import type { ResponseOf } from '../operations/operation.ts'
import type { reportPercentile } from '../operations/report-views.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import { marksOf, partiesOf, rateGroups } from './groups.ts'
import type { Look } from './look.ts'
import { dollarsOf, percentileOf, summarised } from './rate-summary.ts'
import type { ViewRequest } from './view-request.ts'

const groupsMost = 20_000
const scale = 10_000

/** Percentiles by group, and where you and your competitors stand among them. */
export async function percentiles(
  engine: Engine,
  look: Look,
  request: ViewRequest<typeof reportPercentile>,
  options: QueryOptions,
): Promise<Omit<ResponseOf<typeof reportPercentile>, 'leftOut'>> {
  const { groupBy, measure } = request
  const parties = partiesOf(request.config)
  const ranks = [...new Set(request.percentiles)]
  const rows = []
  for await (const group of rateGroups(
    engine,
    look,
    { keys: groupBy, measure, parties, groupsMost },
    options,
  ))
    rows.push({
      key: [...group.key],
      entries: group.all.total,
      min: group.all.values[0]! / scale,
      max: group.all.values.at(-1)! / scale,
      avg: dollarsOf(summarised(group.all, 'avg')!),
      percentiles: Object.fromEntries(
        ranks.map((rank) => [`p${rank}`, dollarsOf(percentileOf(group.all, rank)!)]),
      ),
      marks: marksOf(group, parties),
    })
  return { groupBy, rows }
}

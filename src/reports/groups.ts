import { Failure } from '../errors.ts'
import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import { columnOf, type ReportColumnId } from '../operations/report-columns.ts'
import type { Mark, Measure } from '../operations/report-view.ts'
import { WeightedValues, type Distribution } from '../pricing/statistics.ts'
import { u32s, u64s, type Engine, type QueryOptions } from '../warehouse/engine.ts'
import type { Look } from './look.ts'
import { dollarsOf, percentileRank, summarised } from './rate-summary.ts'

export type KeyValue = string | number | null

/** Some of the rows of a group: yours, or a competitor's. */
export interface Party {
  readonly id: string
  readonly label: string
  readonly tins: readonly number[]
  readonly aggregation: 'max' | 'median' | 'avg' | 'min' | 'modal'
}

/** Rates of one group, all of them and those of each party. */
export interface RateGroup {
  readonly key: readonly KeyValue[]
  readonly all: Distribution
  readonly parties: readonly Distribution[]
}

export const yours = 'yours'
export const competitorId = (id: string) => `competitor_${id}`

/** You and your competitors, as a configuration names them. */
export function partiesOf(config: SavedContractModelConfig | undefined): Party[] {
  const own = config?.yourTins ?? []
  return [
    ...(own.length > 0
      ? [
          {
            id: yours,
            label: 'Your TINs',
            tins: own.map(({ value }) => value),
            aggregation: 'median' as const,
          },
        ]
      : []),
    ...(config?.competitorColumns ?? []).map(({ id, label, tins, aggregation }) => ({
      id: competitorId(id),
      label,
      tins: tins.map(({ value }) => value),
      aggregation,
    })),
  ]
}

export interface GroupsQuestion {
  readonly keys: readonly ReportColumnId[]
  readonly measure?: Measure | 'medicare_rate'
  readonly parties?: readonly Party[]
  readonly groupsMost: number
}

/**
 * The rates of used rows by group, in the order of the keys (nulls first), one group at a time. The engine counts how often each rate occurs;
 * statistics are then taken over the counts, exactly as market benchmarks take them.
 */
export async function* rateGroups(
  engine: Engine,
  look: Look,
  { keys, measure = 'negotiated_rate', parties = [], groupsMost }: GroupsQuestion,
  options: QueryOptions,
): AsyncGenerator<RateGroup> {
  const values = [...look.parameters.values]
  const masks = new Map<number, number>()
  for (const [at, { tins }] of parties.entries())
    for (const tin of tins) masks.set(tin, (masks.get(tin) ?? 0) | (1 << at))
  const names = keys.map((_, at) => `k${at}`)
  const counts = parties.map((_, at) => `count(*) filter (where (m.mask & ${1 << at}) <> 0)`)
  let members = ''
  if (parties.length > 0) {
    const tins = `$${values.push(u64s([...masks.keys()]))}`
    const bits = `$${values.push(u32s([...masks.values()]))}`
    members = `left join (select unnest(${tins})::bigint as tin, unnest(${bits}) as mask) m on m.tin = u.tin`
  }
  const statement = look.sql(`
    select ${[...keys.map((key, at) => `u.${key} as k${at}`), `u.${measure} as value`, 'count(*) as n', ...counts].join(', ')}
    from used u ${members}
    where u.${measure} is not null
    group by ${[...keys.map((key) => `u.${key}`), `u.${measure}`].join(', ')}
    order by ${[...names.map((name) => `${name} nulls first`), 'value'].join(', ')}`)
  const isNumber = keys.map((key) => columnOf(key).kind === 'number')
  let open: { key: KeyValue[]; all: WeightedValues; parties: WeightedValues[] } | undefined
  let groups = 0
  for await (const columns of engine.columns(statement, values, options)) {
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      const key = keys.map((_, at) => {
        const value = columns[at]![row]
        return value === null ? null : isNumber[at] ? Number(value) : (value as string)
      })
      if (!open || open.key.some((value, at) => value !== key[at])) {
        if (open) yield closed(open)
        if (++groups > groupsMost)
          throw new Failure(
            'query_too_wide',
            `The answer has more than ${groupsMost.toLocaleString('en-US')} groups. Group by fewer columns, or filter.`,
          )
        open = { key, all: new WeightedValues(), parties: parties.map(() => new WeightedValues()) }
      }
      const value = Number(columns[keys.length]![row])
      open.all.add(value, Number(columns[keys.length + 1]![row]))
      for (const [at, party] of open.parties.entries()) {
        const count = Number(columns[keys.length + 2 + at]![row])
        if (count > 0) party.add(value, count)
      }
    }
  }
  if (open) yield closed(open)
}

const closed = (open: { key: KeyValue[]; all: WeightedValues; parties: WeightedValues[] }): RateGroup => ({
  key: open.key,
  all: open.all.distribution(),
  parties: open.parties.map((party) => party.distribution()),
})

/** Where each party stands within a group. */
export function marksOf(group: RateGroup, parties: readonly Party[]): Mark[] {
  return parties.map(({ id, label, aggregation }, at) => {
    const rates = group.parties[at]!
    const rate = summarised(rates, aggregation)
    return {
      id,
      label,
      rate: rate === undefined ? null : dollarsOf(rate),
      entries: rates.total,
      min: rates.total === 0 ? null : rates.values[0]! / 10_000,
      max: rates.total === 0 ? null : rates.values.at(-1)! / 10_000,
      percentileRank: rate === undefined ? null : (percentileRank(group.all, rate) ?? null),
    }
  })
}

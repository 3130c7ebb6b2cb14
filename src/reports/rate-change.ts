import { Failure } from '../errors.ts'
import type { ResponseOf } from '../operations/operation.ts'
import { halfUp } from '../vocabulary/amount.ts'
import { columnOf } from '../operations/report-columns.ts'
import type { reportRateChange } from '../operations/report-views.ts'
import { i64, text, texts, u64, type Engine, type QueryOptions } from '../warehouse/engine.ts'
import type { Look } from './look.ts'
import { summaryExpression } from './rate-summary.ts'
import type { ViewRequest } from './view-request.ts'

type Changes = ResponseOf<typeof reportRateChange>
type Status = Changes['rows'][number]['status']

/** Two months of a report beside each other, a page at a time. */
export async function rateChange(
  engine: Engine,
  look: Look,
  request: ViewRequest<typeof reportRateChange>,
  months: readonly string[],
  { start, size }: { readonly start: number; readonly size: number },
  options: QueryOptions,
): Promise<Omit<Changes, 'leftOut' | 'nextCursor'>> {
  const { groupBy, aggregation, statuses } = request
  const from = request.from ?? months[0] ?? null
  const to = request.to ?? months.at(-1) ?? null
  for (const [path, month] of [
    ['from', request.from],
    ['to', request.to],
  ] as const)
    if (month !== undefined && !months.includes(month)) {
      const message = `the report has ${months.join(', ') || 'no month'}`
      throw new Failure('invalid_request', `${path}: ${message}`, { problems: [{ path, message }] })
    }
  const none = { increased: 0, decreased: 0, unchanged: 0, new: 0, gone: 0 }
  if (from === null || to === null || from === to) {
    if (months.length >= 2 || (request.from ?? request.to) !== undefined) {
      const message = 'compare two different months'
      throw new Failure('invalid_request', `to: ${message}`, { problems: [{ path: 'to', message }] })
    }
    return { from, to: null, groupBy, summary: none, rows: [], totalRows: 0 }
  }
  const values = [...look.parameters.values]
  const bound = (value: (typeof values)[number]) => `$${values.push(value)}`
  const [old, young] = [bound(text(from)), bound(text(to))]
  // Rates in millionths of a dollar, so that means and medians stay whole.
  const rate = (month: string) =>
    `round((${summaryExpression(aggregation)} filter (where year_month = ${month}))::double * 100)::bigint`
  const summary = (month: string) =>
    aggregation === 'avg' || aggregation === 'modal'
      ? `round((${filtered(aggregation, month)})::double * 100)::bigint`
      : rate(month)
  const steps = `
    compared as (
      select ${groupBy.map((key, at) => `${key} as k${at}`).join(', ')}${groupBy.length > 0 ? ',' : ''}
        ${summary(old)} as old_rate, ${summary(young)} as new_rate,
        count(*) filter (where year_month = ${old}) as old_entries,
        count(*) filter (where year_month = ${young}) as new_entries
      from used where year_month in (${old}, ${young})
      ${groupBy.length > 0 ? `group by ${groupBy.join(', ')}` : 'having count(*) > 0'}),
    changes as (
      select *, new_rate - old_rate as change,
        case when old_rate is null then 'new' when new_rate is null then 'gone'
          when new_rate > old_rate then 'increased' when new_rate < old_rate then 'decreased' else 'unchanged' end as status
      from compared)`
  const counted = await engine.rows<{ status: Status; n: bigint }>(
    look.sql('select status, count(*) as n from changes group by status', steps),
    values,
    options,
  )
  const totals = { ...none, ...Object.fromEntries(counted.map(({ status, n }) => [status, Number(n)])) }
  const kept = statuses && statuses.length > 0 ? statuses : (Object.keys(none) as Status[])
  const keys = groupBy.map((_, at) => `k${at} nulls first`)
  const order = {
    key: keys,
    change: ['change desc nulls last', ...keys],
    changePercent: ['change::double / old_rate desc nulls last', ...keys],
  }[request.sort]
  const chosen = bound(texts(kept))
  const limit = bound(i64(size))
  const offset = bound(u64(start))
  const rows = await engine.rows<Record<string, string | bigint | null>>(
    look.sql(
      `select * from changes where status in (select unnest(${chosen}))
      ${order.length > 0 ? `order by ${order.join(', ')}` : ''} limit ${limit} offset ${offset}`,
      steps,
    ),
    values,
    options,
  )
  return {
    from,
    to,
    groupBy,
    summary: totals,
    rows: rows.map((row) => changeRow(row, groupBy)),
    totalRows: kept.reduce((sum, status) => sum + totals[status], 0),
  }
}

/** Means and modes are made of several aggregates: each takes the month's rates only. */
const filtered = (aggregation: 'avg' | 'modal', month: string) =>
  summaryExpression(aggregation, `(case when year_month = ${month} then negotiated_rate end)`)

function changeRow(
  row: Readonly<Record<string, string | bigint | null>>,
  groupBy: ViewRequest<typeof reportRateChange>['groupBy'],
): Changes['rows'][number] {
  const dollars = (name: string) => (row[name] === null ? null : Number(row[name]) / 1_000_000)
  const [old, change] = [row['old_rate'] as bigint | null, row['change'] as bigint | null]
  return {
    key: groupBy.map((column, at) => {
      const value = row[`k${at}`] ?? null
      return value === null ? null : columnOf(column).kind === 'number' ? Number(value) : String(value)
    }),
    status: row['status'] as Status,
    oldRate: dollars('old_rate'),
    newRate: dollars('new_rate'),
    change: dollars('change'),
    changePercent: old === null || change === null ? null : percentOf(change, old),
    oldEntries: Number(row['old_entries']),
    newEntries: Number(row['new_entries']),
  }
}

/** 100 × part / whole, rounded half away from zero to four decimals. */
export function percentOf(part: bigint, whole: bigint): number {
  const positive = part < 0n ? -part : part
  const rounded = halfUp(positive * 1_000_000n, whole)
  return Number(part < 0n ? -rounded : rounded) / 10_000
}

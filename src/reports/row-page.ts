import { Failure } from '../errors.ts'
import {
  columnOf,
  describedColumn,
  reportColumnIds,
  type ReportColumn,
  type ReportColumnId,
} from '../operations/report-columns.ts'
import type { rateAggregations } from '../operations/market-rates.ts'
import { i64, u64, type Engine, type QueryOptions } from '../warehouse/engine.ts'
import type { Look } from './look.ts'
import { summaryExpression } from './rate-summary.ts'

export type RowValue = string | number | null
export type DataRow = Record<string, RowValue>

export interface RowsQuestion {
  readonly columns?: readonly ReportColumnId[] | undefined
  readonly aggregatedColumns?: readonly ReportColumnId[] | undefined
  readonly rateAggregation: (typeof rateAggregations)[number]
  readonly sorts?: readonly { readonly id: string; readonly desc: boolean }[] | undefined
}

const scale = 10_000
const separator = '; '

const bestOf: ReportColumn = {
  id: 'best_of',
  label: 'Best of',
  kind: 'number',
  role: 'detail',
  description: 'How many rates of the same TIN, payer, code and context this is the highest of',
}
const entries: ReportColumn = {
  id: 'entries',
  label: 'Entries',
  kind: 'number',
  role: 'detail',
  description: 'How many rows were collapsed into this one',
}

/** Collapsed columns, with those that only describe them. */
export function collapsedColumns(asked: readonly ReportColumnId[]): Set<ReportColumnId> {
  const collapsed = new Set(asked)
  for (const id of reportColumnIds) {
    const { of } = columnOf(id)
    if (of !== undefined && collapsed.has(of as ReportColumnId)) collapsed.add(id)
  }
  return collapsed
}

/** The rows of a question as a relation: what is selected from what is used, its columns, and in which order. */
export class RowRelation {
  readonly columns: readonly ReportColumn[]
  readonly sql: string
  readonly order: string
  /** Whether rows are the report's own, in their own order: then a page begins after a row, not after so many. */
  readonly isPlain: boolean

  constructor(look: Look, question: RowsQuestion) {
    const asked = question.aggregatedColumns ?? []
    const isAggregated = asked.length > 0 || question.rateAggregation !== 'none'
    const chosen = question.columns ?? reportColumnIds
    if (isAggregated) {
      const collapsed = collapsedColumns(asked)
      const kept = reportColumnIds.filter((id) => columnOf(id).role === 'dimension' && !collapsed.has(id))
      const rate =
        question.rateAggregation === 'none' ? 'negotiated_rate' : summaryExpression(question.rateAggregation)
      const lists = [...collapsed].map(
        (id) => `string_agg(distinct ${id}::varchar, '${separator}' order by ${id}::varchar) as ${id}`,
      )
      // A row that hides its rate type must not mix dollars with percents.
      const dollars = collapsed.has('negotiated_type')
        ? "where negotiated_type not in ('percentage', 'per diem')"
        : ''
      const keys = [...kept, ...(question.rateAggregation === 'none' ? ['negotiated_rate'] : [])]
      this.sql = `(
        select ${[...kept, ...lists, `${rate} as negotiated_rate`, 'count(*) as entries', 'min("row") as "row"'].join(', ')}
        from used ${dollars}
        group by ${keys.join(', ')})`
      const shown = chosen.filter((id) => columnOf(id).role === 'dimension' || id === 'negotiated_rate')
      this.columns = [
        ...shown.map((id) =>
          collapsed.has(id) ? { ...describedColumn(id), kind: 'text' as const } : describedColumn(id),
        ),
        entries,
      ]
      this.isPlain = false
    } else {
      this.sql = 'used'
      this.columns = [...chosen.map(describedColumn), ...(look.isBest ? [bestOf] : [])]
      this.isPlain = (question.sorts ?? []).length === 0
    }
    const known = new Set([...this.columns.map(({ id }) => id), ...(isAggregated ? [] : reportColumnIds)])
    const sorts = (question.sorts ?? []).map(({ id, desc }, at) => {
      if (!known.has(id)) {
        const message = 'is no column of these rows'
        throw new Failure('invalid_request', `sorts[${at}].id: ${message}`, {
          problems: [{ path: `sorts[${at}].id`, message }],
        })
      }
      return `${id} ${desc ? 'desc' : 'asc'} nulls last`
    })
    this.order = [...sorts, '"row"'].join(', ')
  }

  get selected(): string {
    return [...this.columns.map(({ id }) => id), '"row"'].join(', ')
  }
}

/** A page of rows: after a row of the report, or after so many rows. Also where the next page begins, where there is one. */
export async function rowPage(
  engine: Engine,
  look: Look,
  relation: RowRelation,
  { from, size }: { readonly from: number; readonly size: number },
  options: QueryOptions,
): Promise<{ data: DataRow[]; next: number | undefined }> {
  const { values } = look.parameters
  const { isPlain, selected, sql, order } = relation
  const limit = `$${values.length + 1}`
  const place = `$${values.length + 2}`
  const rows = await engine.rows(
    look.sql(
      isPlain
        ? `select ${selected} from ${sql} where "row" >= ${place} order by ${order} limit ${limit}`
        : `select ${selected} from ${sql} order by ${order} limit ${limit} offset ${place}`,
    ),
    [...values, i64(size + 1), u64(from)],
    options,
  )
  const more = rows[size]
  const next = more === undefined ? undefined : isPlain ? Number(more['row']) : from + size
  return { data: rows.slice(0, size).map((row) => shownRow(relation.columns, row)), next }
}

/** How many rows a relation has. */
export async function rowCount(
  engine: Engine,
  look: Look,
  relation: RowRelation,
  options: QueryOptions,
): Promise<number> {
  const [row] = await engine.rows<{ total: bigint }>(
    look.sql(`select count(*) as total from ${relation.sql}`),
    look.parameters.values,
    options,
  )
  return Number(row!.total)
}

/** A row as JSON shows it: money as dollars, numbers as numbers. */
export function shownRow(columns: readonly ReportColumn[], row: Readonly<Record<string, unknown>>): DataRow {
  return Object.fromEntries(columns.map((column) => [column.id, shownValue(column, row[column.id])]))
}

export function shownValue({ kind }: Pick<ReportColumn, 'kind'>, value: unknown): RowValue {
  if (value === null || value === undefined) return null
  if (kind === 'text') return value as string
  return kind === 'number' ? Number(value) : Number(value) / scale
}

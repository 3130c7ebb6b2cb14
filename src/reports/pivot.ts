import { Failure } from '../errors.ts'
import type { ResponseOf } from '../operations/operation.ts'
import type { ReportColumnId } from '../operations/report-columns.ts'
import type { reportSummaryPivot } from '../operations/report-views.ts'
import { statistic, WeightedValues } from '../pricing/statistics.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import { rateGroups, type KeyValue } from './groups.ts'
import type { Look } from './look.ts'
import type { ViewRequest } from './view-request.ts'

type Pivot = Omit<ResponseOf<typeof reportSummaryPivot>, 'leftOut'>

const rowsMost = 10_000
const columnsMost = 200
const cellsMost = 500_000

/** Values of a measure while a cell gathers them. */
interface Cell {
  readonly rates: WeightedValues
}

/** A pivot table. A total is the measure over all the rows it stands for. */
export async function pivot(
  engine: Engine,
  look: Look,
  request: ViewRequest<typeof reportSummaryPivot>,
  options: QueryOptions,
): Promise<Pivot> {
  const { rows, columns, aggregation } = request
  const distinct = { num_distinct_npis: 'npi', num_distinct_tins: 'tin_value' }[aggregation as string]
  const values = distinct
    ? await distinctCounts(engine, look, [...rows, ...columns], rows.length, distinct, options)
    : await statistics(engine, look, request, options)
  const rowKeys = inOrder([...values.rows.keys()])
  const columnKeys = columns.length === 0 ? [] : inOrder([...values.columns.keys()])
  if (rowKeys.length > rowsMost || columnKeys.length > columnsMost)
    throw new Failure(
      'query_too_wide',
      `The pivot has ${rowKeys.length} rows and ${columnKeys.length} columns; it may have ${rowsMost} and ${columnsMost}. Choose other columns, or filter.`,
    )
  return {
    rowColumns: [...rows],
    columnColumns: [...columns],
    columnKeys: columnKeys.map(keyOf),
    rows: rowKeys.map((row) => ({
      key: keyOf(row),
      cells: columnKeys.map((column) => values.cells.get(`${row}${between}${column}`) ?? null),
      total: values.rows.get(row) ?? null,
    })),
    totals: { cells: columnKeys.map((column) => values.columns.get(column) ?? null), total: values.total },
  }
}

interface PivotValues {
  readonly cells: ReadonlyMap<string, number>
  readonly rows: ReadonlyMap<string, number>
  readonly columns: ReadonlyMap<string, number>
  readonly total: number | null
}

const between = '\u0001'
const textOf = (key: readonly KeyValue[]) => JSON.stringify(key)
const keyOf = (text: string) => JSON.parse(text) as KeyValue[]

async function statistics(
  engine: Engine,
  look: Look,
  { rows, columns, aggregation, measure }: ViewRequest<typeof reportSummaryPivot>,
  options: QueryOptions,
): Promise<PivotValues> {
  const cells = new Map<string, number>()
  const byRow = new Map<string, Cell>()
  const byColumn = new Map<string, Cell>()
  const total = new WeightedValues()
  const question = { keys: [...rows, ...columns], measure, groupsMost: cellsMost }
  const value = (rates: WeightedValues) => {
    const distribution = rates.distribution()
    const counts = {
      entries: distribution.total,
      distinctRates: distribution.values.length,
      distinctNpis: 0,
      distinctTins: 0,
    }
    return statistic(aggregation, distribution, counts)
  }
  for await (const { key, all } of rateGroups(engine, look, question, options)) {
    const row = textOf(key.slice(0, rows.length))
    const column = textOf(key.slice(rows.length))
    const cell = new WeightedValues()
    const parts = [cell, gathered(byRow, row), gathered(byColumn, column), total]
    for (const [at, rate] of all.values.entries()) for (const part of parts) part.add(rate, all.weights[at]!)
    cells.set(`${row}${between}${column}`, value(cell)!)
  }
  const finished = (cells: Map<string, Cell>) =>
    new Map([...cells].map(([key, { rates }]) => [key, value(rates)!]))
  return {
    cells,
    rows: finished(byRow),
    columns: finished(byColumn),
    total: total.length === 0 ? null : value(total)!,
  }
}

function gathered(cells: Map<string, Cell>, key: string): WeightedValues {
  let cell = cells.get(key)
  if (!cell) cells.set(key, (cell = { rates: new WeightedValues() }))
  return cell.rates
}

async function distinctCounts(
  engine: Engine,
  look: Look,
  keys: readonly ReportColumnId[],
  rows: number,
  counted: string,
  options: QueryOptions,
): Promise<PivotValues> {
  const row = keys.slice(0, rows)
  const column = keys.slice(rows)
  const sets = [keys, row, column, []].map((set) => `(${set.join(', ')})`)
  const bits = keys.length > 0 ? `grouping(${keys.join(', ')})` : '0'
  const found = await engine.rows(
    look.sql(`
      select ${[...keys, `${bits} as missing`, `count(distinct ${counted}) as value`].join(', ')}
      from used group by grouping sets (${sets.join(', ')})
      limit ${cellsMost}`),
    look.parameters.values,
    options,
  )
  const value = (raw: unknown): KeyValue =>
    raw === null ? null : typeof raw === 'bigint' ? Number(raw) : (raw as string)
  const of = (set: readonly ReportColumnId[], line: Record<string, unknown>) =>
    textOf(set.map((key) => value(line[key])))
  const isMissing = (line: Record<string, unknown>, set: readonly ReportColumnId[]) =>
    set.length > 0 &&
    set.every((key) => (Number(line['missing']) >> (keys.length - 1 - keys.indexOf(key))) & 1)
  const cells = new Map<string, number>()
  const byRow = new Map<string, number>()
  const byColumn = new Map<string, number>()
  let total: number | null = null
  for (const line of found) {
    const count = Number(line['value'])
    const noRow = isMissing(line, row)
    const noColumn = column.length === 0 || isMissing(line, column)
    if (noRow && noColumn) total = count
    else if (noColumn) byRow.set(of(row, line), count)
    else if (noRow) byColumn.set(of(column, line), count)
    else cells.set(`${of(row, line)}${between}${of(column, line)}`, count)
  }
  return { cells, rows: byRow, columns: byColumn, total }
}

/** Keys in text order, value by value. */
const inOrder = (keys: readonly string[]) =>
  keys.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    for (const [at, value] of one.entries()) {
      const [x, y] = [value, other[at]]
      if (x === y) continue
      if (typeof x === 'number' && typeof y === 'number') return x - y
      return String(x ?? '') < String(y ?? '') ? -1 : 1
    }
    return 0
  })

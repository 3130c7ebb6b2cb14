import { u64s, type Engine, type QueryOptions } from '../warehouse/engine.ts'
import type { Look } from './look.ts'
import { drawn, SeededRandom } from './random.ts'
import { RowRelation, rowCount, shownRow, type DataRow } from './row-page.ts'
import type { ReportColumn } from '../operations/report-columns.ts'

/** Rows drawn at random, in the order of the report; the same seed draws the same. */
export async function sample(
  engine: Engine,
  look: Look,
  { size, seed }: { readonly size: number; readonly seed: string },
  options: QueryOptions,
): Promise<{ columns: ReportColumn[]; data: DataRow[]; totalRows: number }> {
  const relation = new RowRelation(look, { rateAggregation: 'none' })
  const totalRows = await rowCount(engine, look, relation, options)
  const places = drawn(new SeededRandom(`sample ${seed}`), totalRows, size)
  const { values } = look.parameters
  const rows = await engine.rows(
    look.sql(`
      select ${relation.selected}
      from (select *, row_number() over (order by "row") - 1 as place from used)
      where place in (select unnest($${values.length + 1})::bigint)
      order by "row"`),
    [...values, u64s(places)],
    options,
  )
  return {
    columns: [...relation.columns],
    data: rows.map((row) => shownRow(relation.columns, row)),
    totalRows,
  }
}

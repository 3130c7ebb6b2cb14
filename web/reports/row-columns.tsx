import { type ReportColumn, reportColumnIds } from '../../src/operations/report-columns.ts'
import type { Column } from '../parts/table.tsx'
import { cellText, labelOf } from './columns.ts'

export type DataRow = Readonly<Record<string, string | number | boolean | null>>

/** Every column, to choose from, and those shown before anybody chose. */
export const columnOptions = reportColumnIds.map((value) => ({ value, label: labelOf(value) }))
export const columnsAtFirst = [
  'payer',
  'year_month',
  'billing_code',
  'negotiated_rate',
  'medicare_percent',
  'tin_name',
  'npi_name',
  'state',
  'billing_class',
  'negotiated_type',
  'modifiers',
  'networks',
]

const longTexts = new Set(['networks', 'plan_names', 'npi_name', 'tin_name', 'source_file', 'service_codes'])

/** The columns of a report's rows as a table shows them. */
export const tableColumns = (columns: readonly ReportColumn[], isSorted = true): Column<DataRow>[] =>
  columns.map(({ id, kind, label }) => ({
    key: id,
    title: label || labelOf(id),
    number: kind === 'dollars' || kind === 'percent',
    cell: (row) => {
      const value = row[id]
      const text = cellText(
        // A percentage is no amount of money.
        id === 'negotiated_rate' && row['negotiated_type'] === 'percentage' ? 'percent' : kind,
        value,
      )
      return longTexts.has(id) ? (
        <span className="clip" title={String(value ?? '')}>
          {text}
        </span>
      ) : (
        <span title={typeof value === 'number' ? String(value) : undefined}>{text}</span>
      )
    },
    ...(isSorted && { sort: (row: DataRow) => sortable(row[id]) }),
  }))

const sortable = (value: string | number | boolean | null | undefined) =>
  value === undefined || value === null ? null : typeof value === 'boolean' ? Number(value) : value

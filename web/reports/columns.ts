import { dimensionIds, reportColumns } from '../../src/operations/report-columns.ts'
import { countText, moneyText, percentText } from '../parts/format.ts'
import type { Column } from '../parts/table.tsx'
import type { Option } from '../parts/type-ahead.tsx'

interface Meaning {
  readonly label: string
  readonly kind: string
}

const known = reportColumns as Readonly<Record<string, Meaning>>

/** The heading of a report's column. */
export const labelOf = (id: string) => known[id]?.label ?? id

/** What rows can be grouped by, as a list to choose from. */
export const dimensionOptions: readonly Option[] = dimensionIds.map((id) => ({
  value: id,
  label: labelOf(id),
}))

export const keyText = (value: string | number | null) => (value === null ? '–' : String(value))

/** The columns that say which group a row is. */
export const keyColumns = <Row extends { readonly key: readonly (string | number | null)[] }>(
  ids: readonly string[],
): Column<Row>[] =>
  ids.map((id, at) => ({
    key: id,
    title: labelOf(id),
    cell: ({ key }) => keyText(key[at] ?? null),
    sort: ({ key }) => key[at] ?? null,
  }))

/** A cell of a report's row, formatted for reading. */
export function cellText(kind: string, value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value !== 'number') return String(value)
  return kind === 'dollars' ? moneyText(value) : kind === 'percent' ? percentText(value) : String(value)
}

/** A statistic of the chosen measure. */
export const measureText =
  (measure: string, aggregation = '') =>
  (value: number) =>
    aggregation.startsWith('num_')
      ? countText(value)
      : measure === 'medicare_percent'
        ? percentText(value)
        : moneyText(value)

export const measureOptions = [
  { value: 'negotiated_rate', label: 'Dollars' },
  { value: 'medicare_percent', label: 'Percent of Medicare' },
]

/** How several rates become one. */
export const summaryOptions = [
  { value: 'median', label: 'Median' },
  { value: 'avg', label: 'Mean' },
  { value: 'max', label: 'Highest' },
  { value: 'min', label: 'Lowest' },
  { value: 'modal', label: 'Most frequent' },
]

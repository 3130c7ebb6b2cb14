import { dimensionIds, reportColumns } from '../../src/operations/report-columns.ts'
import { countText, moneyText, percentText } from '../parts/format.ts'
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

import type { Mark } from '../../src/operations/report-view.ts'

/** A marked rate and where it stands: `$212.00 (p44)`. */
export function rankText(mark: Mark | undefined, text: (value: number) => string): string {
  if (!mark || mark.rate === null) return '–'
  return mark.percentileRank === null
    ? text(mark.rate)
    : `${text(mark.rate)} (p${Math.round(mark.percentileRank)})`
}

import { sourceMonthFromText, type SourceMonth } from '../vocabulary/source-month.ts'
import { addressName, isUrl } from '../files/address.ts'

/** What may say for which month a file was published, the most trusted first. */
export interface MonthHints {
  /** What the operator said. */
  readonly given?: SourceMonth | undefined
  /** Address or path of the index that lists the file. */
  readonly index?: string | undefined
  /** Address or path of the file. */
  readonly file?: string | undefined
  /** `last_updated_on` of the file. */
  readonly lastUpdatedOn?: string | undefined
}

export interface DecidedMonth {
  readonly month: SourceMonth | undefined
  /** What said so, in words. */
  readonly by: string
  /** A sentence where the hints disagree. */
  readonly disagreement?: string
}

/** The source month of a file, from the most trusted hint there is. */
export function decidedMonth(hints: MonthHints): DecidedMonth {
  const votes = [
    { by: '--month', month: hints.given },
    { by: 'the name of the index', month: hints.index && monthOfName(hints.index) },
    { by: 'the name of the file', month: hints.file && monthOfName(hints.file) },
    { by: 'last_updated_on', month: hints.lastUpdatedOn && monthOfDate(hints.lastUpdatedOn) },
  ].filter((vote): vote is { by: string; month: SourceMonth } => Boolean(vote.month))
  const [first, ...others] = votes
  if (first === undefined) return { month: undefined, by: 'nothing' }
  const against = others.filter(({ month }) => month !== first.month)
  if (against.length === 0) return first
  const list = against.map(({ by, month }) => `${by} says ${month}`).join(', ')
  return { ...first, disagreement: `${first.by} says ${first.month}, ${list}` }
}

/** The month in a file name such as `2024-10-21_payer_index.json`, `2025-08_rates.json` or `rates_08-01-2025.json`; else in its folders. */
export function monthOfName(address: string): SourceMonth | undefined {
  const path = isUrl(address) && URL.canParse(address) ? new URL(address).pathname : address
  const folders = path.split('/').slice(0, -1).reverse()
  for (const part of [addressName(address), ...folders]) {
    const [, year, month] =
      /(?<!\d)(20[2-9]\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?(?!\d)/.exec(part) ?? []
    if (year && month) return sourceMonthFromText(year + month)
    const [, other, otherYear] =
      /(?<!\d)(0[1-9]|1[0-2])[-_.](?:(?:0[1-9]|[12]\d|3[01])[-_.])?(20[2-9]\d)(?!\d)/.exec(part) ?? []
    if (other && otherYear) return sourceMonthFromText(otherYear + other)
  }
  return undefined
}

/** The month of a date in the forms that payers write: 2026-05-01, 5/1/2026, 20260501. */
export function monthOfDate(text: string): SourceMonth | undefined {
  const [, year, month] = /^\s*(20\d\d)[-/.]?(\d{1,2})(?:[-/.]?\d{1,2})?(?:[T ].*)?\s*$/.exec(text) ?? []
  if (year && month) return sourceMonthFromText(year + month.padStart(2, '0'))
  const [, first, last] = /^\s*(\d{1,2})[-/.]\d{1,2}[-/.](20\d\d)\s*$/.exec(text) ?? []
  return first && last ? sourceMonthFromText(last + first.padStart(2, '0')) : undefined
}

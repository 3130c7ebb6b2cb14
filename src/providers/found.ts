import type { FacetTest } from '../search/columns.ts'
import { match } from '../search/match.ts'
import type { OpenedIndex } from '../search/opened-index.ts'
import type { NameFields } from '../search/rank.ts'

/** What identifiers a term may begin, and where to look for it. */
export interface Lookup {
  readonly index: OpenedIndex
  readonly filters: readonly FacetTest[]
  readonly limit: number
  readonly typing: boolean
}

/** Beginnings shorter than this are sought in rank order; longer ones in the order of identifiers, of which few are left. */
const scanDigitsMax = 5
const rangeMost = 20_000

/** Rows whose own number, `length` digits long, begins with these digits, the highest ranked first. */
export function rowsOfDigits({ index, filters, limit }: Lookup, digits: string, length: number): number[] {
  // Nine digits may begin with zeroes; an NPI does not.
  if (digits.length > length || (length > 9 && digits.startsWith('0'))) return []
  const wide = 10 ** (length - digits.length)
  const from = Number(digits) * wide
  const through = from + wide - 1
  if (digits.length <= scanDigitsMax) return index.keys.rowsBetween(from, through, limit, passing(filters))
  return index
    .rowsBetween(from, through, rangeMost)
    .filter(passing(filters))
    .sort((a, b) => a - b)
    .slice(0, limit)
}

/** Rows to which an identifier with this beginning leads, the highest ranked first. */
export function rowsOfCode({ index, filters, limit }: Lookup, code: string, whole: boolean): number[] {
  const found = whole ? index.rowsOfCode(code, rangeMost) : index.rowsOfCodePrefix(code, rangeMost)
  return [...new Set(found)]
    .filter(passing(filters))
    .sort((a, b) => a - b)
    .slice(0, limit)
}

/** Rows whose names fit the words. */
export function rowsOfName(
  { index, filters, limit, typing }: Lookup,
  text: string,
  fields: NameFields,
): number[] {
  if (!fields.display && !fields.others) return []
  return match(index, { text, filters, fields, limit, typing }).map(({ row }) => row)
}

/** Rows that pass the filters, in rank order. */
export function rowsOfFilters({ index, filters, limit }: Lookup): number[] {
  if (filters.some(({ count }) => count === 0)) return []
  return index.columns.rowsThat(passing(filters), limit)
}

export const passing = (filters: readonly FacetTest[]) => (row: number) =>
  filters.every((filter) => filter.passes(row))

/** The filters that a request names; one left out or empty asks for nothing. */
export function filtersOf(
  index: OpenedIndex,
  wanted: Readonly<Record<string, readonly string[] | undefined>>,
): FacetTest[] {
  return Object.entries(wanted).flatMap(([facet, values]) =>
    values === undefined || values.length === 0 ? [] : [index.columns.test(facet, values)],
  )
}

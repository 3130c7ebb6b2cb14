import type { Findings } from './findings.ts'
import type { FileHead } from './text-file.ts'

/** A column that a file should have: how its heading reads, in plain capitals. */
export interface ColumnWish {
  readonly is: RegExp
  readonly not?: RegExp
  /** Without it the file says nothing to us. */
  readonly required?: boolean
}

/** Where the wished columns stand, and on which record the data begin. */
export interface Header<Name extends string> {
  readonly at: Readonly<Partial<Record<Name, number>>>
  readonly firstRow: number
  /** Heading of each column as it was read. */
  readonly headings: readonly string[]
}

/** Capitals and digits, single spaces: `non_fac_pe_rvu`, `NON-FAC PE RVU` and a heading stacked over lines read the same. */
export const plainHeading = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9%]+/g, ' ')
    .trim()

const stackMax = 6

/**
 * Finds the heading row of a delimited file: the first on which every required column is found, read alone or stacked
 * with the rows above it (CMS spreads headings over five lines). Undefined where there is none.
 */
export function headerOf<Name extends string>(
  head: FileHead,
  wishes: Readonly<Record<Name, ColumnWish>>,
): Header<Name> | undefined {
  for (const { index, headings } of headingRows(head)) {
    const at = placesOf(headings, wishes)
    if (at !== undefined) return { at, firstRow: index + 1, headings }
  }
  return undefined
}

/** Every row as headings, alone and stacked with the rows above it. */
function* headingRows(head: FileHead): Generator<{ index: number; headings: string[] }> {
  const rows = head.records.map(({ cells }) => cells.map(plainHeading))
  for (const [index, row] of rows.entries()) {
    if (row.filter((cell) => cell !== '').length < 2) continue
    for (const depth of [0, stackMax]) {
      const headings = row.map((_, column) =>
        rows
          .slice(Math.max(0, index - depth), index + 1)
          .map((above) => above[column] ?? '')
          .filter((cell) => cell !== '')
          .join(' '),
      )
      yield { index, headings }
    }
  }
}

/** A heading row that has most of the columns of a kind of file, and those that it lacks. */
export interface NearHeader {
  readonly missing: readonly string[]
  /** Of the required columns, how many it has. */
  readonly share: number
  readonly line: number
  /** Headings of no known column: one of them may be what was renamed. */
  readonly others: readonly string[]
}

const nearShare = 0.5
const nearLeast = 2

/** The row that comes nearest to a heading row; undefined where none has half of the required columns. */
export function nearHeaderOf(
  head: FileHead,
  wishes: Readonly<Record<string, ColumnWish>>,
): NearHeader | undefined {
  const required = Object.keys(wishes).filter((name) => wishes[name]?.required === true)
  let nearest: NearHeader | undefined
  for (const { index, headings } of headingRows(head)) {
    const isColumn = (name: string, heading: string) =>
      wishes[name]?.is.test(heading) === true && wishes[name].not?.test(heading) !== true
    const missing = required.filter((name) => !headings.some((heading) => isColumn(name, heading)))
    const found = required.length - missing.length
    const share = found / required.length
    if (missing.length === 0 || found < nearLeast || share < nearShare) continue
    if (nearest !== undefined && nearest.share >= share) continue
    const isOther = (heading: string) =>
      heading !== '' && !Object.keys(wishes).some((name) => isColumn(name, heading))
    nearest = {
      missing,
      share,
      line: head.records[index]?.line ?? index + 1,
      others: headings.filter(isOther),
    }
  }
  return nearest
}

function placesOf<Name extends string>(
  headings: readonly string[],
  wishes: Readonly<Record<Name, ColumnWish>>,
): Partial<Record<Name, number>> | undefined {
  const at: Partial<Record<Name, number>> = {}
  for (const name of Object.keys(wishes) as Name[]) {
    const { is, not, required } = wishes[name]
    const place = headings.findIndex((heading) => is.test(heading) && !(not?.test(heading) ?? false))
    if (place >= 0) at[name] = place
    else if (required) return undefined
  }
  return at
}

/** Says which of the expected columns a file lacks. */
export function noteMissing<Name extends string>(
  findings: Findings,
  file: string,
  header: Header<Name>,
  expected: readonly Name[],
): void {
  for (const name of expected)
    if (header.at[name] === undefined)
      findings.problem(file, 'the file has no such column; its values stay empty', {
        column: name,
        line: header.firstRow,
      })
}

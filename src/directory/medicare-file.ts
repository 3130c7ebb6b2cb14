import type { MedicareRow, MedicareTable } from '../medicare/tables.ts'
import type { Findings } from './findings.ts'
import type { ColumnWish } from './header.ts'
import type { FileHead } from './text-file.ts'
import type { ReferenceFile } from './unpack.ts'

/** Where a reader of a Medicare file puts its rows. */
export interface RowSink {
  append<Table extends MedicareTable>(table: Table, row: Omit<MedicareRow<Table>, 'source'>): void
}

/** A Medicare file under the eye of its readers. */
export interface MedicareFile {
  readonly file: ReferenceFile
  readonly head: FileHead
  readonly findings: Findings
  /** What the operator says where the file does not. */
  readonly told: Told
}

export interface Told {
  readonly year?: number | undefined
  readonly release?: Release | undefined
}

/** A reader of one kind of Medicare file: whether a file is of its kind, and its rows. */
export interface MedicareReader {
  readonly kind: string
  /** The columns by whose headings it knows its files. */
  readonly columns: Readonly<Record<string, ColumnWish>>
  recognises(file: MedicareFile): boolean
  /** What is odd in a fixed-width file that is nearly of its kind; it has no headings to go by. */
  oddLines?(
    file: MedicareFile,
  ): { readonly line: number; readonly column: string; readonly says: string } | undefined
  /** Reads every row; throws nothing for what is odd in the file. */
  read(file: MedicareFile, sink: RowSink): Promise<void>
}

export const releases = ['A', 'AR', 'B', 'C', 'D'] as const
/** A quarterly release of the fee schedule files; AR is the reissue of January 2024. */
export type Release = (typeof releases)[number]

const releaseOfMonth: readonly (readonly [RegExp, Release])[] = [
  [/jan/i, 'A'],
  [/apr/i, 'B'],
  [/jul/i, 'C'],
  [/oct/i, 'D'],
]

/** Which calendar year a file is for: its title or headings, else its name or its archive's, else what the operator said. */
export function yearOf({ file, head, told }: MedicareFile): number | undefined {
  if (told.year !== undefined) return told.year
  const beginning = head.lines.slice(0, 12).join('\n')
  const titled =
    /\b(20\d\d) National Physician Fee Schedule/i.exec(beginning) ??
    /\bCY ?(20\d\d)\b/i.exec(beginning) ??
    /\b(20\d\d) (?:PW|PE|MP|WORK|LOCALITIES)/i.exec(beginning)
  const named =
    /(?<!\d)(20[0-3]\d)(?!\d)/.exec(file.name) ??
    /(?:rvu|anes|gpci|oppscap|locco|^)_?(\d\d)(?=ar|[a-d]?(?:[._]|$|LOCCO))/i.exec(file.name) ??
    /rvu_?(20\d\d|\d\d)/i.exec(file.within)
  const found = (titled ?? named)?.[1]
  return found === undefined ? undefined : Number(found.length === 2 ? `20${found}` : found)
}

/** Which quarterly release a file belongs to; undefined where nothing says. */
export function releaseOf({ file, head, told }: MedicareFile): Release | undefined {
  if (told.release !== undefined) return told.release
  const lettered = /rvu_?(?:20)?\d\d_?(ar|[a-d])(?![a-z])/i.exec(`${file.name} ${file.within}`)?.[1]
  if (lettered !== undefined) return lettered.toUpperCase() as Release
  const title = head.lines.slice(0, 8).find((line) => /Relative Value File/i.test(line))
  for (const text of [title ?? '', file.name])
    for (const [month, release] of releaseOfMonth)
      if (month.test(text.replace(/National Physician Fee Schedule/i, ''))) return release
  return undefined
}

/** Year and release, or a finding that says what to do. */
export function periodOf(medicare: MedicareFile): { year: number; release: Release } | undefined {
  const year = yearOf(medicare)
  if (year === undefined) {
    medicare.findings.problem(
      medicare.file.name,
      'neither title nor name says which year this file is for; load it with --year',
    )
    return undefined
  }
  return { year, release: releaseOf(medicare) ?? 'A' }
}

/** Five digits: spreadsheets drop the leading zero of a carrier number. */
export const carrierFrom = (text: string) =>
  /^\d{4,5}$/.test(text.trim()) ? text.trim().padStart(5, '0') : undefined

export const localityFrom = (text: string) =>
  /^\d{1,2}$/.test(text.trim()) ? text.trim().padStart(2, '0') : undefined

export const codeFrom = (text: string) => (/^[A-Z0-9]{5}$/.test(text.trim()) ? text.trim() : undefined)

/** Names carry footnote stars. */
export const localityName = (text: string) => text.replaceAll('*', '').replace(/\s+/g, ' ').trim()

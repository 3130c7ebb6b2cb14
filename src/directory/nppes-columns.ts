import type { Findings } from './findings.ts'
import { plainHeading } from './header.ts'
import type { FileHead } from './text-file.ts'

/** What an NPPES file is, by its headings. */
export type NppesKind = 'main' | 'other-names' | 'locations' | 'endpoints' | 'deactivations'

/** The headings of an NPPES file and where they stand. */
export interface NppesLayout {
  readonly kind: NppesKind
  readonly headings: readonly string[]
  /** Lines above the data, headings included. */
  readonly skip: number
  /** Place of a heading, under any of its names; undefined where the file has none of them. */
  at(...names: readonly string[]): number | undefined
  /** Whether data follow: the bundles carry files of headings alone. */
  readonly isEmpty: boolean
}

const organization = 'PROVIDER ORGANIZATION NAME LEGAL BUSINESS NAME'
const lastName = 'PROVIDER LAST NAME LEGAL NAME'

/** Recognises a file by its headings; undefined where it is none of NPPES. */
export function nppesLayout(head: FileHead): NppesLayout | undefined {
  for (const [index, { cells }] of head.records.slice(0, 5).entries()) {
    const headings = cells.map(plainHeading)
    const has = (name: string) => headings.includes(name)
    if (!has('NPI')) continue
    const kind: NppesKind | undefined = headings.some((heading) =>
      heading.startsWith('PROVIDER SECONDARY PRACTICE LOCATION'),
    )
      ? 'locations'
      : has('ENDPOINT TYPE')
        ? 'endpoints'
        : has(organization) || has(lastName)
          ? 'main'
          : has('PROVIDER OTHER ORGANIZATION NAME')
            ? 'other-names'
            : headings.some((heading) => /DEACTIVATION DATE/.test(heading))
              ? 'deactivations'
              : undefined
    if (kind === undefined) continue
    return {
      kind,
      headings,
      skip: head.records[index]?.line ?? 1,
      at: (...names) => {
        const place = names.map((name) => headings.indexOf(plainHeading(name))).find((found) => found >= 0)
        return place
      },
      isEmpty: head.records.length <= index + 1,
    }
  }
  return undefined
}

// In the order of the official file. Of those marked, a re-cut file may lack some and still say who is who.
const expected = [
  'Entity Type Code',
  'Replacement NPI',
  'Provider Organization Name (Legal Business Name)',
  'Provider Last Name (Legal Name)',
  'Provider First Name',
  'Provider Credential Text',
  'Provider First Line Business Practice Location Address',
  'Provider Business Practice Location Address City Name',
  'Provider Business Practice Location Address State Name',
  'Provider Business Practice Location Address Postal Code',
  'Provider Business Practice Location Address Telephone Number',
  'Last Update Date',
  'NPI Deactivation Date',
  'Healthcare Provider Taxonomy Code_1',
  'Healthcare Provider Primary Taxonomy Switch_1',
]

/** Says which columns of the main file are missing, and which stand elsewhere than in the official order. */
export function noteColumns(findings: Findings, file: string, layout: NppesLayout): void {
  let last = layout.at('NPI') ?? 0
  for (const name of expected) {
    const place = layout.at(name)
    if (place === undefined)
      findings.note(file, 'the file has no such column; its values stay empty', {
        column: name,
        line: layout.skip,
      })
    else if (place < last)
      findings.note(
        file,
        'the column has moved before one that it follows in the official file; it is read where it stands',
        {
          column: name,
          line: layout.skip,
        },
      )
    else last = place
  }
}

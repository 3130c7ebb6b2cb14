import { nearHeaderOf } from './header.ts'
import { noteUnknown } from './load.ts'
import type { MedicareFile, MedicareReader } from './medicare-file.ts'

/** Files of the same bundles that say nothing more, and how they begin. */
const unneeded: readonly (readonly [RegExp, string])[] = [
  [
    /COUNTIES INCLUDED IN|fee_schedule_area,counties/i,
    'county lists of localities are not needed: ZIP codes say more',
  ],
  [
    /^"20\d\d","\d{5}","\d\d","/,
    'published payment amounts are not loaded: they are computed from relative values',
  ],
  [/^[A-Z]{2}\d{12}.{6}1\d{4}/, 'the ZIP+4 file is not read: a provider is priced by its five-digit ZIP'],
  [/NDC/, 'the crosswalk of drug codes to packages is not needed'],
  [/not otherwise classified|\bNOC\b/i, 'drugs without a code of their own have no code to look up'],
  [/Record Layout/i, 'a layout description'],
]

/** Says of a file that no reader knows why it was not taken: not needed, like a known kind but for some columns, or unknown. */
export function noteOther(medicare: MedicareFile, readers: readonly MedicareReader[]): void {
  const beginning = medicare.head.lines.slice(0, 3).join('\n')
  const known = unneeded.find(([form]) => form.test(beginning))
  if (known !== undefined) medicare.findings.note(medicare.file.name, known[1])
  else if (!noteNearest(medicare, readers))
    noteUnknown(medicare.findings, medicare.file, readers.map(({ kind }) => kind).join(', '))
}

const headingsTold = 12

/** Says of a file that is nearly of a known kind which columns moved; false where it is like none. */
function noteNearest(medicare: MedicareFile, readers: readonly MedicareReader[]): boolean {
  const { file, findings, head } = medicare
  for (const reader of readers) {
    const odd = reader.oddLines?.(medicare)
    if (odd === undefined) continue
    const { says, ...place } = odd
    findings.problem(
      file.name,
      `like ${reader.kind}, but the layout moved: ${says}; the file was not taken`,
      place,
    )
    return true
  }
  const [nearest] = readers
    .flatMap(({ kind, columns }) => ({ kind, near: nearHeaderOf(head, columns) }))
    .flatMap(({ kind, near }) => (near === undefined ? [] : [{ kind, ...near }]))
    .sort((a, b) => b.share - a.share)
  if (nearest === undefined) return false
  const { kind, missing, line, others } = nearest
  const among = others.slice(0, headingsTold).join(', ')
  for (const column of missing)
    findings.problem(
      file.name,
      `like ${kind}, but no heading is known as this column; it may be one of: ${among || 'none is left'}; the file was not taken`,
      { line, column },
    )
  return true
}

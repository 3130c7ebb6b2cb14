import { scaledFromText } from '../medicare/exact.ts'
import { headerOf, noteMissing, type ColumnWish } from './header.ts'
import {
  codeFrom,
  periodOf,
  releases,
  type MedicareFile,
  type MedicareReader,
  type Release,
  type RowSink,
} from './medicare-file.ts'
import { linesOf, recordsOf } from './text-file.ts'

// From 2007 to 2012 practice expense was phased in: the files carry transitional and fully implemented values side by
// side, and the transitional ones were paid.
const wishes = {
  code: { is: /^HCPCS( CODE)?$/, required: true },
  modifier: { is: /^MOD(IFIER)?$/ },
  status: { is: /STATUS/, required: true },
  work: { is: /WORK RVU/, required: true },
  nonFacilityPe: {
    is: /NON ?FAC(ILITY)? (PE|PRACTICE EXPENSE) RVU/,
    not: /FULLY|OPPS|\bNA\b/,
    required: true,
  },
  nonFacilityNa: { is: /NON ?FAC(ILITY)? (NA )?IND/, not: /FULLY/ },
  facilityPe: {
    is: /(^|[^N] )FAC(ILITY)? (PE|PRACTICE EXPENSE) RVU/,
    not: /NON ?FAC|FULLY|OPPS|\bNA\b/,
    required: true,
  },
  facilityNa: { is: /FAC(ILITY)? (NA )?IND/, not: /NON ?FAC|FULLY/ },
  malpractice: { is: /\b(MP|MALPRACTICE) RVU/, not: /OPPS/, required: true },
  nonFacilityTotal: { is: /NON ?FAC(ILITY)? TOTAL/, not: /FULLY/ },
  facilityTotal: { is: /FAC(ILITY)? TOTAL/, not: /NON ?FAC|FULLY/ },
  globalDays: { is: /GLOB/ },
  factor: { is: /CONV(ERSION)? FACT/ },
  year: { is: /^YEAR$/ },
  release: { is: /^RELEASE$/ },
} satisfies Record<string, ColumnWish>

/** One line of a relative value file as texts, whatever layout it came in. */
interface ValueTexts {
  readonly year: number
  readonly release: Release
  readonly code: string
  readonly modifier: string
  readonly status: string
  readonly work: string
  readonly nonFacilityPe: string
  readonly nonFacilityNa: boolean
  readonly facilityPe: string
  readonly facilityNa: boolean
  readonly malpractice: string
  readonly nonFacilityTotal: string
  readonly globalDays: string
  readonly factor: string
}

// Positions 1 to 58 did not move since 2002; after them come 6 numbers of two decimals (10 in the transitional years),
// each with an optional NA, then the PC/TC indicator and the global period.
const fixedBeginning = /^([A-Z0-9]{5})(..).{50}([A-Z])/
const fixedNumber = /\s*(\d*\.\d\d)(NA)?/y
const indicatorAndGlobal = /^\d(\d{3}|[A-Z]{3})/

/** Relative value units of the physician fee schedule (PPRRVU), comma-separated or fixed-width. */
export const relativeValuesFile: MedicareReader = {
  kind: 'pfs-relative-values',
  columns: wishes,

  recognises: ({ head }) =>
    headerOf(head, wishes) !== undefined ||
    head.lines.filter((line) => fixedFields(line) !== undefined).length > 3,

  oddLines({ head }) {
    const odd = head.lines.findIndex((line) => fixedBeginning.test(line) && fixedFields(line) === undefined)
    const beginnings = head.lines.filter((line) => fixedBeginning.test(line) && line.length > 100)
    return beginnings.length < 4
      ? undefined
      : {
          line: odd + 1,
          column: 'work',
          says: 'codes, modifiers and status stand where they should, but behind column 58 there are neither 6 nor 10 relative values',
        }
  },

  async read(medicare, sink) {
    const header = headerOf(medicare.head, wishes)
    if (header === undefined) await readFixedWidth(medicare, sink)
    else {
      const { at } = header
      const ownPeriod = at.year === undefined ? periodOf(medicare) : undefined
      if (at.year === undefined && ownPeriod === undefined) return
      noteMissing(medicare.findings, medicare.file.name, header, ['modifier', 'globalDays', 'factor'])
      let row = 0
      for await (const { line, cells } of recordsOf(
        medicare.file,
        medicare.head.delimiter,
        medicare.findings,
      )) {
        if (row++ < header.firstRow) continue
        const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
        const code = codeFrom(wholeCode(medicare, cell(at.code), line))
        if (code === undefined) {
          if (cells.some((text) => text !== '' && text !== '\u001a') && cell(at.status).length === 1)
            medicare.findings.problem(
              medicare.file.name,
              'a line without a five-character code is left out',
              { line },
            )
          continue
        }
        const release = cell(at.release)
        append(medicare, sink, line, {
          year: ownPeriod?.year ?? Number(cell(at.year)),
          release: ownPeriod?.release ?? releases.find((known) => known === release) ?? 'A',
          code,
          modifier: cell(at.modifier),
          status: cell(at.status),
          work: cell(at.work),
          nonFacilityPe: cell(at.nonFacilityPe),
          nonFacilityNa: cell(at.nonFacilityNa) === 'NA',
          facilityPe: cell(at.facilityPe),
          facilityNa: cell(at.facilityNa) === 'NA',
          malpractice: cell(at.malpractice),
          nonFacilityTotal: cell(at.nonFacilityTotal),
          globalDays: cell(at.globalDays),
          factor: cell(at.factor),
        })
      }
    }
  },
}

/** Files that went through a spreadsheet write 100 for 00100. */
function wholeCode({ findings, file }: MedicareFile, text: string, line: number): string {
  if (!/^\d{2,4}$/.test(text)) return text
  findings.note(file.name, 'a code has lost its leading zeroes; they are put back', { line, column: 'HCPCS' })
  return text.padStart(5, '0')
}

async function readFixedWidth(medicare: MedicareFile, sink: RowSink): Promise<void> {
  const period = periodOf(medicare)
  if (period === undefined) return
  for await (const { line, text } of linesOf(medicare.file)) {
    if (/^(HDR|TRL)/.test(text) || text.trim() === '' || text === '\u001a') continue
    const found = fixedFields(text)
    if (found === undefined) {
      medicare.findings.problem(
        medicare.file.name,
        'a line has neither 6 nor 10 relative values after column 58: the layout moved; the line is left out',
        { line },
      )
      continue
    }
    const { numbers, flags, code, modifier, status, globalDays, factor } = found
    const transitional = numbers.length === 10
    append(medicare, sink, line, {
      ...period,
      code,
      modifier: modifier.trim(),
      status,
      work: numbers[0] ?? '',
      nonFacilityPe: numbers[1] ?? '',
      nonFacilityNa: flags[1] ?? false,
      facilityPe: numbers[transitional ? 3 : 2] ?? '',
      facilityNa: flags[transitional ? 3 : 2] ?? false,
      malpractice: numbers[transitional ? 5 : 3] ?? '',
      nonFacilityTotal: numbers[transitional ? 6 : 4] ?? '',
      globalDays,
      factor,
    })
  }
}

/** The fields of a fixed-width line; undefined where it does not hold 6 or 10 relative values. */
function fixedFields(text: string) {
  const [beginning = '', code = '', modifier = '', status = ''] = fixedBeginning.exec(text) ?? []
  if (beginning === '') return undefined
  const numbers: string[] = []
  const flags: boolean[] = []
  const marks = /^[^\d.]*/.exec(text.slice(beginning.length))?.[0].length ?? 0
  let end = beginning.length + marks
  while (!indicatorAndGlobal.test(text.slice(end, end + 4))) {
    fixedNumber.lastIndex = end
    const found = fixedNumber.exec(text)
    if (found === null) return undefined
    numbers.push(found[1] ?? '')
    flags.push(found[2] !== undefined)
    end = fixedNumber.lastIndex
  }
  if (numbers.length !== 6 && numbers.length !== 10) return undefined
  const rest = text.slice(end)
  const factor = /\s(\d\d\.\d{4})\s/.exec(rest)?.[1] ?? ''
  return { code, modifier, status, numbers, flags, globalDays: rest.slice(1, 4), factor }
}

function append(medicare: MedicareFile, sink: RowSink, line: number, texts: ValueTexts): void {
  const { findings, file } = medicare
  const read = (column: 'work' | 'nonFacilityPe' | 'facilityPe' | 'malpractice') => {
    const text = texts[column]
    const value = text === '' ? 0n : scaledFromText(text, 2)
    if (value === undefined) findings.problem(file.name, `"${text}" is no relative value`, { line, column })
    return value
  }
  const [work, nonFacilityPe, facilityPe, malpractice] = [
    read('work'),
    read('nonFacilityPe'),
    read('facilityPe'),
    read('malpractice'),
  ]
  if (
    work === undefined ||
    nonFacilityPe === undefined ||
    facilityPe === undefined ||
    malpractice === undefined
  )
    return
  const total = scaledFromText(texts.nonFacilityTotal, 2)
  const sum = work + nonFacilityPe + malpractice
  // Adjusted work values make the printed totals of 2007 and 2008 differ from the sum.
  if (total !== undefined && total !== sum && texts.year !== 2007 && texts.year !== 2008)
    findings.note(file.name, 'work, practice expense and malpractice do not add up to the printed total', {
      line,
      column: 'total',
    })
  const factor = scaledFromText(texts.factor, 4)
  sink.append('relative_values', {
    year: texts.year,
    release: texts.release,
    code: texts.code,
    modifier: texts.modifier,
    status: texts.status,
    work,
    non_facility_pe: nonFacilityPe,
    facility_pe: facilityPe,
    malpractice,
    non_facility_na: texts.nonFacilityNa,
    facility_na: texts.facilityNa,
    global_days: texts.globalDays || undefined,
    conversion_factor: factor !== undefined && factor > 0n ? factor : undefined,
  })
}

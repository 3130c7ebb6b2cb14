import { scaledFromText } from '../medicare/exact.ts'
import { headerOf, type ColumnWish } from './header.ts'
import {
  carrierFrom,
  localityFrom,
  localityName,
  periodOf,
  releases,
  type MedicareFile,
  type MedicareReader,
} from './medicare-file.ts'
import { linesOf, recordsOf } from './text-file.ts'

const localityColumns = {
  carrier: { is: /^(MEDICARE ADMINISTRATIVE CONTRACTOR|MAC\b|CARRIER|CONTRACTOR)/, required: true },
  locality: { is: /^LOCALITY( NUMBER| NO)?$/, required: true },
  name: { is: /^LOCALITY NAME/ },
  state: { is: /^STATE$/ },
  year: { is: /^YEAR$/ },
  release: { is: /^RELEASE$/ },
} satisfies Record<string, ColumnWish>

// Until 2026 Congress kept a floor of 1.0 under the work index; the files of some years print it both ways.
const gpciColumns = {
  ...localityColumns,
  work: { is: /(PW|WORK) GPCI|GPCI (PW|WORK)/, not: /WITHOUT/, required: true },
  practiceExpense: { is: /PE GPCI|GPCI PE/, required: true },
  malpractice: { is: /(MP|MALPRACTICE) GPCI|GPCI MP/, required: true },
} satisfies Record<string, ColumnWish>

const anesthesiaColumns = {
  ...localityColumns,
  factor: { is: /ANES\w* (CF|CONV)/, required: true },
} satisfies Record<string, ColumnWish>

const gpciLine = /^\s*(\d{5})\s+(?:([A-Z]{2})\s+)?(\d{2})\s+(\S.*?)((?:\s+\d\.\d{3}){3,4})\s*$/
const anesthesiaLine = /^(\d{5})\s+(\d{2})\s+(\S.*?)\s+(\d{4})\s*$/

const looksLike = (medicare: MedicareFile, line: RegExp) =>
  medicare.head.lines.filter((text) => line.test(text)).length > 3

/** Geographic practice cost indices by locality, comma-separated or text. */
export const gpciFile: MedicareReader = {
  kind: 'gpci',
  columns: gpciColumns,

  recognises: (medicare) =>
    (headerOf(medicare.head, gpciColumns) !== undefined &&
      headerOf(medicare.head, anesthesiaColumns) === undefined) ||
    looksLike(medicare, gpciLine),

  async read(medicare, sink) {
    const { file, findings } = medicare
    const header = headerOf(medicare.head, gpciColumns)
    const period = header?.at.year === undefined ? periodOf(medicare) : undefined
    if (period === undefined && header?.at.year === undefined) return
    for await (const row of localityRows(medicare, header, gpciLine)) {
      const [work, practiceExpense, malpractice] = row.numbers.map((text) => scaledFromText(text, 3))
      if (work === undefined || practiceExpense === undefined || malpractice === undefined) {
        findings.problem(file.name, `"${row.numbers.join(', ')}" are no three indices`, { line: row.line })
        continue
      }
      sink.append('gpcis', {
        ...(period ?? row.period),
        carrier: row.carrier,
        locality: row.locality,
        state: row.state,
        name: row.name,
        work,
        practice_expense: practiceExpense,
        malpractice,
      })
    }
  },
}

/** Anesthesia conversion factors by locality, comma- or tab-separated or text. */
export const anesthesiaFactorsFile: MedicareReader = {
  kind: 'anesthesia-factors',
  columns: anesthesiaColumns,

  recognises: (medicare) =>
    headerOf(medicare.head, anesthesiaColumns) !== undefined || looksLike(medicare, anesthesiaLine),

  async read(medicare, sink) {
    const header = headerOf(medicare.head, anesthesiaColumns)
    const period = header?.at.year === undefined ? periodOf(medicare) : undefined
    if (period === undefined && header?.at.year === undefined) return
    for await (const row of localityRows(medicare, header, anesthesiaLine)) {
      // The text form prints 1931 for 19.31.
      const text = row.numbers[0] ?? ''
      const factor =
        header === undefined
          ? scaledFromText(`${text.slice(0, -2)}.${text.slice(-2)}`, 4)
          : scaledFromText(text, 4)
      if (factor === undefined) {
        medicare.findings.problem(medicare.file.name, `"${text}" is no conversion factor`, { line: row.line })
        continue
      }
      sink.append('anesthesia_factors', {
        ...(period ?? row.period),
        carrier: row.carrier,
        locality: row.locality,
        state: row.state,
        name: row.name,
        factor,
      })
    }
  },
}

interface LocalityRow {
  readonly line: number
  readonly carrier: string
  readonly locality: string
  readonly state: string | undefined
  readonly name: string
  readonly numbers: readonly string[]
  readonly period: { readonly year: number; readonly release: string }
}

type LocalityHeader = ReturnType<typeof headerOf<keyof typeof gpciColumns | 'factor'>>

/** The localities of a file in either form. Lines without a carrier number are footnotes. */
async function* localityRows(
  medicare: MedicareFile,
  header: LocalityHeader,
  lineForm: RegExp,
): AsyncGenerator<LocalityRow> {
  if (header === undefined) {
    // Where a year prints the work index without and with the floor, the second is the one with it.
    const bothFloors = medicare.head.lines.some((text) => /without/i.test(text))
    for await (const { line, text } of linesOf(medicare.file)) {
      const groups = lineForm.exec(text)
      if (groups === null) continue
      const state = groups.length === 6 ? groups[2] : undefined
      const [carrier = '', locality = '', name = '', tail = ''] =
        groups.length === 6 ? [groups[1], groups[3], groups[4], groups[5]] : groups.slice(1)
      const numbers = tail.trim().split(/\s+/)
      yield {
        line,
        carrier,
        locality,
        state,
        name: localityName(name),
        numbers: numbers.length === 4 ? (bothFloors ? numbers.slice(1) : numbers.slice(0, 3)) : numbers,
        period: { year: 0, release: 'A' },
      }
    }
    return
  }
  const { at } = header
  let row = 0
  for await (const { line, cells } of recordsOf(medicare.file, medicare.head.delimiter, medicare.findings)) {
    if (row++ < header.firstRow) continue
    const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
    const carrier = carrierFrom(cell(at.carrier))
    const locality = localityFrom(cell(at.locality))
    if (carrier === undefined || locality === undefined) continue
    const places = at.factor === undefined ? [at.work, at.practiceExpense, at.malpractice] : [at.factor]
    yield {
      line,
      carrier,
      locality,
      state: /^[A-Z]{2}$/.test(cell(at.state)) ? cell(at.state) : undefined,
      name: localityName(cell(at.name)),
      numbers: places.map(cell),
      period: {
        year: Number(cell(at.year)),
        release: releases.find((known) => known === cell(at.release)) ?? 'A',
      },
    }
  }
}

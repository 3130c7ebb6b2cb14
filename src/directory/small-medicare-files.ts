import { readFile } from 'node:fs/promises'
import { scaledFromText } from '../medicare/exact.ts'
import { headerOf, type ColumnWish } from './header.ts'
import { codeFrom, type MedicareReader } from './medicare-file.ts'
import { recordsOf } from './text-file.ts'

const groupColumns = {
  code: { is: /^HCPCS (CD|CODE)$/, required: true },
  category: { is: /^RBCS CAT DESC$|^RBCS CATEGORY$/, required: true },
  subcategory: { is: /^RBCS SUBCAT DESC$|^RBCS SUBCATEGORY$/, required: true },
  family: { is: /^RBCS FAMILY( DESC)?$/ },
  effective: { is: /^RBCS (DATE EFFECTIVE|ANALYSIS START DT)$/ },
} satisfies Record<string, ColumnWish>

/** Categories of services (RBCS). Of a code that was grouped anew over the years the latest grouping is kept. */
export const codeGroupsFile: MedicareReader = {
  kind: 'rbcs',
  columns: groupColumns,

  recognises: ({ head }) => headerOf(head, groupColumns) !== undefined,

  async read({ file, head, findings }, sink) {
    const header = headerOf(head, groupColumns)
    if (header === undefined) return
    const { at } = header
    // One small row per code of the set, some 17,000.
    const latest = new Map<
      string,
      { readonly effective: string; readonly row: Readonly<Record<string, string | undefined>> }
    >()
    let row = 0
    for await (const { cells } of recordsOf(file, head.delimiter, findings)) {
      if (row++ < header.firstRow) continue
      const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
      const code = codeFrom(cell(at.code))
      const effective = cell(at.effective)
      if (code === undefined || (latest.get(code)?.effective ?? '') > effective) continue
      latest.set(code, {
        effective,
        row: {
          code,
          category: cell(at.category),
          subcategory: cell(at.subcategory),
          family: cell(at.family) || undefined,
        },
      })
    }
    for (const { row: groups } of latest.values()) sink.append('code_groups', groups)
  },
}

const baseUnitColumns = {
  code: { is: /^(HCPCS|CPT|ANESTHESIA)( CODE)?$|^CODE$/, required: true },
  units: { is: /BASE UNITS?/, required: true },
  year: { is: /^YEAR$/ },
} satisfies Record<string, ColumnWish>

/** Base units of anesthesia services, as a table or as JSON `{ metadata: { year }, base_units: { code: { base_units } } }`. */
export const baseUnitsFile: MedicareReader = {
  kind: 'anesthesia-base-units',
  columns: baseUnitColumns,

  recognises: ({ head }) => isBaseUnitJson(head.lines) || headerOf(head, baseUnitColumns) !== undefined,

  async read({ file, head, findings, told }, sink) {
    const append = (year: number, code: string | undefined, text: string, line?: number) => {
      const units = scaledFromText(text, 1)
      if (code === undefined || units === undefined)
        findings.problem(file.name, `"${text}" is no number of base units`, { line })
      else sink.append('anesthesia_base_units', { year, code, base_units: units })
    }
    if (isBaseUnitJson(head.lines)) {
      const content = JSON.parse(await readFile(file.path, 'utf8')) as {
        metadata?: { year?: number }
        base_units: Record<string, { base_units: number }>
      }
      const year = told.year ?? content.metadata?.year ?? 0
      for (const [code, { base_units: units }] of Object.entries(content.base_units))
        append(year, codeFrom(code), String(units))
      return
    }
    const header = headerOf(head, baseUnitColumns)
    if (header === undefined) return
    const { at } = header
    const named = Number(/(20[0-3]\d)/.exec(`${file.name} ${head.lines.slice(0, 3).join(' ')}`)?.[1] ?? 0)
    let row = 0
    for await (const { line, cells } of recordsOf(file, head.delimiter, findings)) {
      if (row++ < header.firstRow) continue
      const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
      if (cell(at.code) === '') continue
      const year = told.year ?? (at.year === undefined ? named : Number(cell(at.year)))
      append(year, codeFrom(cell(at.code).padStart(5, '0')), cell(at.units), line)
    }
  },
}

const isBaseUnitJson = (lines: readonly string[]) =>
  /^\s*\{/.test(lines[0] ?? '') && lines.some((line) => line.includes('"base_units"'))

const factorColumns = {
  from: { is: /^FROM DATE$|^DATE START$/, required: true },
  through: { is: /^THROUGH DATE$|^DATE END$/, required: true },
  factor: { is: /^FACTOR$|^CF$/, required: true },
  participant: { is: /^PARTICIPANT$/ },
  adjuster: { is: /^WORK ADJUSTER$/ },
  anesthesia: { is: /^ANESTHESIA FACTOR$/ },
} satisfies Record<string, ColumnWish>

/** Conversion factors with the dates they were in force, the work adjusters of 2007 and 2008, national anesthesia factors. */
export const conversionFactorsFile: MedicareReader = {
  kind: 'conversion-factors',
  columns: factorColumns,

  recognises: ({ head }) => headerOf(head, factorColumns) !== undefined,

  async read({ file, head, findings }, sink) {
    const header = headerOf(head, factorColumns)
    if (header === undefined) return
    const { at } = header
    let row = 0
    for await (const { line, cells } of recordsOf(file, head.delimiter, findings)) {
      if (row++ < header.firstRow) continue
      const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
      const from = cell(at.from)
      const factor = scaledFromText(cell(at.factor), 4)
      if (!/^\d{4}-\d\d-\d\d$/.test(from) || factor === undefined) {
        findings.problem(file.name, 'a line without date and factor is left out', { line })
        continue
      }
      const year = Number(from.slice(0, 4))
      const participant = cell(at.participant) || 'all'
      sink.append('conversion_factors', {
        year,
        from_date: from,
        through_date: cell(at.through),
        participant,
        factor,
        work_adjuster: scaledFromText(cell(at.adjuster), 4) ?? 10_000n,
      })
      const anesthesia = scaledFromText(cell(at.anesthesia), 4)
      // A year with two factors keeps the one in force at its end; the other participants' factor is the fee schedule's business alone.
      if (anesthesia !== undefined && participant !== 'qualifying')
        sink.append('anesthesia_factors', {
          year,
          release: 'A',
          carrier: '',
          locality: '',
          name: 'NATIONAL',
          factor: anesthesia,
        })
    }
  },
}

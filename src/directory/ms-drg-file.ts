import { scaledFromText } from '../medicare/exact.ts'
import { headerOf, noteMissing, type ColumnWish } from './header.ts'
import type { MedicareFile, MedicareReader } from './medicare-file.ts'
import { recordsOf } from './text-file.ts'

const wishes = {
  code: { is: /^MS DRG$/, required: true },
  weight: { is: /WEIGHT/, not: /BEFORE/, required: true },
  weightBeforeCap: { is: /WEIGHT.*BEFORE/ },
  mdc: { is: /^MDC$/ },
  type: { is: /^TYPE$/ },
  geometric: { is: /GEOMETRIC|^GMLOS$/ },
  arithmetic: { is: /ARITHMETIC|^AMLOS$/ },
  fiscalYear: { is: /^(FY|FISCAL YEAR)$/ },
} satisfies Record<string, ColumnWish>

/** Relative weights and lengths of stay of the MS-DRGs (Table 5 of the inpatient rule), one fiscal year or several. */
export const msDrgFile: MedicareReader = {
  kind: 'ms-drg-weights',
  columns: wishes,

  recognises: ({ head }) => headerOf(head, wishes) !== undefined,

  async read(medicare, sink) {
    const { file, findings } = medicare
    const header = headerOf(medicare.head, wishes)
    if (header === undefined) return
    const { at } = header
    const year = at.fiscalYear === undefined ? fiscalYearOf(medicare) : undefined
    if (at.fiscalYear === undefined && year === undefined) {
      findings.problem(
        file.name,
        'neither title nor name says which fiscal year this file is for; load it with --year',
      )
      return
    }
    noteMissing(findings, file.name, header, ['mdc', 'type', 'geometric'])
    let row = 0
    for await (const { line, cells } of recordsOf(file, medicare.head.delimiter, findings)) {
      if (row++ < header.firstRow) continue
      const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
      const code = cell(at.code)
      if (!/^\d{1,3}$/.test(code)) continue
      // Groups without cases print a dash or stars in place of a weight.
      const weight = scaledFromText(cell(at.weight), 4)
      if (weight === undefined) {
        findings.note(file.name, 'no weight is printed for a group; it is left out', {
          line,
          column: 'weight',
        })
        continue
      }
      sink.append('ms_drg_weights', {
        fiscal_year: year ?? Number(cell(at.fiscalYear)),
        code: code.padStart(3, '0'),
        mdc: cell(at.mdc) || undefined,
        type: cell(at.type) || undefined,
        weight,
        weight_before_cap: scaledFromText(cell(at.weightBeforeCap), 4),
        geometric_los: scaledFromText(cell(at.geometric), 1),
        arithmetic_los: scaledFromText(cell(at.arithmetic), 1),
      })
    }
  },
}

function fiscalYearOf({ file, head, told }: MedicareFile): number | undefined {
  if (told.year !== undefined) return told.year
  const text = [...head.lines.slice(0, 6), file.name].join(' ')
  const found =
    /\b(?:FY|FISCAL YEAR)[ _]?(20\d\d)/i.exec(text)?.[1] ?? /(?<!\d)(20[0-3]\d)(?!\d)/.exec(file.name)?.[1]
  return found === undefined ? undefined : Number(found)
}

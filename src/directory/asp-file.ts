import { scaledFromText } from '../medicare/exact.ts'
import { headerOf, noteMissing, type ColumnWish } from './header.ts'
import { codeFrom, type MedicareFile, type MedicareReader } from './medicare-file.ts'
import { recordsOf } from './text-file.ts'

const wishes = {
  code: { is: /^HCPCS CODE$|^HCPCS$/, required: true },
  limit: { is: /^PAYMENT LIMIT$/, required: true },
  dosage: { is: /DOSAGE/ },
  year: { is: /^YEAR$/ },
  quarter: { is: /^QUARTER$/ },
} satisfies Record<string, ColumnWish>

const quarterMonths = ['january', 'april', 'july', 'october']

/** Payment limits of Part B drugs for one quarter (average sales price plus 6 percent). */
export const aspFile: MedicareReader = {
  kind: 'asp-limits',
  columns: wishes,

  recognises: ({ head }) => headerOf(head, wishes) !== undefined,

  async read(medicare, sink) {
    const { file, findings } = medicare
    const header = headerOf(medicare.head, wishes)
    if (header === undefined) return
    const { at } = header
    const own = at.year === undefined ? quarterOf(medicare) : undefined
    if (at.year === undefined && own === undefined) {
      findings.problem(
        file.name,
        'neither the lines above the header nor the name say which quarter this file is for',
      )
      return
    }
    noteMissing(findings, file.name, header, ['dosage'])
    let row = 0
    for await (const { line, cells } of recordsOf(file, medicare.head.delimiter, findings)) {
      if (row++ < header.firstRow) continue
      const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
      const code = codeFrom(cell(at.code))
      if (code === undefined) {
        if (/^[A-Z0-9]{3,8}$/.test(cell(at.code)))
          findings.problem(file.name, `"${cell(at.code)}" is no five-character code`, { line })
        continue
      }
      const text = cell(at.limit).replace('$', '').trim()
      // N/A: the price is set by the contractor.
      if (text === '' || text === 'N/A') continue
      const limit = scaledFromText(text, 3)
      if (limit === undefined) {
        findings.problem(file.name, `"${text}" is no payment limit`, { line, column: 'Payment Limit' })
        continue
      }
      sink.append('asp_limits', {
        ...(own ?? { year: Number(cell(at.year)), quarter: Number(cell(at.quarter)) }),
        code,
        dosage: cell(at.dosage) || undefined,
        payment_limit: limit,
      })
    }
  },
}

/** The quarter from "Effective January 1, 2024 through …", else from a name such as asp_2024-01. */
function quarterOf({ file, head }: MedicareFile): { year: number; quarter: number } | undefined {
  for (const line of head.lines) {
    const [, month, year] = /effective\s+(\w+)\s+1,?\s+(20\d\d)/i.exec(line) ?? []
    const quarter = quarterMonths.indexOf(month?.toLowerCase() ?? '') + 1
    if (year !== undefined && quarter > 0) return { year: Number(year), quarter }
  }
  const [, year, month] = /(20\d\d)[-_ ]?(0[147]|10)(?!\d)/.exec(file.name) ?? []
  if (year !== undefined && month !== undefined)
    return { year: Number(year), quarter: Math.floor((Number(month) + 2) / 3) }
  const [, name, spelt] = /(jan|apr|jul|oct)\w*[-_ ]?(20\d\d)/i.exec(file.name) ?? []
  const quarter = quarterMonths.findIndex((full) => full.startsWith(name?.toLowerCase() ?? '-')) + 1
  return spelt !== undefined && quarter > 0 ? { year: Number(spelt), quarter } : undefined
}

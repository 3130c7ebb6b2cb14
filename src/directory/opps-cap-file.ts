import { scaledFromText } from '../medicare/exact.ts'
import { headerOf, type ColumnWish } from './header.ts'
import { carrierFrom, codeFrom, localityFrom, periodOf, type MedicareReader } from './medicare-file.ts'
import { linesOf, recordsOf } from './text-file.ts'

const wishes = {
  code: { is: /^HCPCS$/, required: true },
  modifier: { is: /^MOD$/, required: true },
  carrier: { is: /^CARRIER$/, required: true },
  locality: { is: /^LOCALITY$/, required: true },
  facility: { is: /^FACILITY PRICE$/, required: true },
  // Spelt FACILTY in the official files.
  nonFacility: { is: /^NON FACILI?TY PRICE$/, required: true },
} satisfies Record<string, ColumnWish>

const fixedLine = /^([A-Z0-9]{5})(..) [A-Z] (\d{5})\s+(\d{2})\s+([\d.]+)\s+([\d.]+)\s*$/

/** Most that the fee schedule pays for imaging, taken from the outpatient hospital system (OPPSCAP). */
export const oppsCapFile: MedicareReader = {
  kind: 'opps-cap',
  columns: wishes,

  recognises: ({ head }) =>
    headerOf(head, wishes) !== undefined || head.lines.filter((text) => fixedLine.test(text)).length > 3,

  async read(medicare, sink) {
    const period = periodOf(medicare)
    if (period === undefined) return
    const { file, findings } = medicare
    const append = (line: number, texts: readonly string[]) => {
      const [code, modifier = '', carrier, locality] = [
        codeFrom(texts[0] ?? ''),
        texts[1]?.trim(),
        carrierFrom(texts[2] ?? ''),
        localityFrom(texts[3] ?? ''),
      ]
      const [facility, nonFacility] = [scaledFromText(texts[4] ?? '', 2), scaledFromText(texts[5] ?? '', 2)]
      if (code === undefined || carrier === undefined || locality === undefined) {
        if (texts.some((text) => text.trim().length > 1))
          findings.problem(file.name, 'a line without code, carrier and locality is left out', { line })
      } else if (facility === undefined || nonFacility === undefined)
        findings.problem(file.name, `"${texts[4]}", "${texts[5]}" are no prices`, { line })
      else
        sink.append('opps_caps', {
          ...period,
          code,
          modifier,
          carrier,
          locality,
          facility,
          non_facility: nonFacility,
        })
    }
    const header = headerOf(medicare.head, wishes)
    if (header === undefined) {
      for await (const { line, text } of linesOf(file)) append(line, fixedLine.exec(text)?.slice(1) ?? [])
      return
    }
    const { at } = header
    const places = [at.code, at.modifier, at.carrier, at.locality, at.facility, at.nonFacility]
    let row = 0
    for await (const { line, cells } of recordsOf(file, medicare.head.delimiter, findings))
      if (row++ >= header.firstRow)
        append(
          line,
          places.map((place) => (place === undefined ? '' : (cells[place] ?? ''))),
        )
  },
}

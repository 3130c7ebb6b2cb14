import type { MedicareReader } from './medicare-file.ts'
import { headerOf, type ColumnWish } from './header.ts'
import { linesOf, recordsOf } from './text-file.ts'

// state 1-2, ZIP 3-7, carrier 8-12, locality 13-14, rural 15, +4 flag 21, Part B indicator 23, year and quarter 76-80
const fixedLine = /^([A-Z]{2})(\d{5})(\d{5})(\d{2})([ RB]).{5}([01]).{54}(20\d\d)([1-4])$/
const ranges = {
  from: { is: /^FROM ZIP$/, required: true },
  through: { is: /^THROUGH ZIP$/, required: true },
  state: { is: /^STATE$/, required: true },
  carrier: { is: /^CARRIER$/, required: true },
  locality: { is: /^LOCALITY$/, required: true },
  year: { is: /^YEAR$/, required: true },
  quarter: { is: /^QUARTER$/, required: true },
} satisfies Record<string, ColumnWish>

// Two states are split between contractors; the file writes East and West Kansas and Missouri.
const stateOf: Readonly<Record<string, string>> = { EK: 'KS', WK: 'KS', EM: 'MO', WM: 'MO' }

/** Which carrier and locality price a ZIP code: the quarterly fixed-width file, or our own list of ZIP ranges. */
export const zipLocalityFile: MedicareReader = {
  kind: 'zip-localities',
  columns: ranges,

  recognises: ({ head }) =>
    head.lines.filter((text) => fixedLine.test(text) && text[21] === ' ').length > 3 ||
    headerOf(head, ranges) !== undefined,

  async read({ file, head, findings }, sink) {
    const header = headerOf(head, ranges)
    if (header !== undefined) {
      const { at } = header
      let row = 0
      for await (const { cells } of recordsOf(file, ',', findings)) {
        if (row++ < header.firstRow) continue
        const cell = (place: number | undefined) => (place === undefined ? '' : (cells[place] ?? ''))
        for (let zip = Number(cell(at.from)); zip <= Number(cell(at.through)); zip++)
          sink.append('zip_localities', {
            year: Number(cell(at.year)),
            quarter: Number(cell(at.quarter)),
            zip: String(zip).padStart(5, '0'),
            state: cell(at.state),
            carrier: cell(at.carrier),
            locality: cell(at.locality),
            plus_four: false,
          })
      }
      return
    }
    for await (const { line, text } of linesOf(file)) {
      const [, state, zip, carrier, locality, rural, plusFour, year, quarter] = fixedLine.exec(text) ?? []
      if (state === undefined) {
        if (text.trim().length > 1)
          findings.problem(
            file.name,
            'a line is not in the layout of the ZIP to locality file; it is left out',
            { line },
          )
        continue
      }
      sink.append('zip_localities', {
        year: Number(year),
        quarter: Number(quarter),
        zip,
        state: stateOf[state] ?? state,
        carrier,
        locality,
        rural: rural?.trim() || undefined,
        plus_four: plusFour === '1',
      })
    }
  },
}

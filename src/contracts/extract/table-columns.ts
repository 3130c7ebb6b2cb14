import type { ContractView, Range } from './contract-view.ts'

/** A cell of a table, under the heading of its column. */
export interface Cell extends Range {
  readonly heading: string
  readonly text: string
}

const cellText = /[^\t]*/y

/** The cells of the document's tables that have a row of headings: rows of as many cells, one under the other. */
export function tableCells(view: ContractView): Cell[] {
  const cells: Cell[] = []
  let headings: readonly string[] = []
  for (const { index, 0: line } of view.text.matchAll(/[^\n]+/g)) {
    const row = cellsOf(line, index)
    if (row.length < 2) headings = []
    else if (row.length === headings.length)
      cells.push(...row.map((cell, at) => ({ ...cell, heading: headings[at]! })))
    else headings = row.map(({ text }) => text)
  }
  return cells
}

function cellsOf(line: string, at: number): (Range & { text: string })[] {
  const cells: (Range & { text: string })[] = []
  if (!line.includes('\t')) return cells
  for (let from = 0; from <= line.length; from++) {
    cellText.lastIndex = from
    const [text = ''] = cellText.exec(line) ?? []
    const start = at + from + (text.length - text.trimStart().length)
    cells.push({ start, end: start + text.trim().length, text: text.trim() })
    from += text.length
  }
  return cells
}

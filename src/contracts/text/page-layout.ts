/** A run of characters at its place on a page; y grows upwards. */
export interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Line {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  readonly height: number
}

/** The text of a page in reading order: line by line, a tab between the cells of a table, one column after the other. */
export function pageText(pieces: readonly Piece[], pageWidth: number): string {
  const runs = runsOf(pieces)
  const gutter = gutterOf(runs, pageWidth)
  if (gutter === undefined) return flowed(rowsOf(runs))
  // What crosses the gutter (a title, a signature block) divides the page into bands; each is read left, then right.
  const bands: { wide?: Line; left: Line[]; right: Line[] }[] = [{ left: [], right: [] }]
  for (const run of [...runs].sort((a, b) => b.y - a.y || a.left - b.left)) {
    if (run.left < gutter && run.right > gutter) bands.push({ wide: run, left: [], right: [] })
    else bands.at(-1)![run.right <= gutter ? 'left' : 'right'].push(run)
  }
  return bands
    .flatMap(({ wide, left, right }) => [
      ...(wide ? [wide.text] : []),
      ...[left, right].map((column) => flowed(rowsOf(column))),
    ])
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Pieces that touch on one baseline, as one run each. */
function runsOf(pieces: readonly Piece[]): Line[] {
  const runs: Line[] = []
  const sorted = [...pieces].filter(({ text }) => text.trim() !== '')
  sorted.sort((a, b) => (Math.abs(a.y - b.y) > 2 ? b.y - a.y : a.x - b.x))
  for (const piece of sorted) {
    const last = runs.at(-1)
    const gap = last ? piece.x - last.right : 0
    const height = piece.height || last?.height || 10
    if (last && Math.abs(last.y - piece.y) <= 2 && gap > -height && gap < height * 0.9) {
      const space = gap > height * 0.15 && !/\s$/.test(last.text) && !/^\s/.test(piece.text) ? ' ' : ''
      runs[runs.length - 1] = {
        ...last,
        text: last.text + space + piece.text,
        right: piece.x + piece.width,
      }
    } else runs.push({ text: piece.text, left: piece.x, right: piece.x + piece.width, y: piece.y, height })
  }
  return runs
}

const columnLines = 6

/** Where the white between two columns of running text is; undefined where the page has one column, or a table. */
function gutterOf(runs: readonly Line[], pageWidth: number): number | undefined {
  const middle = runs.filter((run) => run.right > pageWidth * 0.15 && run.left < pageWidth * 0.85)
  let best: { x: number; across: number } | undefined
  for (let at = 0.4; at <= 0.6; at += 0.01) {
    const x = pageWidth * at
    const left = middle.filter((run) => run.right <= x)
    const right = middle.filter((run) => run.left >= x)
    const across = middle.length - left.length - right.length
    const long = (lines: Line[]) => lines.filter((run) => run.right - run.left > pageWidth * 0.28).length
    if (long(left) < columnLines || long(right) < columnLines) continue
    // Where fewest lines cross it: further left, the ends of the left column's longest lines would.
    if (across <= (left.length + right.length) / 5 && across < (best?.across ?? Infinity))
      best = { x, across }
  }
  return best?.x
}

/** Runs that stand beside each other, as one row with tabs between them. */
function rowsOf(runs: readonly Line[]): Line[] {
  const rows: Line[] = []
  for (const run of [...runs].sort((a, b) => (Math.abs(a.y - b.y) > 2 ? b.y - a.y : a.left - b.left))) {
    const last = rows.at(-1)
    if (last && Math.abs(last.y - run.y) <= 2)
      rows[rows.length - 1] = { ...last, text: `${last.text.trimEnd()}\t${run.text}`, right: run.right }
    else rows.push(run)
  }
  return rows
}

/** Lines under each other; more white than a line's worth begins a paragraph. */
function flowed(rows: readonly Line[]): string {
  let text = ''
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1]
    if (above) text += above.y - row.y > Math.max(above.height, row.height) * 1.75 ? '\n\n' : '\n'
    text += row.text.trimEnd()
  }
  return text
}

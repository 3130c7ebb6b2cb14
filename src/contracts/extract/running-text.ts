/** A stretch of the running text that is copied from a page. */
interface Stretch {
  /** Where it begins in the running text. */
  readonly at: number
  readonly page: number
  /** Where it begins in the page's text. */
  readonly from: number
  readonly length: number
}

export interface Place {
  readonly page: number
  readonly offset: number
}

interface Line {
  readonly page: number
  readonly from: number
  readonly text: string
}

/**
 * A document's text as one reads it: without the headers and footers that every page repeats, with words that a line
 * broke in one piece, and sentences that run over a page in one paragraph. It knows where each character stands.
 */
export class RunningText {
  readonly text: string
  readonly #stretches: Stretch[] = []

  constructor(pages: readonly string[]) {
    const lines = keptLines(pages)
    let text = ''
    const copy = (page: number, from: number, part: string) => {
      if (part !== '') this.#stretches.push({ at: text.length, page, from, length: part.length })
      text += part
    }
    for (const [index, { page, from, text: line }] of lines.entries()) {
      const next = lines[index + 1]
      const broken = next && brokenWord(line, next.text)
      if (broken) {
        copy(page, from, broken.before)
        // The rest of the word begins the next line; its spaces are left out there.
        lines[index + 1] = {
          page: next.page,
          from: next.from + broken.indent,
          text: next.text.slice(broken.indent),
        }
        continue
      }
      copy(page, from, line)
      text += next && next.page !== page ? (runsOn(line, next.text) ? '\n' : '\n\n') : '\n'
    }
    this.text = `${text}\n`
  }

  /** Where the character at an offset stands; of one that we put between two lines, the next that stands on a page. */
  placeOf(offset: number): Place {
    const at = lastNotAfter(this.#stretches, offset, ({ at }) => at)
    const stretch = this.#stretches[Math.max(0, at)]
    if (!stretch) return { page: 0, offset: 0 }
    const inside = offset - stretch.at
    const next = this.#stretches[at + 1]
    if (inside >= stretch.length && next) return { page: next.page, offset: next.from }
    return { page: stretch.page, offset: stretch.from + Math.max(0, Math.min(inside, stretch.length)) }
  }

  /** Where a range that begins on a page ends on that page. */
  endOnPage(end: number, page: number): number {
    let at = lastNotAfter(this.#stretches, end - 1, (one) => one.at)
    while (at > 0 && this.#stretches[at]!.page > page) at--
    const last = this.#stretches[at]
    return last ? last.from + Math.min(last.length, end - last.at) : 0
  }
}

/** The index of the last thing, in order, that does not begin after an offset; -1 where all do. */
export function lastNotAfter<One>(
  things: readonly One[],
  offset: number,
  startOf: (one: One) => number,
): number {
  let [low, high] = [0, things.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(things[middle]!) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The lines of all pages, but for running headers and footers and page numbers. */
function keptLines(pages: readonly string[]): Line[] {
  const linesOf = pages.map((text, page) =>
    [...text.matchAll(/[^\n]*(?:\n|$)/g)]
      .map(({ index, 0: line }) => ({ page, from: index, text: line.trimEnd() }))
      .filter(({ from }) => from < text.length)
      // One blank line is as good as many.
      .filter((line, at, all) => line.text !== '' || (at > 0 && all[at - 1]!.text !== '')),
  )
  const edges = linesOf.map((lines) => {
    const filled = lines.filter(({ text }) => text.trim() !== '')
    return new Set([...filled.slice(0, edgeLines), ...filled.slice(-edgeLines)])
  })
  const counts = new Map<string, number>()
  for (const edge of edges)
    for (const key of new Set([...edge].map(({ text }) => lineKey(text))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  const repeated = (key: string) =>
    pages.length > 1 && (counts.get(key) ?? 0) >= Math.max(2, pages.length * 0.6)
  return linesOf.flatMap((lines, page) =>
    lines.filter(
      (line) => !edges[page]!.has(line) || !(repeated(lineKey(line.text)) || isPageNumber(line.text)),
    ),
  )
}

const edgeLines = 2
const lineKey = (text: string) => text.trim().replaceAll(/\s+/g, ' ').replaceAll(/\d+/g, '#').toLowerCase()
const isPageNumber = (text: string) =>
  /^\s*[-–—]?\s*(?:page\s+)?\d{1,4}(?:\s+of\s+\d{1,4})?\s*[-–—]?\s*$/i.test(text)

// The first halves of words that are written with a hyphen anyway.
const compounds =
  /(?:^|[\s(-])(?:self|non|pre|co|out|third|in|of|one|two|three|four|six|twelve|fee|post|re|well|then|high|low|long|short|full|part|cost|point|board|to|by|for|up|on|year|day|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|physician|dual|level|all|tax|end|health|mid|multi|anti|semi|sub)$/i

/** The word that a hyphen at the end of a line breaks, put together; undefined where none is broken. */
function brokenWord(line: string, next: string): { before: string; indent: number } | undefined {
  if (!/[a-z]-\s*$/.test(line) || !/^\s*[a-z]/.test(next)) return undefined
  const before = line.replace(/-\s*$/, '')
  return { before: compounds.test(before) ? `${before}-` : before, indent: /^\s*/.exec(next)![0].length }
}

/** Whether a sentence goes on from the last line of a page to the first of the next. */
const runsOn = (line: string, next: string) =>
  line.trim() !== '' && !/[.:;!?]["”)]?\s*$/.test(line) && /^\s*[a-z(]/.test(next)

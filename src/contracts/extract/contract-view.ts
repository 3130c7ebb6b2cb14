import type { Evidence } from '../../operations/contract-entities.ts'
import { type Paragraph, paragraphsOf } from './paragraphs.ts'
import { lastNotAfter, RunningText } from './running-text.ts'

/** A range of characters of the running text. */
export interface Range {
  readonly start: number
  readonly end: number
}

const quoteMost = 2_000
// So that a text without a full stop costs no more than one with them.
const sentenceMost = 2_000

/** A document as the rules read it: one text, its paragraphs and sentences, and the evidence that was quoted from it. */
export class ContractView {
  readonly text: string
  readonly paragraphs: readonly Paragraph[]
  readonly #pages: readonly string[]
  readonly #running: RunningText
  readonly #evidence = new Map<string, Evidence>()

  constructor(pages: readonly string[]) {
    this.#pages = pages
    this.#running = new RunningText(pages)
    this.text = this.#running.text
    this.paragraphs = paragraphsOf(this.text)
  }

  get evidence(): Evidence[] {
    return [...this.#evidence.values()]
  }

  /** Quotes a range, up to the end of its page. Returns the evidence's id. */
  quote(range: Range): string {
    const { page, offset: start } = this.#running.placeOf(range.start)
    return this.quoteOnPage(page, start, Math.max(this.#running.endOnPage(range.end, page), start + 1))
  }

  /** Quotes a range of a page's own text. */
  quoteOnPage(page: number, start: number, end: number): string {
    const text = this.#pages[page]!.slice(start, Math.min(end, start + quoteMost)).trimEnd()
    const key = `${page}:${start}:${start + text.length}`
    const known = this.#evidence.get(key)
    if (known) return known.id
    const id = `evidence-${this.#evidence.size + 1}`
    this.#evidence.set(key, { id, page: page + 1, start, end: start + text.length, text })
    return id
  }

  /** Quotes the sentence, or the line of a table or signature, that a range stands in. */
  quoteAround(range: Range): string {
    return this.quote(this.sentenceAround(range))
  }

  paragraphAt(offset: number): Paragraph | undefined {
    const paragraph = this.paragraphs[lastNotAfter(this.paragraphs, offset, ({ start }) => start)]
    return paragraph && offset < paragraph.end ? paragraph : undefined
  }

  sentenceAround({ start, end }: Range): Range {
    const paragraph = this.paragraphAt(start)
    const floor = Math.max(paragraph?.start ?? start, start - sentenceMost)
    const ceiling = Math.max(end, Math.min(paragraph?.end ?? end, end + sentenceMost))
    const before = this.text.slice(floor, start)
    const from = floor + lastBreak(before)
    const after = this.text.slice(end, ceiling)
    const stop = sentenceEnd.exec(after) ?? undefined
    const lineBreak = /\n(?=[^\n]*[:\t])|\t[^\n]*\n/.exec(after)
    const ends = [stop && stop.index + stop[0].length, lineBreak && lineBreak.index + lineBreak[0].length]
    const to = end + Math.min(after.length, ...ends.filter((one) => typeof one === 'number'))
    return { start: from + (/^\s*/.exec(this.text.slice(from, start))?.[0].length ?? 0), end: to }
  }

  /** The words of the sentence that a range stands in. */
  sentenceText(range: Range): string {
    const { start, end } = this.sentenceAround(range)
    return this.text.slice(start, end)
  }
}

// A full stop after an abbreviation or a number of a section ends no sentence.
const sentenceEnd =
  /(?<!\b(?:Inc|Corp|Co|Ltd|No|Nos|St|Dr|Sec|Art|Mr|Ms|Mrs|P\.A|P\.C|L\.L\.C|U\.S|e\.g|i\.e|[A-Z]))(?<!^\s*\(?[\d.]{0,8}\d)[.;?!]["”)]?(?=\s+["“(]?[A-Z0-9])/

function lastBreak(before: string): number {
  let at = 0
  for (const found of before.matchAll(new RegExp(sentenceEnd, 'g'))) at = found.index + found[0].length
  const row = before.lastIndexOf('\n')
  const line = before.slice(row + 1)
  return row >= at && /[\t:]/.test(line) ? row + 1 : at
}

import type { Evidence } from '../../operations/contract-entities.ts'
import { ContractView, type Range } from '../extract/contract-view.ts'

/** A text without differences of white space, with the place of each character that is left. */
interface Folded {
  readonly text: string
  readonly places: Int32Array
}

const quoteMarks: Record<string, string> = { '“': '"', '”': '"', '‘': "'", '’': "'", '–': '-', '—': '-' }
const foldedText = (text: string) =>
  text
    .replaceAll(/[“”‘’–—]/g, (mark) => quoteMarks[mark]!)
    .replaceAll(/\s+/g, ' ')
    .trim()

function folded(text: string): Folded {
  const places = new Int32Array(text.length)
  let left = ''
  for (const { index, 0: run } of text.matchAll(/\s+|\S+/g)) {
    const isSpace = /^\s/.test(run)
    const part = isSpace ? ' ' : run.replaceAll(/[“”‘’–—]/g, (mark) => quoteMarks[mark]!)
    for (let at = 0; at < part.length; at++) places[left.length + at] = index + at
    left += part
  }
  return { text: left, places }
}

function rangeOf({ text, places }: Folded, wanted: string): Range | undefined {
  const at = text.indexOf(wanted)
  return at < 0 ? undefined : { start: places[at]!, end: places[at + wanted.length - 1]! + 1 }
}

/** The words of a document, to find what is quoted from it. */
export class Quotations {
  readonly #view: ContractView
  readonly #running: Folded
  readonly #pages: readonly Folded[]

  constructor(pages: readonly string[]) {
    this.#view = new ContractView(pages)
    this.#pages = pages.map(folded)
    this.#running = folded(this.#view.text)
  }

  get evidence(): Evidence[] {
    return this.#view.evidence
  }

  /** Whether words stand in the document, whatever its white space. */
  has(words: string): boolean {
    const wanted = foldedText(words)
    return wanted !== '' && [this.#running, ...this.#pages].some(({ text }) => text.includes(wanted))
  }

  /** Finds a quotation and keeps it as evidence; undefined where the document does not say so. */
  find(quote: string): { readonly evidenceId: string; readonly text: string } | undefined {
    const wanted = foldedText(quote)
    if (wanted === '') return undefined
    const running = rangeOf(this.#running, wanted)
    if (running) return { evidenceId: this.#view.quote(running), text: wanted }
    // What every page repeats is not in the running text.
    for (const [page, text] of this.#pages.entries()) {
      const range = rangeOf(text, wanted)
      if (range) return { evidenceId: this.#view.quoteOnPage(page, range.start, range.end), text: wanted }
    }
    return undefined
  }
}

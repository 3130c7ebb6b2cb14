import { type TextLimits, UnreadableDocument } from './text-limits.ts'

/**
 * Gathers the text of a document piece by piece, and refuses what is more than a document may hold as soon as it is.
 * It keeps pieces apart: trimming the end of one long text over and over would copy it each time.
 */
export class PageWriter {
  readonly #limits: TextLimits
  readonly #pages: string[] = []
  #pieces: string[] = []
  #finished = 0
  #length = 0
  #isBlank = true

  constructor(limits: TextLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** Whether the page so far holds nothing but white space. */
  get isBlank(): boolean {
    return this.#isBlank
  }

  /** Whether the page so far ends in white space, or holds nothing at all. */
  get endsInWhite(): boolean {
    return /\s$/.test(this.#pieces.at(-1)?.slice(-1) ?? ' ')
  }

  endsWith(text: string): boolean {
    return this.#pieces.slice(-text.length).join('').endsWith(text)
  }

  write(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#length += text.length
    this.#isBlank &&= !/\S/.test(text)
    if (this.#finished + this.#length > this.#limits.charactersMost)
      throw new UnreadableDocument(
        `The document has more than ${this.#limits.charactersMost} characters of text.`,
      )
  }

  /** Takes back the white space at the end: all of it, or spaces and tabs only. */
  trimEnd(what: 'all' | 'blanks' = 'all'): void {
    for (let last = this.#pieces.pop(); last !== undefined; last = this.#pieces.pop()) {
      const kept = what === 'all' ? last.trimEnd() : withoutBlanks(last)
      this.#length -= last.length - kept.length
      if (kept === '') continue
      this.#pieces.push(kept)
      return
    }
  }

  /** Ends the page. */
  turn(): void {
    const page = this.#pieces.join('').trimEnd()
    this.#finished += page.length
    this.#pages.push(page)
    this.#pieces = []
    this.#length = 0
    this.#isBlank = true
    if (this.#pages.length > this.#limits.pagesMost)
      throw new UnreadableDocument(`The document has more than ${this.#limits.pagesMost} pages.`)
  }

  /** Every page, the one that was begun included. */
  pages(): string[] {
    this.turn()
    return this.#pages
  }
}

function withoutBlanks(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return text.slice(0, end)
}

import type { Evidence } from '../../operations/contract-entities.ts'

/** A range of characters of the whole document. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A paragraph with the heading that it stands under or begins with. */
export interface Paragraph extends Range {
  readonly text: string
  readonly heading: string
}

const quoteMost = 2_000

/** A document as the rules read it: one text, its paragraphs and sentences, and the evidence that was quoted from it. */
export class ContractView {
  readonly text: string
  readonly paragraphs: readonly Paragraph[]
  readonly #pageStarts: number[] = []
  readonly #evidence = new Map<string, Evidence>()

  constructor(pages: readonly string[]) {
    let text = ''
    for (const page of pages) {
      this.#pageStarts.push(text.length)
      text += `${page}\n\n`
    }
    this.text = text
    this.paragraphs = paragraphsOf(text)
  }

  get evidence(): Evidence[] {
    return [...this.#evidence.values()]
  }

  /** Quotes a range, up to the end of its page. Returns the evidence's id. */
  quote({ start, end }: Range): string {
    const page = this.#pageStarts.findLastIndex((from) => from <= start)
    const from = this.#pageStarts[page]!
    const pageEnd = (this.#pageStarts[page + 1] ?? this.text.length) - 2
    const last = Math.min(end, pageEnd, start + quoteMost)
    const text = this.text.slice(start, last).trimEnd()
    const key = `${start}:${start + text.length}`
    const known = this.#evidence.get(key)
    if (known) return known.id
    const id = `evidence-${this.#evidence.size + 1}`
    this.#evidence.set(key, {
      id,
      page: page + 1,
      start: start - from,
      end: start - from + text.length,
      text,
    })
    return id
  }

  /** Quotes the sentence, or the line of a table or signature, that a range stands in. */
  quoteAround(range: Range): string {
    return this.quote(this.sentenceAround(range))
  }

  sentenceAround({ start, end }: Range): Range {
    const paragraph = this.paragraphs.find((one) => one.start <= start && start < one.end)
    const floor = paragraph?.start ?? start
    const ceiling = Math.max(end, paragraph?.end ?? end)
    const before = this.text.slice(floor, start)
    const from = floor + lastBreak(before)
    const after = this.text.slice(end, ceiling)
    const stop = sentenceEnd.exec(after) ?? undefined
    const lineBreak = /\n(?=[^\n]*[:\t])|\t[^\n]*\n/.exec(after)
    const ends = [stop && stop.index + stop[0].length, lineBreak && lineBreak.index + lineBreak[0].length]
    const to = end + Math.min(after.length, ...ends.filter((one) => typeof one === 'number'))
    return { start: from + (/^\s*/.exec(this.text.slice(from, start))?.[0].length ?? 0), end: to }
  }
}

// A full stop after an abbreviation or a number of a section ends no sentence.
const sentenceEnd =
  /(?<!\b(?:Inc|Corp|Co|Ltd|No|Nos|St|Dr|Sec|Art|P\.A|P\.C|L\.L\.C|U\.S|e\.g|i\.e|[A-Z]))[.;?!]["”)]?(?=\s+["“(]?[A-Z0-9])/

function lastBreak(before: string): number {
  let at = 0
  for (const found of before.matchAll(new RegExp(sentenceEnd, 'g'))) at = found.index + found[0].length
  const row = before.lastIndexOf('\n')
  const line = before.slice(row + 1)
  return row >= at && /[\t:]/.test(line) ? row + 1 : at
}

const numbered =
  /^(?:\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.|[IVX]{1,5}\.|[a-z]\))\)?\s+(?=["“A-Z(])|(?:ARTICLE|Article|SECTION|Section|EXHIBIT|Exhibit|ATTACHMENT|Attachment|AMENDMENT|Amendment)\s+[\w.]{1,8}\b)/

function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let heading = ''
  let start = 0
  const close = (end: number) => {
    const body = text.slice(start, end)
    const trimmed = body.trim()
    if (trimmed !== '') {
      const from = start + body.indexOf(trimmed)
      const own = headingOf(trimmed)
      if (own !== undefined) heading = own
      if (own === undefined || own.length < trimmed.length - 4)
        paragraphs.push({ start: from, end: from + trimmed.length, text: trimmed, heading: own ?? heading })
    }
    start = end
  }
  for (const { index, 0: line } of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (line === '') break
    if (line.trim() === '') close(index)
    else if (index > start && numbered.test(line.trimStart())) close(index)
  }
  close(text.length)
  return paragraphs
}

/** The heading that a paragraph is, or begins with: `5.2 Termination Without Cause.` */
function headingOf(paragraph: string): string | undefined {
  const unnumbered = paragraph.replace(numbered, '').replace(/^[\s:.–—-]+/, '')
  const [line = ''] = unnumbered.split('\n')
  const whole = !unnumbered.includes('\n')
  if (
    whole &&
    line.length <= 90 &&
    !/[.;,]$/.test(line) &&
    !line.includes('\t') &&
    isTitle(line) &&
    !line.includes(': ')
  )
    return line
  const [, runIn] = /^([A-Z][^.:\n]{2,70}?)(?:\.|:|\s[–—-])\s+(?=["“(A-Z])/.exec(unnumbered) ?? []
  return runIn !== undefined && isTitle(runIn) ? runIn : undefined
}

const small = new Set('of and the to for in on by with without or a an from upon after'.split(' '))

/** Whether every word that matters begins with a capital. */
function isTitle(text: string): boolean {
  const words = text.split(/[\s/–—-]+/).filter((word) => /[a-z]/i.test(word))
  return (
    words.length > 0 &&
    words.length <= 12 &&
    words.every((word, at) => (at > 0 && small.has(word)) || /^["“('’]?[A-Z0-9]/.test(word))
  )
}

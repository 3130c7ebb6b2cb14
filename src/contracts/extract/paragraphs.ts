/** A paragraph with its own heading, and the one that it stands under with others. */
export interface Paragraph {
  readonly start: number
  readonly end: number
  readonly text: string
  /** What it begins with: `5.2 Termination Without Cause.` */
  readonly heading: string
  /** The heading above it. */
  readonly section: string
}

const number =
  /^(?:§+\s*\d{1,3}(?:\.\d{1,2})*\.?\s+|\(?\d{1,2}(?:\.\d{1,2}){0,3}[.)]{0,2}\s+(?=["“A-Z(§])|\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)\s+(?=["“A-Z])|[A-Z]-\d{1,2}\.?\s+(?=["“A-Z])|[IVXL]{1,7}\.\s+(?=["“A-Z])|[A-Za-z][.)]\s+(?=["“A-Z])|(?:ARTICLE|Article|SECTION|Section|EXHIBIT|Exhibit|ATTACHMENT|Attachment|AMENDMENT|Amendment)\s+(?:[\dA-Z][\w.-]{0,5}|ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN)(?=[\s:.–—-]|$))/

/** The paragraphs of a text: apart by a blank line, or each begun with a number of its own. */
export function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let section = ''
  let start = 0
  const close = (end: number) => {
    const body = text.slice(start, end)
    const trimmed = body.trim()
    if (trimmed !== '') {
      const from = start + body.indexOf(trimmed)
      if (isHeading(trimmed)) section = unnumbered(trimmed)
      else
        paragraphs.push({
          start: from,
          end: from + trimmed.length,
          text: trimmed,
          heading: runInHeading(trimmed),
          section,
        })
    }
    start = end
  }
  let before = ''
  for (const { index, 0: line } of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (line === '') break
    const said = line.trim()
    if (said === '') close(index)
    else if (index > start && number.test(said) && (endsHere(before) || isHeading(before))) close(index)
    before = said
  }
  close(text.length)
  return joined(paragraphs, text)
}

/** Sentences that a column or page cuts, in one paragraph again: the first part ends nowhere, the second begins small. */
function joined(paragraphs: readonly Paragraph[], text: string): Paragraph[] {
  const whole: Paragraph[] = []
  for (const paragraph of paragraphs) {
    const last = whole.at(-1)
    if (
      last &&
      last.text.length > 40 &&
      !endsHere(last.text) &&
      /^[a-z]/.test(paragraph.text) &&
      !/[\t:]/.test(paragraph.text)
    )
      whole[whole.length - 1] = { ...last, end: paragraph.end, text: text.slice(last.start, paragraph.end) }
    else whole.push(paragraph)
  }
  return whole
}

const endsHere = (line: string) => /[.;:!?]["”)]?$/.test(line)

/** A text without the number that it begins with. */
export const unnumbered = (text: string) => text.replace(number, '').replace(/^[\s:.–—-]+/, '')

function isHeading(text: string): boolean {
  if (text.includes('\n') || text.includes('\t')) return false
  const line = unnumbered(text)
  return (
    line === '' ||
    (line.length <= 90 &&
      !/[.;,]$/.test(line) &&
      !line.includes(': ') &&
      !/\.{3}|_{3}/.test(line) &&
      isTitle(line))
  )
}

function runInHeading(paragraph: string): string {
  const body = unnumbered(paragraph)
  const [, words] =
    /^([A-Z][^.:\n\t]{2,70}?)(?:\.|:|\s[–—-])\s+(?=["“(A-Z])/.exec(body.replaceAll(/\s*\n\s*/g, ' ')) ?? []
  if (words === undefined) return ''
  // After a number a few words before a full stop are a heading even where they are not capitalised: `7. What members pay.`
  return isTitle(words) || (body !== paragraph && words.split(' ').length <= 5) ? words : ''
}

const small = new Set('of and the to for in on by with without or a an from upon after at within'.split(' '))

/** Whether every word that matters begins with a capital. */
function isTitle(text: string): boolean {
  const words = text.split(/[\s/–—-]+/).filter((word) => /[a-z]/i.test(word))
  return (
    words.length > 0 &&
    words.length <= 12 &&
    words.every((word, at) => (at > 0 && small.has(word)) || /^["“('’]?[A-Z0-9]/.test(word))
  )
}

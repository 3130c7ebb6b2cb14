/** A range of characters in the text of one page. */
export interface Place {
  readonly page: number
  readonly start: number
  readonly end: number
}

export const placeText = ({ page, start, end }: Place) => `${page}-${start}-${end}`

/** A place as `placeText` wrote it. */
export function placeOf(text: string): Place | undefined {
  const [, page, start, end] = /^(\d+)-(\d+)-(\d+)$/.exec(text) ?? []
  return page === undefined ? undefined : { page: Number(page), start: Number(start), end: Number(end) }
}

/** Where words stand in a document, however its lines are broken; the first of several places. */
export function placeOfWords(
  words: string,
  pages: readonly { page: number; text: string }[],
): Place | undefined {
  const parts = words.trim().split(/\s+/)
  if (parts[0] === '') return undefined
  const pattern = new RegExp(
    parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(String.raw`\s+`),
    'i',
  )
  for (const { page, text } of pages) {
    const found = pattern.exec(text)
    if (found) return { page, start: found.index, end: found.index + found[0].length }
  }
  return undefined
}

/** What a person has selected in the text of the document, or a sentence that says what is wrong with it. */
export function selectedPlace(): { place: Place; words: string } | string {
  const selection = getSelection()
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed)
    return 'Select words in the document first.'
  const range = selection.getRangeAt(0)
  const [first, last] = [pageAround(range.startContainer), pageAround(range.endContainer)]
  if (!first || !last) return 'Select words in the document first.'
  if (first !== last) return 'Select words of one page.'
  const before = document.createRange()
  before.setStart(first, 0)
  before.setEnd(range.startContainer, range.startOffset)
  const words = range.toString()
  const start = before.toString().length + (words.length - words.trimStart().length)
  const kept = words.trim()
  if (kept === '') return 'Select words in the document first.'
  return { words: kept, place: { page: Number(first.dataset['page']), start, end: start + kept.length } }
}

const pageAround = (node: Node) =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('.page-text') ?? undefined

import { contractTextMost } from '../../operations/contracts.ts'

/** How much of a document is read at most. Beyond it, the document is refused. */
export interface TextLimits {
  readonly pagesMost: number
  readonly charactersMost: number
  /** What a packed document may unpack to. */
  readonly unpackedBytesMost: number
  /** How many elements may stand inside each other. */
  readonly depthMost: number
}

export const textLimits: TextLimits = {
  pagesMost: 2_000,
  charactersMost: contractTextMost,
  unpackedBytesMost: 100_000_000,
  depthMost: 5_000,
}

/** Why a document cannot be read; the message is for the person who uploaded it. */
export class UnreadableDocument extends Error {}

/** Counts what was read and refuses what is more than a document may hold. */
export function measure(pages: readonly string[], limits: TextLimits): void {
  if (pages.length > limits.pagesMost)
    throw new UnreadableDocument(`The document has more than ${limits.pagesMost} pages.`)
  if (pages.reduce((sum, page) => sum + page.length, 0) > limits.charactersMost)
    throw new UnreadableDocument(`The document has more than ${limits.charactersMost} characters of text.`)
}

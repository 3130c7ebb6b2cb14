import { docxText } from './docx-text.ts'
import { documentType, type DocumentType } from './document-type.ts'
import { htmlText } from './html-text.ts'
import { pdfText } from './pdf-text.ts'
import { plainText } from './plain-text.ts'
import { type TextLimits, textLimits, UnreadableDocument } from './text-limits.ts'

/** The text of a document, page by page. */
export interface DocumentText {
  readonly type: DocumentType
  readonly pages: readonly string[]
}

const readers: Record<DocumentType, (bytes: Uint8Array, limits: TextLimits) => Promise<string[]>> = {
  pdf: pdfText,
  docx: docxText,
  html: htmlText,
  txt: plainText,
}

/** Reads the text of a document of any type we take. */
export async function documentText(
  bytes: Uint8Array,
  { type = documentType(bytes), limits = textLimits }: { type?: DocumentType; limits?: TextLimits } = {},
): Promise<DocumentText> {
  if (type === undefined)
    throw new UnreadableDocument('The file is none of PDF, Word (.docx), HTML and plain text.')
  const pages = await readers[type](bytes, limits)
  return { type, pages: pages.map((page) => page.replaceAll('\0', '').trimEnd()) }
}

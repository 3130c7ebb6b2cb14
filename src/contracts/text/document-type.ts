import { isUtf8 } from 'node:buffer'

export const documentTypes = ['pdf', 'docx', 'html', 'txt'] as const
export type DocumentType = (typeof documentTypes)[number]

/** The media type that a document is sent back with. */
export const mediaTypes: Record<DocumentType, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

const headBytes = 1_024
const textBytes = 65_536

/** What a file is, judged by its content and never by its name; undefined where it is nothing that we read. */
export function documentType(bytes: Uint8Array): DocumentType | undefined {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1')
  // The PDF reference lets a header begin anywhere in the first kilobyte.
  if (head.includes('%PDF-')) return 'pdf'
  if (head.startsWith('PK\x03\x04')) return isWord(bytes) ? 'docx' : undefined
  const start = head.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
  if (/^(<!doctype html|<html|<head|<body|<\?xml[^>]*\?>\s*(<!doctype html|<html))/i.test(start))
    return 'html'
  return isText(bytes.subarray(0, textBytes)) ? 'txt' : undefined
}

/** A Word document names its main part in the archive's directory. */
const isWord = (bytes: Uint8Array) => Buffer.from(bytes).includes('word/document.xml')

function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (utf16) return true
  // Control characters are in no text; a few old programs end pages (12) and files (26) with one.
  let odd = 0
  for (const byte of bytes) {
    if (byte === 0) return false
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 26 && byte !== 27)) odd++
  }
  return isUtf8(bytes) ? odd * 1_000 <= bytes.length : odd === 0
}

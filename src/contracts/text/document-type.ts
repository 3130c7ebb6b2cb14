import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

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
const startBytes = 65_536

/** What a file is, judged by its content and never by its name; undefined where it is nothing that we read. */
export function documentType(bytes: Uint8Array): DocumentType | undefined {
  const type = typeOfStart(bytes.subarray(0, startBytes))
  return type === 'zip' ? (Buffer.from(bytes).includes(wordPart) ? 'docx' : undefined) : type
}

/** The same of a file on the disk, of which little is held at a time. */
export async function fileDocumentType(path: string): Promise<DocumentType | undefined> {
  let last: Uint8Array = Buffer.alloc(0)
  let type: ReturnType<typeof typeOfStart> | 'unknown' = 'unknown'
  for await (const piece of createReadStream(path, { highWaterMark: startBytes }) as AsyncIterable<Buffer>) {
    if (type === 'unknown') type = typeOfStart(piece)
    if (type !== 'zip') return type
    if (Buffer.concat([last, piece]).includes(wordPart)) return 'docx'
    last = piece.subarray(-wordPart.length)
  }
  return undefined
}

/** A Word document names its main part in the archive's directory. */
const wordPart = 'word/document.xml'

function typeOfStart(start: Uint8Array): DocumentType | 'zip' | undefined {
  const head = Buffer.from(start.subarray(0, headBytes)).toString('latin1')
  // The PDF reference lets a header begin anywhere in the first kilobyte.
  if (head.includes('%PDF-')) return 'pdf'
  if (head.startsWith('PK\x03\x04')) return 'zip'
  const words = head.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
  if (/^(<!doctype html|<html|<head|<body|<\?xml[^>]*\?>\s*(<!doctype html|<html))/i.test(words))
    return 'html'
  return isText(start) ? 'txt' : undefined
}

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

import { isUtf8 } from 'node:buffer'
import { measure, type TextLimits } from './text-limits.ts'

/** The pages of a plain text: a form feed begins a new one. */
export async function plainText(bytes: Uint8Array, limits: TextLimits): Promise<string[]> {
  const pages = decoded(bytes).replaceAll(/\r\n?/g, '\n').split('\f')
  if (pages.length > 1 && pages.at(-1)!.trim() === '') pages.pop()
  measure(pages, limits)
  return pages
}

/** A text's characters: UTF-16 with its mark, UTF-8, else the Windows code page that old office files are in. */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

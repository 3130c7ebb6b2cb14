import { readFileSync } from 'node:fs'
import { extendPayers, type PayerEntry } from '../vocabulary/payers.ts'
import { extractByRules } from './extract/rules.ts'
import { documentText } from './text/document-text.ts'
import type { DocumentType } from './text/document-type.ts'
import { UnreadableDocument } from './text/text-limits.ts'

/**
 * Reads one document in a process of its own: its path, its type and the payers come in on standard input, text and entities
 * go out on standard output. Whoever started it gives it a time and a memory limit, and no environment.
 */
async function main(): Promise<void> {
  const { path, type, payers } = JSON.parse(readFileSync(0, 'utf8')) as {
    path: string
    type?: DocumentType
    payers: PayerEntry[]
  }
  extendPayers(payers)
  try {
    const text = await documentText(readFileSync(path), type && { type })
    const hasText = text.pages.some((page) => /[\p{L}\p{N}]{2}/u.test(page))
    answer({ text, ...(hasText && { extraction: extractByRules(text.pages) }) })
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    answer({ unreadable: error.message })
  }
}

let hasAnswered = false
function answer(value: unknown): void {
  hasAnswered = true
  process.stdout.write(JSON.stringify(value))
}

// The library that reads PDFs leaves promises behind that nobody waits for; a damaged file makes them fail, or never end.
process.on('unhandledRejection', () => {})
process.on('beforeExit', () => {
  if (!hasAnswered) answer({ unreadable: 'The document is damaged. Save it again and upload that.' })
})
main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})

import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { columnFile, readStage, wholeNumbers } from './reader/stage.ts'

/** Prices of a stage by the month in which they expire (`YYYY-MM`); '' = without a date that can be read. */
export function expirations(stage: string): Record<string, number> {
  const columns = readStage(stage)
  const dates = columns.words('attributes', 'expiration_date')
  const counts = new Float64Array(dates.length)
  if (columns.file.rows.prices > 0) {
    eachWord(join(stage, columnFile('prices', 'attributes', 'u32')), (words, count) => {
      for (let at = 0; at < count; at++) counts[words[at]!]!++
    })
  }
  const texts = textsOf(stage, new Set(dates))
  const months: Record<string, number> = {}
  for (const [row, date] of dates.entries()) {
    const month = /^(\d{4}-\d\d)-\d\d$/.exec(texts.get(date) ?? '')?.[1] ?? ''
    if (counts[row]) months[month] = (months[month] ?? 0) + counts[row]
  }
  return months
}

/** The beginnings of some texts of a stage, which may have more texts than memory holds. */
function textsOf(stage: string, ids: ReadonlySet<number>): Map<number, string> {
  const ends = openSync(join(stage, columnFile('texts', 'end', 'i64')), 'r')
  const bytes = openSync(join(stage, columnFile('texts', 'bytes', 'u8')), 'r')
  try {
    const span = new Uint8Array(16)
    const text = Buffer.alloc(textMax)
    return new Map(
      [...ids].map((id) => {
        // The first text begins at 0, which stands nowhere.
        span.fill(0)
        readSync(ends, span, id === 0 ? 8 : 0, id === 0 ? 8 : 16, Math.max(0, id - 1) * 8)
        const [from = 0, to = 0] = wholeNumbers(span)
        return [id, text.toString('latin1', 0, readSync(bytes, text, 0, Math.min(to - from, textMax), from))]
      }),
    )
  } finally {
    closeSync(ends)
    closeSync(bytes)
  }
}

/** Longer texts are no dates. */
const textMax = 64

const chunkWords = 1 << 16

/** A column of 32-bit words in pieces: it may be larger than memory. */
function eachWord(path: string, take: (words: Uint32Array, count: number) => void): void {
  const words = new Uint32Array(chunkWords)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const bytes = readSync(file, words, 0, chunkWords * 4, null)
      if (bytes === 0) return
      take(words, bytes >> 2)
    }
  } finally {
    closeSync(file)
  }
}

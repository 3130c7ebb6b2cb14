import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { columnFile, readStage } from './reader/stage.ts'
import { StagedTexts } from '../warehouse/staged-texts.ts'

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
  const texts = new StagedTexts(stage)
  const months: Record<string, number> = {}
  for (const [row, date] of dates.entries()) {
    const month = /^(\d{4}-\d\d)-\d\d$/.exec(texts.text(date))?.[1] ?? ''
    if (counts[row]) months[month] = (months[month] ?? 0) + counts[row]
  }
  return months
}

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

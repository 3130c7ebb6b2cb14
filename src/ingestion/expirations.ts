import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { columnFile, readStage } from './reader/stage.ts'

/** Prices of a stage by the month in which they expire (`YYYY-MM`); '' = without a date that can be read. */
export async function expirations(stage: string): Promise<Record<string, number>> {
  const columns = readStage(stage)
  const dates = columns.words('attributes', 'expiration_date')
  const counts = new Float64Array(dates.length)
  if (columns.file.rows.prices > 0)
    for await (const chunk of wordsOf(join(stage, columnFile('prices', 'attributes', 'u32'))))
      for (const attributes of chunk) counts[attributes] = (counts[attributes] ?? 0) + 1
  const ends = columns.wholes('texts', 'end')
  const texts = columns.bytes('texts', 'bytes')
  const months: Record<string, number> = {}
  for (const [row, date] of dates.entries()) {
    const text = Buffer.from(texts.subarray(date > 0 ? ends[date - 1] : 0, ends[date])).toString('latin1')
    const month = /^(\d{4}-\d\d)-\d\d$/.exec(text)?.[1] ?? ''
    if (counts[row]) months[month] = (months[month] ?? 0) + counts[row]
  }
  return months
}

const chunkBytes = 1 << 20

/** A column of 32-bit words in pieces: it may be larger than memory. */
async function* wordsOf(path: string): AsyncGenerator<Uint32Array, void> {
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const whole = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const length = whole.length & ~3
    const words = new Uint8Array(whole.subarray(0, length))
    yield new Uint32Array(words.buffer, 0, length / 4)
    rest = Buffer.from(whole.subarray(length))
  }
}

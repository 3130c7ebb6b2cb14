import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { columnFile, wholeNumbers } from './reader/stage.ts'

/** Some texts of a stage by their numbers. A stage may have more texts than memory holds. */
export function stagedTexts(stage: string, ids: Iterable<number>): Map<number, string> {
  const ends = openSync(join(stage, columnFile('texts', 'end', 'i64')), 'r')
  const bytes = openSync(join(stage, columnFile('texts', 'bytes', 'u8')), 'r')
  try {
    const endsAt = blocks(ends)
    const bytesAt = blocks(bytes)
    const end = (id: number) => (id < 0 ? 0 : wholeNumbers(endsAt(id * 8, 8))[0]!)
    const ascending = Uint32Array.from(new Set(ids)).sort()
    return new Map(
      Array.from(ascending, (id) => {
        const from = end(id - 1)
        return [id, Buffer.from(bytesAt(from, end(id) - from)).toString('utf8')]
      }),
    )
  } finally {
    closeSync(ends)
    closeSync(bytes)
  }
}

const blockBytes = 1 << 16

/** Looks into a file, block by block: what is asked for in ascending order is read once. */
function blocks(file: number): (at: number, length: number) => Uint8Array {
  let block = new Uint8Array(blockBytes)
  let start = 0
  let held = 0
  return (at, length) => {
    if (at < start || at + length > start + held) {
      if (length > block.length) block = new Uint8Array(length)
      start = at
      held = readSync(file, block, 0, block.length, at)
    }
    return block.slice(at - start, at - start + length)
  }
}

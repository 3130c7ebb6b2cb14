import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScratchWords } from './scratch-words.ts'

const words = 300_000
const all = Uint32Array.from({ length: words }, (_, i) => Math.imul(i, 0x9e37_79b1))

describe('words of a build under way', () => {
  it.each([
    ['held', words],
    ['on disk', 0],
  ])('come back as they were written: %s', (_, held) => {
    const folder = mkdtempSync(join(tmpdir(), 'ratebook-scratch-'))
    const path = join(folder, 'scratch')
    const scratch = new ScratchWords(path, words, held)
    try {
      for (let from = 0; from < words; from += 70_001) {
        const part = all.subarray(from, from + 70_001)
        const at = scratch.room(part.length)
        scratch.piece.set(part, at)
        scratch.wrote(part.length)
      }
      expect(scratch.length).toBe(words)
      expect(existsSync(path)).toBe(held === 0)
      // Pieces that follow each other are read ahead, others as they are asked for; some are longer than what is read ahead.
      const piece = fc.record({
        follows: fc.boolean(),
        from: fc.nat({ max: words }),
        count: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 150_000 })),
      })
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
          let last = 0
          for (const { follows, from, count } of pieces) {
            const start = follows ? last : from
            last = Math.min(words, start + count)
            const at = scratch.load(start, last - start)
            const got = scratch.piece.subarray(at, at + last - start)
            expect(Buffer.compare(bytesOf(got), bytesOf(all.subarray(start, last)))).toBe(0)
          }
        }),
      )
    } finally {
      scratch.remove()
      expect(existsSync(path)).toBe(false)
      rmSync(folder, { recursive: true })
    }
  })
})

const bytesOf = (values: Uint32Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

import { describe, expect, it } from 'vitest'
import { bytesText, durationText, ProgressCount, progressLine } from './progress.ts'

describe('progress', () => {
  it('sums files that are done and under way', () => {
    const count = new ProgressCount()
    count.expect('a', 100)
    count.expect('b', 300)
    count.running('a', { packedBytes: 50, unpackedBytes: 500 })
    expect(count.now()).toMatchObject({ filesTotal: 2, filesDone: 0, packedBytes: 50, unpackedBytes: 500 })
    count.finished('a', { packedBytes: 100, unpackedBytes: 1_000 })
    count.running('b', { packedBytes: 100, unpackedBytes: 1_000 })
    const now = count.now()
    expect(now).toMatchObject({ filesDone: 1, packedBytes: 200, unpackedBytes: 2_000 })
    // Half of all bytes is done, so as much time is left as has passed.
    expect((now.remainingMs ?? 0) / now.elapsedMs).toBeCloseTo(1, 1)
    expect(progressLine(now)).toContain('1 of 2 files')
  })

  it('estimates by files where sizes are unknown', () => {
    const count = new ProgressCount()
    for (const name of ['a', 'b', 'c']) count.expect(name)
    expect(count.now().remainingMs).toBeUndefined()
    count.finished('a')
    const now = count.now()
    expect((now.remainingMs ?? 0) / now.elapsedMs).toBeCloseTo(2, 1)
  })
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234_567, '1.2 MB'],
  [250e9, '250 GB'],
])('%s bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))

it.each([
  [4_400, '4 s'],
  [65_000, '1 min 05 s'],
  [3_725_000, '1 h 02 min'],
])('%s ms are %s', (ms, text) => expect(durationText(ms)).toBe(text))

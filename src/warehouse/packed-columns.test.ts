import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ByteSink,
  packColumn,
  packedEnd,
  packLongColumn,
  unpackInto,
  unpackLongColumn,
} from './packed-columns.ts'

const whole = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: -5_000_000, max: 5_000_000 }).map((cents) => cents * 100),
  fc.maxSafeNat(),
  fc.maxSafeNat().map((value) => 0 - Math.floor(value / 2)),
)

describe('packed columns', () => {
  it('give every whole number back', () => {
    fc.assert(
      fc.property(fc.array(fc.array(whole, { maxLength: 50 }), { maxLength: 4 }), (columns) => {
        const kept = columns.map((values) => {
          // A column spans less than 2^53: rates and offsets do.
          const least = Math.min(...values)
          return values.filter((value) => value - least <= Number.MAX_SAFE_INTEGER)
        })
        const sink = new ByteSink()
        for (const values of kept) packColumn(sink, Float64Array.from(values), 0, values.length)
        let at = 0
        for (const values of kept) {
          const read = new Float64Array(values.length)
          unpackInto(sink.written(), at, values.length, read)
          expect([...read]).toEqual(values)
          at = packedEnd(sink.written(), at, values.length)
        }
        expect(at).toBe(sink.length)
      }),
    )
  })

  it('give long columns back, piece by piece', () => {
    const values = Float64Array.from({ length: 10_000 }, (_, i) => (i * 7_919) % 65_537)
    const sink = new ByteSink()
    packLongColumn(sink, values)
    const read = new Uint32Array(values.length)
    unpackLongColumn(sink.written(), values.length, read)
    expect(read).toEqual(Uint32Array.from(values))
    expect(sink.length).toBeLessThan(values.length * 3 + 100)
  })

  it('are the same bytes whether they come as words or as numbers', () => {
    const word = fc.oneof(
      fc.nat({ max: 300 }),
      fc.nat({ max: 42_949_672 }).map((cents) => cents * 100),
      fc.nat({ max: 0xffff_ffff }),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 50 }), (values) => {
        const [words, numbers] = [new ByteSink(), new ByteSink()]
        packColumn(words, Uint32Array.from(values), 0, values.length)
        packColumn(numbers, Float64Array.from(values), 0, values.length)
        expect(words.written()).toEqual(numbers.written())
        const read = new Uint32Array(values.length)
        unpackInto(words.written(), 0, values.length, read)
        expect([...read]).toEqual(values)
      }),
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonRows } from './common-rows.ts'
import { RowList } from './row-list.ts'

// Three blocks of 65,536 rows, the last begun.
const rows = 140_000
const blocks = 3
const naive = (fits: (row: number) => boolean) => Array.from({ length: rows }, (_, row) => row).filter(fits)
const listOf = (fits: (row: number) => boolean) => RowList.of(naive(fits), blocks)

/** Words from those that everybody bears to those that nobody does, in some blocks or in all. */
const word = fc.record({
  every: fc.constantFrom(1, 2, 7, 15, 97, 1_000, 50_000),
  offset: fc.nat(50_000),
  from: fc.constantFrom(0, 60_000, 65_536, 100_000, rows),
  to: fc.constantFrom(0, 50_000, 65_536, 131_072, rows),
})
type Word = typeof word extends fc.Arbitrary<infer Made> ? Made : never
const bears =
  ({ every, offset, from, to }: Word) =>
  (row: number) =>
    row >= from && row < to && (row + offset) % every === 0

describe('the rows that several lists have in common', () => {
  it('are those that a look at every row finds, in order', () => {
    const wants = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(wants, (asked) => {
        const lists = asked.map((any) => any.map((one) => listOf(bears(one))))
        const expected = naive((row) => asked.every((any) => any.some((one) => bears(one)(row))))
        expect([...commonRows(lists, blocks)]).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  it('can be left after the first', () => {
    const [first] = commonRows([[listOf((row) => row > 70_000)], [listOf((row) => row % 3 === 0)]], blocks)
    expect(first).toBe(70_002)
  })
})

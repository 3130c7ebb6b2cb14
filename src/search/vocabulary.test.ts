import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Vocabulary, vocabularyBlock } from './vocabulary.ts'

const opened = (counts: ReadonlyMap<string, number>) => {
  const bytes = vocabularyBlock(counts)
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  return new Vocabulary(shared)
}
const word = fc.stringMatching(/^[a-d]{1,6}$/)
const vocabulary = fc
  .uniqueArray(word, { minLength: 0, maxLength: 40 })
  .map((list) => new Map(list.map((one, place) => [one, place + 1])))

/** Letters put in, left out, changed, or swapped with the next, each place used once. */
function slips(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, at) => [at])
  const cell = (row: number, column: number) => rows[row]?.[column] ?? 99
  for (let column = 1; column <= other.length; column++) (rows[0] as number[])[column] = column
  for (let row = 1; row <= one.length; row++)
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      let least = Math.min(
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + same,
      )
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, cell(row - 2, column - 2) + 1)
      ;(rows[row] as number[])[column] = least
    }
  return cell(one.length, other.length)
}

describe('a vocabulary', () => {
  it('knows how many entries bear each word, and no other word', () => {
    fc.assert(
      fc.property(vocabulary, word, (counts, asked) => {
        const trie = opened(counts)
        expect(trie.size).toBe(counts.size)
        expect(trie.count(asked)).toBe(counts.get(asked) ?? 0)
        expect(trie.hasPrefix(asked)).toBe([...counts.keys()].some((one) => one.startsWith(asked)))
      }),
    )
  })

  it.each([1, 2] as const)('finds exactly the words within %i slips', (distance) => {
    fc.assert(
      fc.property(vocabulary, word, (counts, asked) => {
        const expected = [...counts.keys()].filter((one) => one !== asked && slips(one, asked) <= distance)
        const found = opened(counts).neighbours(asked, distance)
        expect(found.map((near) => near.word).sort()).toEqual(expected.sort())
        for (const near of found) expect(near.distance).toBe(slips(near.word, asked))
      }),
    )
  })

  it('completes a beginning with the most frequent words first', () => {
    const trie = opened(
      new Map([
        ['smith', 9],
        ['smithson', 2],
        ['smythe', 4],
        ['sm', 1],
      ]),
    )
    expect(trie.completions('sm', 3).map((term) => term.word)).toEqual(['smith', 'smythe', 'smithson'])
    expect(trie.completions('smit', 9).map((term) => term.word)).toEqual(['smith', 'smithson'])
    expect(trie.completions('x', 9)).toEqual([])
  })

  it('shows where a glued word can be cut', () => {
    const trie = opened(
      new Map([
        ['john', 1],
        ['johns', 1],
        ['smith', 1],
      ]),
    )
    expect(trie.beginnings('johnsmith', 0).map((term) => term.word)).toEqual(['johns', 'john'])
    expect(trie.beginnings('johnsmith', 4).map((term) => term.word)).toEqual(['smith'])
  })
})

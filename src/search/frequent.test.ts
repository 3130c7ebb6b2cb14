import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonRows } from './common-rows.ts'
import { FrequentWriter } from './frequent-writer.ts'
import { Frequent } from './frequent.ts'

// Three blocks of 65,536 rows, the last begun.
const rows = 140_000
const bears: Record<string, (row: number) => boolean> = {
  even: (row) => row % 2 === 0,
  some: (row) => row % 97 === 5,
  few: (row) => row % 1_000 === 5,
  first: (row) => row < 60_000,
  // Not met in the first block, by which the frequent words are chosen.
  late: (row) => row > 100_000,
  once: (row) => row === 7,
}
const names = Object.keys(bears)
const naive = (fits: (row: number) => boolean) => Array.from({ length: rows }, (_, row) => row).filter(fits)

describe('the lists of frequent words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-frequent-'))
  let frequent: Frequent
  const left = new Map<string, number>()

  beforeAll(() => {
    const writer = new FrequentWriter(folder)
    for (let row = 0; row < rows; row++) {
      const tokens = names.filter((name) => bears[name]?.(row))
      // A word may come twice, as two beginnings of one entry do.
      const twice = [...tokens, ...tokens]
      if (!writer.isChosen) writer.wait(twice)
      else {
        const sorted = writer.sorted(twice)
        writer.add([sorted])
        for (const token of sorted.rare.split(' ')) if (token !== '') left.set(token, row)
      }
    }
    writer.finish()
    frequent = new Frequent(folder, rows)
  })
  afterAll(() => {
    frequent.close()
    rmSync(folder, { recursive: true })
  })

  it('are chosen by the first block, and what is not among them is handed back', () => {
    expect(names.filter((name) => frequent.has(name))).toEqual(['even', 'some', 'few', 'first'])
    expect([...left.keys()]).toEqual(['late'])
  })

  it.each(['even', 'some', 'few', 'first'])('hold exactly the rows of "%s"', (name) => {
    const list = frequent.list(name)
    expect(naive((row) => list.has(row))).toEqual(naive(bears[name]!))
    expect([...commonRows([[list]], frequent.blocks)]).toEqual(naive(bears[name]!))
  })
})

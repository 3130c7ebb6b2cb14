import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ColumnsThread } from './columns-thread.ts'
import { ListTable } from './interning.ts'
import { ColumnsHere, type MonthColumns, type WrittenColumns } from './month-columns.ts'
import { PriceBatch } from './price-batch.ts'
import type { PairContent } from './provider-columns.ts'
import type { SetColumns } from './set-sizes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratebook-columns-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pairCount = 5_000
const atoms = 700
const spread = (i: number, below: number) => (Math.imul(i, 0x9e37_79b1) >>> 0) % below

const pairs: PairContent = {
  tins: ['123456789', 'no number', '1234567893', '234567890'],
  tinNames: ['First', '', 'Third', 'Fourth'],
  tin: Uint32Array.from({ length: pairCount }, (_, i) => i % 4),
  npiLow: Uint32Array.from({ length: pairCount }, (_, i) => spread(i >>> 2, 0xffff_ffff)),
  npiHigh: Uint32Array.from({ length: pairCount }, (_, i) => (i % 100 < 4 ? 1 : 0)),
  atom: Uint32Array.from({ length: pairCount }, (_, i) => (i < atoms ? i : spread(i, atoms))),
  atoms,
}

/** Writes a month whose sets grow while its prices are written. */
async function written(columns: MonthColumns): Promise<WrittenColumns> {
  const sets = new ListTable(true)
  const soFar = (): SetColumns => ({
    sets: sets.size,
    atoms: sets.items.length,
    end: sets.end.values,
    items: sets.items.values,
  })
  const addSets = (count: number) => {
    for (let i = 0; i < count; i++) {
      const first = spread(sets.size, atoms - 60)
      sets.id(Uint32Array.from({ length: 20 + (sets.size % 20) }, (_, at) => first + at))
    }
    columns.setsSoFar(soFar())
  }
  sets.id(new Uint32Array(0))
  columns.writePairs(pairs)
  addSets(900)
  let batch = new PriceBatch()
  for (let code = 0; code < 60; code++) {
    const { rows, kept } = batch
    for (let i = 0; i < 500 + code; i++) {
      const object = rows.objects.length
      // The rate objects of a third of the codes stand in two items.
      rows.objects.add(code % 2, code % 3 === 1 && i > 100 ? code + 1 : code, 1)
      rows.objects.offset[object] = i * 2 ** 33 + code
      rows.objects.index[object] = i
      const row = rows.length
      rows.reserve(++rows.length)
      rows.rate[row] = spread(row + code, 1_000_000) * (code % 3 === 0 ? 100 : 1) - 100
      rows.object[row] = object
      kept.push(row, i >>> 6, spread(row + code, sets.size), spread(row, 130))
    }
    batch.endCode()
    if (code % 3 === 2) {
      batch = await columns.writePrices(batch)
      addSets(5)
    }
  }
  return columns.finish(soFar())
}

const files = (of: string) =>
  Object.fromEntries(readdirSync(of).map((name) => [name, readFileSync(join(of, name)).toString('base64')]))

describe('columns of a month', () => {
  it('are the same bytes and counts, whichever thread writes them', async () => {
    const here = mkdtempSync(join(folder, 'here-'))
    const beside = mkdtempSync(join(folder, 'beside-'))
    const expected = await written(new ColumnsHere(here))
    const thread = new ColumnsThread(beside)
    expect(await written(thread)).toEqual(expected)
    await thread.stop()
    expect(expected.counts.prices).toBe(60 * 500 + (59 * 60) / 2)
    expect(files(beside)).toEqual(files(here))
    expect(Object.keys(files(here)).length).toBe(4)
  })

  it('are not finished where the thread cannot write them', async () => {
    const thread = new ColumnsThread(join(folder, 'missing'))
    await expect(written(thread)).rejects.toThrow(/ENOENT/)
    await thread.stop()
  })

  it('are given up when it is told to stop', async () => {
    const thread = new ColumnsThread(folder)
    thread.writePairs(pairs)
    await thread.stop()
    const empty = { sets: 0, atoms: 0, end: new Uint32Array(0), items: new Uint32Array(0) }
    await expect(thread.finish(empty)).rejects.toThrow('ended')
  })
})

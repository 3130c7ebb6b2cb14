import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ColumnsWriter } from './columns-writer.ts'
import { Columns, valuesText } from './columns.ts'
import { Keys, keysFile } from './keys.ts'

const opened: { folder: string; keys: Keys }[] = []
afterEach(() => {
  for (const { folder, keys } of opened.splice(0)) {
    keys.close()
    rmSync(folder, { recursive: true })
  }
})

function packed(rows: readonly { key: number; states: readonly string[] }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-columns-'))
  const writer = new ColumnsWriter(['state', 'kind'], folder)
  const tokens = rows.map(({ key, states }) => writer.add(key, { state: valuesText(states), kind: 'x' }))
  writeFileSync(keysFile(folder), Buffer.concat([...writer.keys()]))
  const bytes = Buffer.concat([...writer.block()])
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  const keys = new Keys(folder, rows.length)
  opened.push({ folder, keys })
  return { columns: new Columns(shared), keys, tokens }
}

const row = fc.record({
  key: fc.integer({ min: 0, max: 9_999_999_999 }),
  states: fc.uniqueArray(fc.constantFrom<string>('CA', 'TX', 'NY', 'WY', ''), { maxLength: 3 }),
})
const rows = fc.uniqueArray(row, { selector: ({ key }) => key, maxLength: 50 })

describe('packed columns', () => {
  it('give back every identifier and pass exactly the entries with a wanted value', () => {
    fc.assert(
      fc.property(
        rows,
        fc.uniqueArray(fc.constantFrom<string>('CA', 'TX', 'NY', 'ZZ', '')),
        (list, wanted) => {
          const { columns, keys } = packed(list)
          const filter = columns.test('state', wanted)
          expect(columns.rows).toBe(list.length)
          let passing = 0
          for (const [at, { key, states }] of list.entries()) {
            expect(keys.at(at)).toBe(key)
            expect(filter.passes(at)).toBe(states.some((state) => wanted.includes(state)))
            passing += states.filter((state) => wanted.includes(state)).length
          }
          expect(filter.count).toBe(passing)
        },
      ),
    )
  })

  it('name the posting-list words of an entry and of a filter alike', () => {
    const { columns, tokens } = packed([
      { key: 1, states: ['CA', 'TX'] },
      { key: 2, states: ['TX'] },
    ])
    const [texas = ''] = columns.test('state', ['TX']).tokens
    expect(tokens.map((words) => words.includes(texas))).toEqual([true, true])
    const [california = ''] = columns.test('state', ['CA']).tokens
    expect(tokens.map((words) => words.includes(california))).toEqual([true, false])
  })

  it('keep nothing for a value that no entry has', () => {
    const { columns } = packed([{ key: 1, states: ['CA'] }])
    expect(columns.test('state', ['PR'])).toMatchObject({ tokens: [], count: 0 })
    expect(columns.rowsThat((at) => columns.test('state', ['PR']).passes(at), 10)).toEqual([])
  })

  it('find identifiers between two numbers in rank order', () => {
    const { keys } = packed([9, 3, 7, 5].map((key) => ({ key, states: [] })))
    expect(keys.rowsBetween(3, 7, 2, () => true).map((at) => keys.at(at))).toEqual([3, 7])
    expect(keys.rowsBetween(3, 7, 9, (at) => at !== 2).map((at) => keys.at(at))).toEqual([3, 5])
    expect(keys.rowsBetween(10, 99, 9, () => true)).toEqual([])
  })

  it('find them beyond the first block, too', () => {
    const { keys } = packed(Array.from({ length: 40_000 }, (_, at) => ({ key: at * 7 + 1, states: [] })))
    expect(keys.rowsBetween(7 * 39_000, 7 * 39_002, 9, () => true)).toEqual([39_000, 39_001])
    expect([keys.at(0), keys.at(39_999), keys.at(16_384)]).toEqual([1, 279_994, 114_689])
  })
})

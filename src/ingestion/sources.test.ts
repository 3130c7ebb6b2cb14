import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expandedSources } from './sources.ts'
import { targetFilter, targetKey } from './target.ts'

const folder = mkdtempSync(join(tmpdir(), 'sources-'))
afterAll(() => rmSync(folder, { recursive: true }))
const put = (name: string, text = '{}') => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

beforeAll(() => {
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  for (const name of ['b.json', 'a.json.gz', 'notes.md', 'deep/er/c.ZIP']) put(name)
})

describe('sources', () => {
  it('of a folder are its payer files, however deep, in order', async () => {
    const files = await expandedSources([folder])
    expect(files.map(({ address }) => address.slice(folder.length + 1))).toEqual([
      'a.json.gz',
      'b.json',
      'deep/er/c.ZIP',
    ])
  })

  it('of a list are its addresses, tokens apart, each once', async () => {
    const list = put(
      'list.txt',
      '\uFEFF# a comment\n\nhttps://h.example/a.json?sig=1\n  https://h.example/b.json  \nhttps://h.example/a.json?sig=2\n',
    )
    expect(await expandedSources([list])).toEqual([
      { address: 'https://h.example/a.json', from: 'https://h.example/a.json?sig=2' },
      { address: 'https://h.example/b.json', from: 'https://h.example/b.json' },
    ])
  })

  it('are a file whatever its name, where it is no list', async () => {
    const odd = put('data.txt', '{"in_network":[]}')
    expect(await expandedSources([odd, odd])).toEqual([{ address: odd, from: odd }])
  })

  it('that are not there are told', async () => {
    await expect(expandedSources([join(folder, 'nowhere')])).rejects.toThrow('no file or folder')
  })
})

describe('a target', () => {
  it('is none where nothing is asked for', () => {
    expect(targetFilter({})).toBeUndefined()
    expect(targetKey({})).toBe('')
  })

  it('has one name whatever the order, and another for another wish', () => {
    expect(targetKey({ codes: ['1', '2'] })).toBe(targetKey({ codes: ['2', '1', '1'] }))
    expect(targetKey({ codes: ['1'] })).not.toBe(targetKey({ npis: [1] }))
  })

  it('knows a DRG with its severity in every spelling', () => {
    expect(targetFilter({ codes: ['139-2'], tins: ['12-3456789'] })).toEqual({
      codes: new Set(['139-2', '139', '1392']),
      tins: new Set(['123456789']),
    })
  })
})

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeDirectory } from '../../test/support/small-directory.ts'
import { openProviders } from './open.ts'
import { refreshIndex } from './refresh.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratebook-refresh-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const builds = () =>
  readdirSync(join(folder, 'directory/builds')).filter((name) => name.startsWith('search-'))
const newcomer =
  "insert into providers values (1000000079, 'group', 'NEWCOMER CLINIC', [], null, null, [], 'FL', [], false);"
const ask = { searchTerm: 'newcomer', limit: 5 }

describe('the index', () => {
  it('says so while nothing is loaded', async () => {
    expect(await refreshIndex(folder)).toBeUndefined()
    const providers = await openProviders(folder, { watchMs: 0 })
    await expect(providers.npis({ npis: [1_000_000_012] })).rejects.toMatchObject({ code: 'not_loaded' })
    await providers.close()
  })

  it('is made once for the same data, whoever asks and however many at once', async () => {
    await writeDirectory(folder, '1')
    const names = await Promise.all([refreshIndex(folder), refreshIndex(folder), refreshIndex(folder)])
    expect(new Set(names).size).toBe(1)
    expect(await refreshIndex(folder)).toBe(names[0])
    expect(builds()).toEqual([names[0]])
  })

  it('follows the directory, and servers follow it without a failed question', async () => {
    await writeDirectory(folder, '1')
    const first = await refreshIndex(folder)
    const providers = await openProviders(folder, { watchMs: 50 })
    expect(await providers.npiSearch(ask)).toEqual([])
    const stop = new AbortController()
    let [answered, failed] = [0, 0]
    const loops = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) {
        await providers.npis({ npis: [1_000_000_012] }).then(
          () => answered++,
          () => failed++,
        )
      }
    })
    await writeDirectory(folder, '2', newcomer)
    const second = await refreshIndex(folder)
    expect(second).not.toBe(first)
    const end = Date.now() + 10_000
    while ((await providers.npiSearch(ask)).length === 0 && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    await Promise.all(loops)
    expect(await providers.npiSearch(ask)).toMatchObject([{ value: 1_000_000_079 }])
    expect(failed).toBe(0)
    expect(answered).toBeGreaterThan(50)
    expect(new Set(builds())).toEqual(new Set([first, second]))
    await providers.close()
  })

  it('leaves nothing of a build that was killed', async () => {
    await writeDirectory(folder, '1')
    mkdirSync(join(folder, 'directory/builds/search-0123456789ab.partial-4194305'), { recursive: true })
    const build = await refreshIndex(folder)
    expect(builds()).toEqual([build])
  })
})

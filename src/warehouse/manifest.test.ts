import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PublishedFile } from '../../test/support/payer-file.ts'
import { buildFiles, publishFiles, type PublishedRates } from '../../test/support/published.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import { collectOldBuilds, dropMonth, publishBuilds, readManifest, rollback, snapshots } from './manifest.ts'
import { openRates } from './rates.ts'

const month = 202605 as SourceMonth
const file = (digest: string, payer = 'Aetna'): PublishedFile => ({
  payer,
  month,
  digest,
  plans: [],
  networks: [],
  file: {
    in_network: [
      {
        billing_code_type: 'CPT',
        billing_code: '99213',
        negotiated_rates: [
          {
            provider_groups: [{ npi: [1_000_000_004], tin: { type: 'ein', value: '123456789' } }],
            negotiated_prices: [
              { negotiated_type: 'negotiated', negotiated_rate: 1, billing_class: 'professional' },
            ],
          },
        ],
      },
    ],
  },
})

let store: PublishedRates
beforeEach(async () => {
  store = await publishFiles([file('one')])
})
afterEach(() => store.remove())

const publish = async (digest: string, payer?: string) =>
  publishBuilds(store.folder, await buildFiles(store.folder, [file(digest, payer)]))
const buildNames = async () => (await readManifest(store.folder)).builds.map(({ build }) => build)

describe('the manifest', () => {
  it('replaces the build of a payer and month, and keeps the others', async () => {
    const [first] = await buildNames()
    await publish('cigna', 'Cigna')
    expect(await buildNames()).toHaveLength(2)
    await publish('two')
    const names = await buildNames()
    expect(names).toHaveLength(2)
    expect(names).not.toContain(first)
  })

  it('gives the same files the same build', async () => {
    const before = await buildNames()
    await publish('one')
    expect(await buildNames()).toEqual(before)
  })

  it('goes back, and further back', async () => {
    const [first] = await buildNames()
    await publish('two')
    await publish('three')
    await rollback(store.folder)
    await rollback(store.folder)
    expect(await buildNames()).toEqual([first])
    await rollback(store.folder)
    expect(await buildNames()).toEqual([])
    await expect(rollback(store.folder)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('drops a month, and says when there is none', async () => {
    await dropMonth(store.folder, 'Aetna', month)
    expect(await buildNames()).toEqual([])
    await expect(dropMonth(store.folder, 'Aetna', month)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('loses nothing when several publish at once', async () => {
    const payers = ['Cigna', 'Humana', 'UnitedHealthcare', 'Anthem']
    await Promise.all(payers.map((payer) => publish(`file of ${payer}`, payer)))
    expect((await readManifest(store.folder)).builds.map(({ payer }) => payer).sort()).toEqual(
      ['Aetna', ...payers].sort(),
    )
  })
})

describe('snapshots', () => {
  it('stay readable after newer ones, and their ids sort by age', async () => {
    const held = await store.rates.current()
    await publish('two')
    await publish('three')
    const ids = (await snapshots(store.folder)).map(({ snapshot }) => snapshot)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(held.builds[0]!.prices(0).rows).toBe(1)
    expect((await store.rates.at(held.id))?.id).toBe(held.id)
    expect(await store.rates.at('../manifest')).toBeUndefined()
  })

  it('are collected with their builds once nobody can hold them', async () => {
    const held = await store.rates.current()
    await publish('two')
    const inAnHour = Date.now() + 3_600_000
    expect(await collectOldBuilds(store.folder, { now: inAnHour })).toEqual({ removed: [] })
    // This process still holds the first snapshot.
    expect(await collectOldBuilds(store.folder, { keepMs: 1, now: inAnHour })).toEqual({ removed: [] })
    expect(held.builds).toHaveLength(1)
    store.rates.close()
    const { removed } = await collectOldBuilds(store.folder, { keepMs: 1, now: inAnHour })
    expect(removed).toHaveLength(1)
    expect(readdirSync(join(store.folder, 'builds'))).toEqual(await buildNames())
    expect(existsSync(join(store.folder, 'snapshots', `${held.id}.json`))).toBe(false)
    const again = openRates(store.folder)
    expect((await again.current()).builds).toHaveLength(1)
    again.close()
  })
})

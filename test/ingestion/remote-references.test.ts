import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ingest } from '../../src/ingestion/ingest.ts'
import { status } from '../../src/ingestion/status.ts'
import type { SourceMonth } from '../../src/vocabulary/period.ts'
import { fileServer, serving, type Answer, type FileServer } from '../support/file-server.ts'
import { bytesOf, inNetworkFile, item, price } from '../support/in-network.ts'

let folder: string
let server: FileServer
const may = 202605 as SourceMonth
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remote-'))
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const groups = (npi: number) =>
  bytesOf({
    provider_groups: [{ npi: [npi], tin: { type: 'ein', value: '12-3456789' } }],
    version: '1.0.0',
  })

/** A file whose first price is for the reference at `one`, its second for the one at `two`. */
function file(one: string, two: string): string {
  const path = join(folder, '2026-05-01_a.json')
  const content = inNetworkFile({
    version: '1.0.0',
    provider_references: [
      { provider_group_id: 1, location: one },
      { provider_group_id: 2, location: two },
    ],
    in_network: [item('CPT', '99213', [1], [price(10)]), item('CPT', '99214', [2], [price(20)])],
  })
  writeFileSync(path, bytesOf(content))
  return path
}

const run = (path: string) =>
  ingest({
    ratesFolder: join(folder, 'rates'),
    sources: [path],
    threads: 1,
    http: { tries: 2, pauseMs: 1 },
  })

const filesWith = (text: string) =>
  globSync('**/*', { cwd: join(folder, 'rates') })
    .map((name) => join(folder, 'rates', name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text))

const patience = { timeout: 120_000 }

it('stores nothing of what grants access to a remote reference', patience, async () => {
  const token = 'c0ffee'.repeat(8)
  const open =
    (npi: number): Answer =>
    (request, response) =>
      request.url?.includes(token) ? void response.end(groups(npi)) : void response.writeHead(403).end()
  server = await fileServer({ '/one.json': open(1234567893), '/two.json': open(1111111112) })
  const signed = (name: string) => `${server.address}/${name}?part=7&Signature=${token}&Expires=99`
  const summary = await run(file(signed('one.json'), signed('two.json')))
  expect(summary.months).toMatchObject([{ counts: { entries: 2, pricesWithoutProviders: 0 } }])
  expect(filesWith('part=7').length).toBeGreaterThan(0)
  expect(filesWith(token)).toEqual([])
})

it('tells references apart that differ only in what looks like a token', patience, async () => {
  const ids = ['a1'.repeat(20), 'b2'.repeat(20)]
  server = await fileServer({
    '/reference': (request, response) =>
      void response.end(groups(request.url?.includes(ids[0]!) ? 1234567893 : 1111111112)),
  })
  const at = (id: string | undefined) => `${server.address}/reference?id=${id}`
  const summary = await run(file(at(ids[0]), at(ids[1])))
  expect(summary.months).toMatchObject([{ counts: { entries: 2, npis: 2 } }])
})

it('asks again for references that could not be had, though the file is the same', patience, async () => {
  let up = false
  server = await fileServer({
    '/one.json': serving(groups(1234567893)),
    '/two.json': (request, response, nth) =>
      up ? serving(groups(1111111112))(request, response, nth) : void response.writeHead(404).end(),
  })
  const path = file(`${server.address}/one.json`, `${server.address}/two.json`)
  const first = await run(path)
  expect(first.months).toMatchObject([{ counts: { entries: 1, pricesWithoutProviders: 1 } }])
  const same = await run(path)
  expect(same.months[0]?.build).toBe(first.months[0]?.build)
  up = true
  const second = await run(path)
  expect(second).toMatchObject({ files: { read: 0, unchanged: 1 } })
  expect(second.months).toMatchObject([{ counts: { entries: 2, pricesWithoutProviders: 0 } }])
  const found = await status(join(folder, 'rates'), { payer: 'Aetna', month: may })
  expect(found.payers[0]?.months[0]?.quality).toMatchObject({ unresolvedReferences: 0 })
  const asked = server.asked.length
  await run(path)
  expect(server.asked.length).toBe(asked)
})

it(
  'keeps what it had while a host is away, and reads a file again for its signed addresses',
  patience,
  async () => {
    const token = 'ab'.repeat(20)
    let state: 'half' | 'away' | 'whole' = 'half'
    const answer =
      (npi: number, half: boolean): Answer =>
      (request, response) =>
        request.url?.includes(token) && (state === 'whole' || (state === 'half' && half))
          ? void response.end(groups(npi))
          : void response.writeHead(404).end()
    server = await fileServer({
      '/one.json': answer(1234567893, true),
      '/two.json': answer(1111111112, false),
    })
    const signed = (name: string) => `${server.address}/${name}?Signature=${token}`
    const path = file(signed('one.json'), signed('two.json'))
    const first = await run(path)
    expect(first.months).toMatchObject([{ counts: { entries: 1 } }])
    state = 'away'
    expect((await run(path)).months[0]?.build).toBe(first.months[0]?.build)
    state = 'whole'
    expect((await run(path)).months).toMatchObject([{ counts: { entries: 2, pricesWithoutProviders: 0 } }])
  },
)

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLedger } from '../../src/ingestion/ledger.ts'
import { takeLock } from '../../src/files/lock.ts'
import { ingest, type IngestRequest } from '../../src/ingestion/ingest.ts'
import { status } from '../../src/ingestion/status.ts'
import type { SourceMonth } from '../../src/vocabulary/period.ts'
import { readManifest } from '../../src/warehouse/manifest.ts'
import { fileServer, serving, type FileServer } from '../support/file-server.ts'
import { bytesOf, indexFile, inNetworkFile, item, price, reference } from '../support/in-network.ts'
import { zipOf } from '../support/zip.ts'

let folder: string
let rates: string
let server: FileServer | undefined
const may = 202605 as SourceMonth

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipeline-'))
  rates = join(folder, 'rates')
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true })
})

const put = (name: string, bytes: Uint8Array | string) => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const run = (sources: readonly string[], more: Partial<IngestRequest> = {}) =>
  ingest({ ratesFolder: rates, sources, threads: 1, http: { tries: 3, pauseMs: 1 }, ...more })

const other = inNetworkFile({
  provider_references: [reference(7, [1234567893, 1111111112], '98-7654321')],
  in_network: [item('CPT', '99214', [7], [price(150)]), item('CPT', '99213', [7], [price(100.25)])],
})

// Each ingest starts threads of its own; on a busy machine that takes its time.
const patience = { timeout: 120_000 }

describe('an ingest', patience, () => {
  it('publishes a file, and does not read it again while it is the same', async () => {
    const path = put('2026-05-01_aetna_in-network-rates.json.gz', gzipSync(bytesOf(inNetworkFile())))
    const first = await run([path])
    expect(first).toMatchObject({ files: { read: 1, unchanged: 0, failed: 0 }, problems: [], prices: 2 })
    expect(first.months).toMatchObject([{ payer: 'Aetna', month: may, counts: { prices: 2, entries: 2 } }])
    const again = await run([path])
    expect(again).toMatchObject({ files: { read: 0, unchanged: 1 }, unpackedBytes: 0 })
    expect(again.months[0]?.build).toBe(first.months[0]?.build)
    // The same bytes under a new date are read and found to be the same.
    utimesSync(path, new Date(), new Date(Date.now() + 5_000))
    expect((await run([path])).months[0]?.build).toBe(first.months[0]?.build)
  })

  it('adds files to a month, in any order to the same end', async () => {
    const a = put('2026-05-01_a.json', bytesOf(inNetworkFile()))
    const b = put('2026-05-01_b.json', bytesOf(other))
    await run([a])
    const both = await run([b])
    expect(both.months).toMatchObject([{ counts: { files: 2, entries: 6 } }])
    rmSync(rates, { recursive: true })
    expect((await run([b, a])).months[0]?.build).toBe(both.months[0]?.build)
    const alone = await run([b], { replace: true })
    expect(alone.months).toMatchObject([{ counts: { files: 1, entries: 4 } }])
  })

  it('takes folders, zip archives of several files, and lists of addresses', async () => {
    server = await fileServer({ '/2026-05-02_c.json': serving(bytesOf(other)) })
    const archive = zipOf([
      { name: '2026-05-01_a.json', bytes: bytesOf(inNetworkFile()) },
      { name: '2026-05-01_b.json', bytes: bytesOf(other) },
    ])
    put('files.zip', archive)
    const list = put('list.txt', `# files of May\n${server.address}/2026-05-02_c.json\n\n`)
    const summary = await run([folder, list])
    expect(summary).toMatchObject({ problems: [], files: { read: 3 }, months: [{ counts: { entries: 6 } }] })
  })

  it('tells what is wrong with which file, and publishes the others', async () => {
    const good = put('2026-05-01_good.json', bytesOf(inNetworkFile()))
    const sources = [
      good,
      put('page.json', '<!DOCTYPE html><html><body>Not found</body></html>'),
      put('empty.json.gz', gzipSync('')),
      put('ten.zip', Buffer.from('PK\u0003\u00040123456')),
      put('2026-05-01_cut.json.gz', gzipSync(bytesOf(other)).subarray(0, -60)),
      put('allowed.json', '{"reporting_entity_name":"Aetna","out_of_network":[]}'),
    ]
    const summary = await run(sources)
    expect(summary.files).toMatchObject({ read: 2, notLoaded: 1, failed: 3 })
    const named = summary.problems.map(({ address }) => address.split('/').at(-1) ?? '')
    expect(new Set(named)).toEqual(
      new Set(['2026-05-01_cut.json.gz', 'empty.json.gz', 'page.json', 'ten.zip']),
    )
    expect(summary.problems.find(({ address }) => address.includes('cut'))?.says).toMatch(
      /ends in the middle.* only \d+ prices could be read/,
    )
    const ledger = openLedger(rates)
    const kinds = ledger.rows<{ kind: string }>('select distinct kind from findings order by kind')
    ledger.close()
    const found = kinds.map(({ kind }) => kind)
    for (const kind of ['damaged_zip', 'empty_file', 'html_page', 'not_loaded', 'truncated_gzip'])
      expect(found).toContain(kind)
  })

  it('says what to do where nobody says who published a file, or for when', async () => {
    const unknown = put(
      'x.json',
      bytesOf(inNetworkFile({ reporting_entity_name: 'Nobody', last_updated_on: '' })),
    )
    const first = await run([unknown])
    expect(first.months).toEqual([])
    expect(first.problems[0]?.says).toContain('--payer')
    const second = await run([unknown], { payer: 'aetna' })
    expect(second.problems[0]?.says).toContain('--month')
    const third = await run([unknown], { payer: 'aetna', month: may })
    expect(third.months).toHaveLength(1)
    await expect(run([join(folder, 'nowhere.json')])).rejects.toThrow('no file or folder')
    await expect(run([unknown], { payer: 'Etna' })).rejects.toThrow('Aetna')
  })

  it('keeps only what is asked for, and does not take it for the whole', async () => {
    const path = put('2026-05-01_b.json', bytesOf(other))
    const target = { codes: ['99214'] }
    const some = await run([path], { target })
    expect(some.months).toMatchObject([{ counts: { prices: 1, codes: 1 } }])
    const all = await run([path])
    expect(all.months).toMatchObject([{ counts: { prices: 2, codes: 2 } }])
    expect(all.months[0]?.build).not.toBe(some.months[0]?.build)
  })

  it('keeps out of the way of another that works on the same month', async () => {
    const path = put('2026-05-01_a.json', bytesOf(inNetworkFile()))
    const lock = takeLock(rates, 'aetna-202605', 'it')
    await expect(run([path], { payer: 'Aetna', month: may })).rejects.toThrow(/is working on .*202605/)
    await expect(run([path])).rejects.toThrow(/is working on .*202605/)
    lock.release()
    expect((await run([path])).files.unchanged).toBe(1)
  })

  it('stops when told to, publishes nothing, and goes on later', async () => {
    const path = put('2026-05-01_a.json', bytesOf(inNetworkFile()))
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(run([path], { signal: stop.signal })).rejects.toThrow('enough')
    expect((await readManifest(rates)).builds).toEqual([])
    expect((await status(rates)).lastRun?.state).toBe('stopped')
    expect((await run([path])).months).toHaveLength(1)
  })
})

describe('an ingest from an index', patience, () => {
  const file = gzipSync(bytesOf(inNetworkFile()))

  it('reads each listed file once and joins its plans', async () => {
    const listed = ['https://h.invalid/2026-05-01_a.json.gz', 'https://h.invalid/2026-05-01_b.json']
    put('2026-05-01_a.json.gz', file)
    put('2026-05-01_b.json', bytesOf(other))
    const index = put(
      '2026-05-01_aetna_index.json',
      bytesOf(
        indexFile([
          { plans: ['Gold PPO', 'Silver PPO HSA'], files: listed, allowed: 'https://h.invalid/allowed.json' },
          { plans: ['Bronze HMO'], files: listed.slice(0, 1) },
        ]),
      ),
    )
    const summary = await run([index])
    expect(summary).toMatchObject({
      problems: [],
      files: { read: 2, notLoaded: 1 },
      months: [{ counts: { plans: 3 } }],
    })
    const found = await status(rates, { payer: 'Aetna', month: may })
    expect(found.payers[0]?.months[0]?.files?.map(({ address }) => address)).toEqual(listed)
  })

  it('fetches a file once that thousands of plans share', async () => {
    server = await fileServer({
      '/2026-05-01_aetna_index.json': (request, response, nth) => {
        const shared = `${server?.address}/2026-05-01_a.json.gz`
        const plans = Array.from({ length: 3_000 }, (_, plan) => ({
          plans: [`Plan ${plan} PPO`],
          files: [shared],
        }))
        serving(bytesOf(indexFile(plans)))(request, response, nth)
      },
      '/2026-05-01_a.json.gz': serving(file),
    })
    const summary = await run([`${server.address}/2026-05-01_aetna_index.json`])
    expect(summary).toMatchObject({ problems: [], files: { read: 1 }, months: [{ counts: { plans: 1 } }] })
    expect(server.asked.filter((path) => path.includes('_a.json'))).toHaveLength(1)
    const ledger = openLedger(rates)
    const [counted] = ledger.rows<{ plans: number }>('select count(*) as plans from plans')
    ledger.close()
    expect(counted?.plans).toBe(3_000)
  })

  it('is not crawled again while the index is the same', async () => {
    let etag = '"one"'
    let files = ['/2026-05-01_a.json.gz']
    let sent = 0
    server = await fileServer({
      '/2026-05-01_aetna_index.json': (request, response, nth) => {
        if (request.headers['if-none-match'] !== etag) sent++
        const listed = files.map((path) => `${server?.address}${path}`)
        serving(bytesOf(indexFile([{ plans: ['Gold PPO'], files: listed }])), { etag })(
          request,
          response,
          nth,
        )
      },
      '/2026-05-01_a.json.gz': serving(file, { etag: '"a"' }),
      '/2026-05-01_b.json': serving(bytesOf(other), { etag: '"b"' }),
    })
    const index = `${server.address}/2026-05-01_aetna_index.json`
    const first = await run([index])
    const before = sent
    const same = await run([index])
    expect(sent).toBe(before)
    expect(same).toMatchObject({ files: { read: 0, unchanged: 1 }, problems: [] })
    expect(same.months).toEqual(first.months)
    etag = '"two"'
    files = [...files, '/2026-05-01_b.json']
    expect(await run([index])).toMatchObject({
      files: { read: 1, unchanged: 1 },
      months: [{ counts: { files: 2 } }],
    })
  })

  it('fetches over HTTP across cuts, renews signed addresses, and stores no token', async () => {
    const secret = 'SECRETSECRET'
    let signature = 1
    server = await fileServer({
      '/2026-05-01_aetna_index.json': (request, response, nth) => {
        if (request.url?.includes(`sig=${secret}index`) !== true) return void response.writeHead(403).end()
        if (nth > 2) signature = 2
        const base = server?.address
        const listed = [
          `${base}/a.json.gz?sig=${secret}${signature}`,
          `${base}/moved.json?x=1&token=${secret}`,
        ]
        serving(bytesOf(indexFile([{ plans: ['PPO'], files: listed }])))(request, response, nth)
      },
      '/a.json.gz': (request, response, nth) => {
        // Signature 1 has expired by the time it is used.
        if (request.url?.endsWith('1')) return void response.writeHead(403).end()
        serving(file, { cut: 200, etag: '"a"' })(request, response, nth)
      },
      '/moved.json': (_, response) => void response.writeHead(302, { location: '/b.json' }).end(),
      '/b.json': serving(bytesOf(other), { etag: '"b"' }),
    })
    const index = `${server.address}/2026-05-01_aetna_index.json?sig=${secret}index`
    const first = await run([index])
    expect(first).toMatchObject({
      problems: [],
      files: { read: 2 },
      months: [{ month: may, counts: { files: 2 } }],
    })
    const written = readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => statSync(path).isFile())
    expect(written.filter((path) => readFileSync(path).includes(secret))).toEqual([])
    const before = server.asked.length
    const second = await run([index])
    expect(second).toMatchObject({ files: { read: 0, unchanged: 2 } })
    expect(second.months[0]?.build).toBe(first.months[0]?.build)
    expect(server.asked.length - before).toBeLessThan(9)
  })

  it('reads a file anew when it changes under way, and tells which files are gone', async () => {
    const changed = gzipSync(bytesOf(other))
    server = await fileServer({
      '/2026-05_index.json': (request, response, nth) =>
        serving(
          bytesOf(
            indexFile([
              { plans: ['EPO'], files: [`${server?.address}/a.json.gz`, `${server?.address}/gone.json`] },
            ]),
          ),
        )(request, response, nth),
      '/a.json.gz': (request, response, nth) =>
        nth === 1
          ? serving(file, { cut: 100, etag: '"old"' })(request, response, nth)
          : serving(changed, { etag: '"new"' })(request, response, nth),
    })
    const summary = await run([`${server.address}/2026-05_index.json`])
    expect(summary.months).toMatchObject([{ counts: { files: 1, entries: 4 } }])
    expect(summary.problems).toMatchObject([{ says: expect.stringContaining('404') as string }])
  })
})

it('fetches the remote references that rates use, and marks the rates of those that cannot be had', async () => {
  server = await fileServer({
    '/one.json': serving(
      bytesOf({
        provider_groups: [{ npi: [1234567893], tin: { type: 'ein', value: '12-3456789' } }],
        version: '1.0.0',
      }),
    ),
  })
  const base = server.address
  const file = inNetworkFile({
    version: '1.0.0',
    provider_references: [
      { provider_group_id: 1.5, location: `${base}/one.json` },
      { provider_group_id: 2, location: `${base}/gone.json` },
      { provider_group_id: 3, location: `${base}/unused.json` },
    ],
    in_network: [item('CPT', '99213', [1.5], [price(10)]), item('CPT', '99214', [2], [price(20)])],
  })
  const summary = await run([put('2026-05-01_a.json', bytesOf(file))])
  expect(summary.months).toMatchObject([
    { counts: { entries: 1, pricesPublished: 2, pricesWithoutProviders: 1 } },
  ])
  expect(server.asked.sort()).toEqual(['/gone.json', '/one.json'])
  const found = await status(rates, { payer: 'Aetna', month: may })
  expect(found.payers[0]?.months[0]?.quality).toMatchObject({ remoteReferences: 3, unresolvedReferences: 1 })
  expect(found.payers[0]?.months[0]?.files?.[0]?.findings.map(({ kind }) => kind)).toContain(
    'location_unreachable',
  )
})

it('leaves no half-made work behind', async () => {
  const path = put('2026-05-01_a.json', bytesOf(inNetworkFile()))
  await run([path, put('cut.json', '{"in_network":[{')])
  expect(existsSync(join(rates, 'work')) ? readdirSync(join(rates, 'work')) : []).toEqual([])
})

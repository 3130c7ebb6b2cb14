import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentKind } from './document-kind.ts'
import { relocated, tableOfContents, type Listing } from './table-of-contents.ts'

async function* chunked(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: AsyncIterable<Uint8Array>) {
  const index = tableOfContents(bytes)
  const listings: Listing[] = []
  for await (const some of index.listings) listings.push(...some)
  return { listings, header: index.header, problem: index.problem() }
}

const sample = JSON.stringify({
  reporting_entity_name: 'Demo Plan',
  last_updated_on: '2026-05-01',
  reporting_structure: [
    {
      in_network_files: [
        { description: 'PPO', location: ' https://h.example/a.json.gz?sig=1 ' },
        { description: 'no location' },
      ],
      reporting_plans: [
        { plan_name: 'Gold PPO', plan_id_type: 'EIN', plan_id: 123, plan_market_type: 'group' },
        null,
      ],
    },
    {
      reporting_plans: [{ plan_name: 'B', plan_id_type: 'hios', issuer_name: 'I', plan_sponsor_name: 'S' }],
      in_network_files: null,
      allowed_amount_file: { description: 'x', location: 'https://h.example/aa.json' },
    },
  ],
  version: '2.0.0',
})

describe('an index', () => {
  it('is the same in chunks of any size, with and without a byte-order mark', async () => {
    const whole = await read(chunked(sample, 1 << 20))
    expect(whole).toMatchObject({
      header: { reporting_entity_name: 'Demo Plan', last_updated_on: '2026-05-01', version: '2.0.0' },
      problem: undefined,
      listings: [
        { structure: 0, file: { kind: 'in-network', location: 'https://h.example/a.json.gz?sig=1' } },
        { structure: 0, plan: { name: 'Gold PPO', idType: 'ein', id: '123', market: 'group' } },
        { structure: 1, plan: { name: 'B', issuer: 'I', sponsor: 'S' } },
        { structure: 1, file: { kind: 'allowed-amounts', location: 'https://h.example/aa.json' } },
      ],
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 600 }), async (size) => {
        expect(await read(chunked(sample, size))).toEqual(whole)
      }),
      { numRuns: 30 },
    )
    expect(await read(chunked(`\uFEFF${sample}`, 1_000))).toEqual(whole)
  })

  it('keeps what came before the place where it breaks', async () => {
    const cut = await read(chunked(sample.slice(0, 240), 50))
    expect(cut.listings).toHaveLength(1)
    expect(cut.problem?.says).toContain('ends before')
    const wrong = await read(chunked(sample.replace('null]', 'nul]'), 20))
    expect(wrong.problem?.says).toContain('not JSON')
  })

  it('finds the fresh address of a file that was signed anew', async () => {
    expect(await relocated(chunked(sample, 100), 'https://h.example/a.json.gz?sig=old')).toBe(
      'https://h.example/a.json.gz?sig=1',
    )
    expect(await relocated(chunked(sample, 100), 'https://h.example/other.json')).toBeUndefined()
  })

  it('holds a few chunks only, however long it is', async () => {
    const structure = JSON.stringify({
      reporting_plans: Array.from({ length: 50 }, (_, i) => ({ plan_name: `P${i}`, plan_id: i })),
      in_network_files: Array.from({ length: 50 }, (_, i) => ({ location: `https://h.example/${i}.json` })),
    })
    async function* endless() {
      yield Buffer.from('{"reporting_structure":[')
      for (let i = 0; i < 3_000; i++) yield Buffer.from((i > 0 ? ',' : '') + structure)
      yield Buffer.from(']}')
    }
    const before = process.memoryUsage().heapUsed
    const index = tableOfContents(endless())
    let count = 0
    for await (const some of index.listings) count += some.length
    expect(count).toBe(300_000)
    expect(index.problem()).toBeUndefined()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150e6)
  })
})

describe('the kind of a document', () => {
  it.each([
    [sample, 'table-of-contents'],
    ['{"reporting_entity_name":"x","in_network":[]}', 'in-network'],
    ['{"provider_references" : [{"provider_groups":[]}]}', 'in-network'],
    ['{"out_of_network":[]}', 'allowed-amounts'],
    ['{"provider_groups":[]}', 'provider-reference'],
    ['{}', 'in-network'],
  ])('is told by its keys', (text, kind) => expect(documentKind(Buffer.from(text))).toBe(kind))
})

const real = join(
  process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../shared/data'),
  'payer-files',
)

describe.skipIf(!existsSync(real))('real indexes', () => {
  it('of Blue Cross and Blue Shield of Texas lists 262 files', async () => {
    const path = join(real, 'index/2024-10-21_Blue-Cross-and-Blue-Shield-of-Texas_161531026_index.json')
    const { listings, header, problem } = await read(createReadStream(path))
    expect(problem).toBeUndefined()
    expect(header.reporting_entity_name).toBe('Blue Cross and Blue Shield of Texas')
    const files = listings.flatMap((listing) => ('file' in listing ? [listing.file.location] : []))
    expect(files.filter((location) => location.includes('in-network'))).toHaveLength(262)
  })

  it.each([
    'index/fidelis_2025_index_sample.json',
    'cms-guide/v2_head/examples/table-of-contents/table-of-contents-sample.json',
    'cms-guide/v1_final/examples/table-of-contents/table-of-contents-sample.json',
    'cms-guide/misc/toc-sample-2025-08-08.json',
    'cms-guide/misc/toc-with-plan-sponsor.json',
  ])('%s is read to its end', async (name) => {
    const { listings, problem } = await read(createReadStream(join(real, name), { highWaterMark: 100 }))
    expect(problem).toBeUndefined()
    expect(listings.some((listing) => 'plan' in listing)).toBe(true)
    expect(listings.some((listing) => 'file' in listing)).toBe(true)
  })

  it('with a comma missing is read up to there', async () => {
    const { problem } = await read(createReadStream(join(real, 'cms-guide/misc/toc-sample-ein.json')))
    expect(problem?.says).toContain('not JSON')
  })
})

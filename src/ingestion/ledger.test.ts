import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SourceMonth } from '../vocabulary/period.ts'
import { knownFiles, recordFile, stagedBefore, type ReadFile } from './ledger-files.ts'
import { assignFile, assignIndex, emptyMonth, monthSources } from './ledger-months.ts'
import { IndexBook, listedFiles } from './ledger-plans.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { pipelineFinding } from './pipeline-findings.ts'
import { fileQualities, monthQuality } from './quality.ts'
import type { ReportedPlan } from './reported-plan.ts'
import type { Listing } from './table-of-contents.ts'

let folder: string
let ledger: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  ledger = openLedger(folder)
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true })
})

const may = 202605 as SourceMonth

const read = (more: Partial<ReadFile> = {}): ReadFile => ({
  address: 'https://h.example/a.json.gz',
  entry: '',
  digest: 'd1',
  filter: '',
  state: 'staged',
  kind: 'in-network',
  packing: 'gzip',
  size: 100,
  validators: { etag: '"1"' },
  header: { version: '2.0.0', reporting_entity_name: 'Demo', last_updated_on: '2026-05-01' },
  stage: 's1',
  remote: undefined,
  counts: {
    prices: 200,
    pricesZero: 4,
    npisPublished: 50,
    npisInvalid: 1,
    referencesDefined: 10,
    referencesUnused: 8,
    expirations: { '2026-04': 20, '9999-12': 180 },
  },
  findings: [pipelineFinding('month_disagrees')],
  says: undefined,
  readAt: new Date().toISOString(),
  ...more,
})

const plan = (name: string): ReportedPlan => ({
  name,
  idType: 'ein',
  id: '1',
  market: 'group',
  issuer: '',
  sponsor: '',
})
const file = (name: string, description = 'in-network file') => ({
  kind: 'in-network' as const,
  description,
  location: `https://h.example/${name}?sig=SECRETSECRET`,
})

describe('the ledger', () => {
  it('is the same when opened again', () => {
    const row = recordFile(ledger, read())
    ledger.close()
    ledger = openLedger(folder)
    expect(knownFiles(ledger, 'https://h.example/a.json.gz', '')).toEqual([row])
  })

  it('knows the newest state of an address, and the stage of equal bytes elsewhere', async () => {
    recordFile(ledger, read())
    await new Promise((resolve) => setTimeout(resolve, 5))
    recordFile(ledger, read({ digest: 'd2', stage: 's2' }))
    expect(knownFiles(ledger, 'https://h.example/a.json.gz', '').map(({ digest }) => digest)).toEqual(['d2'])
    expect(knownFiles(ledger, 'https://h.example/a.json.gz', 'codes')).toEqual([])
    expect(stagedBefore(ledger, 'd1', '')?.stage).toBe('s1')
  })

  it('forgets that a file could not be had once it was', () => {
    recordFile(ledger, read({ digest: '', state: 'unreadable', says: 'gone' }))
    recordFile(ledger, read())
    expect(ledger.rows('select address from files').length).toBe(1)
  })

  it('knows every entry of an archive', () => {
    const readAt = '2026-05-01T00:00:00.000Z'
    for (const entry of ['a.json', 'b.json']) recordFile(ledger, read({ entry, digest: entry, readAt }))
    expect(knownFiles(ledger, 'https://h.example/a.json.gz', '')).toHaveLength(2)
  })

  it('makes a month of the newest state of each address, equal bytes once', () => {
    const first = recordFile(ledger, read())
    const other = recordFile(ledger, read({ address: 'https://h.example/b.json.gz' }))
    const newer = recordFile(ledger, read({ digest: 'd2', stage: 's2' }))
    for (const row of [first, other, newer]) assignFile(ledger, 'Demo', may, row, '--month')
    expect(monthSources(ledger, 'Demo', may).map(({ file }) => file.digest)).toEqual(['d1', 'd2'])
    emptyMonth(ledger, 'Demo', may)
    expect(monthSources(ledger, 'Demo', may)).toEqual([])
  })

  it('joins plans to files through the index, many to many', () => {
    const row = recordFile(ledger, read())
    assignFile(ledger, 'Demo', may, row, '--month')
    const book = new IndexBook(ledger, { address: 'https://h.example/index.json' })
    const listings: Listing[] = [
      { structure: 0, plan: plan('Gold PPO') },
      { structure: 0, file: file('a.json.gz', 'East Network in-network file 1 of 2') },
      { structure: 0, file: file('c.json.gz') },
      { structure: 1, file: file('c.json.gz') },
      { structure: 1, file: file('a.json.gz', 'East Network in-network file 1 of 2') },
      { structure: 1, plan: plan('Silver HMO') },
      { structure: 2, plan: plan('Elsewhere EPO') },
      { structure: 2, file: file('c.json.gz') },
    ]
    book.add(listings.slice(0, 3))
    book.add(listings.slice(3))
    const index = book.finish({
      address: 'https://h.example/index.json',
      digest: 'i1',
      validators: {},
      header: { reporting_entity_name: 'Demo' },
      signed: false,
      says: undefined,
    })
    expect(listedFiles(ledger, index).map(({ address }) => address)).toEqual([
      'https://h.example/a.json.gz',
      'https://h.example/c.json.gz',
    ])
    expect(ledger.row<{ n: number }>('select count(*) as n from file_sets')?.n).toBe(2)
    assignIndex(ledger, 'Demo', may, index)
    expect(monthSources(ledger, 'Demo', may)).toMatchObject([
      { plans: ['HMO', 'PPO'], networks: ['East Network'] },
    ])
  })

  it('never holds a token', () => {
    const book = new IndexBook(ledger, { address: 'https://h.example/index.json' })
    book.add([{ structure: 0, file: file('a.json.gz') }])
    book.finish({
      address: 'https://h.example/index.json',
      digest: 'i1',
      validators: {},
      header: {},
      signed: false,
      says: undefined,
    })
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'))
    expect(bytes.join('')).not.toContain('SECRETSECRET')
    expect(bytes.join('')).toContain('https://h.example/a.json.gz')
  })

  it('sums the quality of a month and of each file', () => {
    assignFile(ledger, 'Demo', may, recordFile(ledger, read()), '--month')
    const b = read({ address: '/b.json', digest: 'd2', counts: { prices: 100, pricesZero: 2 } })
    assignFile(ledger, 'Demo', may, recordFile(ledger, b), '--month')
    expect(monthQuality(ledger, 'Demo', may)).toMatchObject({
      files: 2,
      schemaVersions: { '2.0.0': 2 },
      prices: 300,
      zeroRateShare: 0.02,
      invalidNpiShare: 0.02,
      unusedReferenceShare: 0.8,
      expiredRates: 20,
      invalidTinShare: null,
      staleDays: 31,
      warnings: 2,
    })
    expect(fileQualities(ledger, 'Demo', may)).toMatchObject([
      { address: '/b.json', prices: 100 },
      { prices: 200, findings: [{ kind: 'month_disagrees', count: 1 }] },
    ])
  })
})

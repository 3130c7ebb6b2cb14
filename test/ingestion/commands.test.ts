import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, inNetworkFile } from '../support/in-network.ts'

const folder = mkdtempSync(join(tmpdir(), 'commands-'))
afterAll(() => rmSync(folder, { recursive: true }))
const data = join(folder, 'data')
const good = join(folder, '2026-05-01_good.json.gz')
const faulty = join(folder, 'faulty.json')
const page = join(folder, 'page.json')

beforeAll(() => {
  writeFileSync(good, gzipSync(bytesOf(inNetworkFile())))
  writeFileSync(faulty, bytesOf(inNetworkFile()).subarray(0, -40))
  writeFileSync(page, '<html></html>')
})

function ratebook(...args: string[]) {
  const main = join(import.meta.dirname, '../../src/cli/main.ts')
  const ran = spawnSync(process.execPath, [main, ...args], {
    env: { ...process.env, RATEBOOK_DATA: data },
    encoding: 'utf8',
  })
  const json = () => JSON.parse(ran.stdout) as Record<string, unknown>
  return { code: ran.status, out: ran.stdout, errors: ran.stderr, json }
}

// Each command is a process of its own; on a busy machine a dozen of them take their time.
const patience = { timeout: 180_000 }

describe('ratebook validate', patience, () => {
  it('exits with 0 for a clean file, 1 for a faulty one, 2 for what cannot be read', () => {
    const clean = ratebook('validate', good, '--json')
    expect(clean.code).toBe(0)
    expect(clean.json()).toMatchObject({
      files: [{ verdict: 'clean', kind: 'in-network', counts: { prices: 2 } }],
    })
    const found = ratebook('validate', faulty, '--json')
    expect(found.code).toBe(1)
    expect(found.json()).toMatchObject({
      summary: { faulty: 1, kinds: { truncated: { severity: 'error' } } },
    })
    const unreadable = ratebook('validate', page, good)
    expect(unreadable.code).toBe(2)
    expect(unreadable.out).toContain('html_page')
    expect(existsSync(data)).toBe(false)
  })
})

describe('the commands around a month', patience, () => {
  it('ingest, show, drop, bring back and publish it', () => {
    const ingested = ratebook('ingest', good, '--payer', 'Aetna', '--month', '2026-05', '--json')
    expect(ingested.errors).toContain('"phase":"done"')
    expect(ingested.code).toBe(0)
    expect(ingested.json()).toMatchObject({ files: { read: 1 }, months: [{ payer: 'Aetna', month: 202605 }] })

    expect(ratebook('status', '--json').json()).toMatchObject({
      payers: [{ payer: 'Aetna', latestMonth: 202605, months: [{ quality: { files: 1 } }] }],
      files: { staged: 1 },
    })
    expect(ratebook('drop', '--payer', 'Aetna', '--month', '2026-05').code).toBe(0)
    expect(ratebook('status').out).toContain('Nothing is published')
    expect(ratebook('rollback', '--json').json()).toMatchObject({ builds: 1 })
    expect(ratebook('publish', '--payer', 'aetna', '--month', '2026-05', '--json').json()).toMatchObject({
      payer: 'Aetna',
      counts: { entries: 2 },
    })
  })

  it('says how to mend what was misused', () => {
    expect(ratebook('ingest', good, '--month', 'May').code).toBe(2)
    const unknown = ratebook('ingest', good, '--payer', 'Etna')
    expect(unknown.code).toBe(1)
    expect(unknown.errors).toContain('Aetna')
    expect(ratebook('ingest', good, '--states', 'TX').errors).toContain('ratebook load nppes')
  })
})

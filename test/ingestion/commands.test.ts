import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ingest } from '../../src/ingestion/ingest.ts'
import { status } from '../../src/ingestion/status.ts'
import type { SourceMonth } from '../../src/vocabulary/source-month.ts'
import { fileServer, serving } from '../support/file-server.ts'
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

const main = join(import.meta.dirname, '../../src/cli/main.ts')

function ratebook(...args: string[]) {
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

  it('stop at Ctrl-C, and go on from there', async () => {
    const fresh = join(folder, 'stopped')
    const slow = bytesOf(inNetworkFile({ last_updated_on: '2026-05-02' }))
    let quick = false
    const server = await fileServer({
      '/slow.json': (request, response, nth) => {
        if (quick) serving(slow)(request, response, nth)
        // The rest does not come before the test is over.
        else response.writeHead(200, { 'content-length': slow.length }).write(slow.subarray(0, 100))
      },
    })
    const args = ['ingest', good, `${server.address}/slow.json`, '--payer', 'Aetna', '--month', '2026-05']
    const running = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, RATEBOOK_DATA: fresh },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    running.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const over = once(running, 'exit') as Promise<[number | null]>
    // Progress says so once the file on this machine is done and the other is under way.
    await vi.waitUntil(() => errors.includes('"filesDone":1'), { timeout: 120_000 })
    running.kill('SIGINT')
    const [code] = await over
    expect(code).toBe(1)
    expect(errors).toContain('The same command goes on from here')
    const stopped = await status(join(fresh, 'rates'))
    expect(stopped).toMatchObject({ payers: [], files: { staged: 1 }, lastRun: { state: 'stopped' } })
    quick = true
    const summary = await ingest({
      ratesFolder: join(fresh, 'rates'),
      sources: args.slice(1, 3),
      payer: 'Aetna',
      month: 202605 as SourceMonth,
    })
    await server.close()
    expect(summary).toMatchObject({ files: { read: 1, unchanged: 1 }, months: [{ counts: { files: 2 } }] })
  })

  it('says how to mend what was misused', () => {
    expect(ratebook('ingest', good, '--month', 'May').code).toBe(2)
    const unknown = ratebook('ingest', good, '--payer', 'Etna')
    expect(unknown.code).toBe(1)
    expect(unknown.errors).toContain('Aetna')
    expect(ratebook('ingest', good, '--states', 'TX').errors).toContain('ratebook load nppes')
  })
})

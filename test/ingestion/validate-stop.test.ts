import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { validated } from '../../src/ingestion/validate.ts'
import { fileServer } from '../support/file-server.ts'
import { bytesOf, inNetworkFile, item, price } from '../support/in-network.ts'

const folder = mkdtempSync(join(tmpdir(), 'validate-stop-'))
afterAll(() => rmSync(folder, { recursive: true }))

// A gzip file may have many members, so a large one is quickly made of few: a beginning, items over and over, an end.
const [beginning = '', end = ''] = bytesOf(inNetworkFile())
  .toString()
  .split(/(?<="in_network":\[.*)(?=\]\}$)/)
const items = Array.from(
  { length: 8_000 },
  (_, at) => `,${JSON.stringify(item('CPT', String(10_000 + at), [1], [price(at + 0.5), price(at * 7)]))}`,
)
const head = gzipSync(beginning)
const middle = gzipSync(items.join(''))
const tail = gzipSync(end)
/** Unpacks to about 1.4 GB: seconds of work. */
const middles = 600

/** What this process has open, where the system tells. */
function openPaths(): string[] | undefined {
  const open = '/proc/self/fd'
  if (!existsSync(open)) return undefined
  return readdirSync(open).map((fd) => {
    try {
      return readlinkSync(join(open, fd))
    } catch {
      return ''
    }
  })
}

it('stops in the middle of a large file, lets others have their turns, and holds nothing', async () => {
  const path = join(folder, 'large.json.gz')
  writeFileSync(path, Buffer.concat([head, ...Array.from({ length: middles }, () => middle), tail]))
  const stop = new AbortController()
  let over = false
  const reading = validated({ sources: [path], signal: stop.signal }).finally(() => (over = true))
  reading.catch(() => undefined)
  await vi.waitUntil(() => openPaths()?.includes(path) ?? true, { timeout: 30_000 })
  let turns = 0
  const turning = setInterval(() => turns++, 5)
  await vi.waitUntil(() => turns > 100, { timeout: 30_000 })
  clearInterval(turning)
  expect(over).toBe(false)
  const stoppedAt = performance.now()
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  expect(performance.now() - stoppedAt).toBeLessThan(1_000)
  // Closing the file is not waited for.
  await vi.waitUntil(() => !openPaths()?.includes(path))
}, 60_000)

it('is stopped by Ctrl-C while a server still sends', async () => {
  let served = 0
  let reached: () => void = () => undefined
  const inTheMiddle = new Promise<void>((resolve) => (reached = resolve))
  async function* endless() {
    yield head
    for (;;) {
      yield middle
      served += middle.length
      if (served > 30 * middle.length) reached()
    }
  }
  const server = await fileServer({
    '/endless.json.gz': (_request, response) => {
      response.writeHead(200)
      pipeline(endless, response).catch(() => undefined)
    },
  })
  const command = join(import.meta.dirname, '../../bin/ratebook.js')
  const running = spawn(process.execPath, [command, 'validate', `${server.address}/endless.json.gz`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  running.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  onTestFinished(() => void running.kill('SIGKILL'))
  onTestFinished(() => server.close())
  await inTheMiddle
  const stoppedAt = performance.now()
  running.kill('SIGINT')
  const [code] = (await once(running, 'exit')) as [number | null]
  expect(performance.now() - stoppedAt).toBeLessThan(2_000)
  expect(code).toBe(1)
  expect(errors).toContain('Stopped')
}, 60_000)

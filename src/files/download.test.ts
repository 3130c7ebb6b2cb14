import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { download } from './download.ts'
import { httpClient, type HttpClient } from './http-client.ts'

const contentOf = (seed: number) =>
  Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * seed) % 251))

let server: Server
let address: string
let folder: string
let file: string
let client: HttpClient
/** What the server holds, and what it was asked for. */
let held: { content: Buffer; etag: string; ranges: boolean }
let asked: { range: string | undefined; status: number }[]

beforeAll(async () => {
  server = createServer((request, response) => {
    const { content, etag, ranges } = held
    const answer = (status: number, start: number) => {
      asked.push({ range: request.headers.range, status })
      response.writeHead(status, {
        etag,
        'content-length': status === 304 ? 0 : content.length - start,
        ...(status === 206 && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
      })
      response.end(status === 304 ? undefined : content.subarray(start))
    }
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    if (request.headers['if-none-match'] === etag) answer(304, 0)
    else if (ranges && start > 0 && request.headers['if-range'] === etag) answer(206, start)
    else answer(200, 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/NPPES.zip`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratebook-download-'))
  file = join(folder, 'NPPES.zip')
  client = httpClient({ tries: 3, pauseMs: 1 })
  held = { content: contentOf(1), etag: '"v1"', ranges: true }
  asked = []
})
afterEach(async () => {
  await client.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a process leaves that was killed after so many bytes. */
async function killedAfter(bytes: number) {
  await writeFile(`${file}.part`, held.content.subarray(0, bytes))
  await writeFile(`${file}.state`, JSON.stringify({ etag: held.etag, size: held.content.length }))
}

const arrived = async () => (await readFile(file)).equals(held.content)

describe('a download', () => {
  it('is continued by another process where the first was killed', async () => {
    await killedAfter(90_000)
    const told: number[] = []
    await download(client, address, file, { progress: (bytes) => told.push(bytes) })
    expect(await arrived()).toBe(true)
    expect(asked).toEqual([{ range: 'bytes=90000-', status: 206 }])
    expect(told[0]).toBeGreaterThan(90_000)
    expect(told.at(-1)).toBe(200_000)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('is not continued with the bytes of another version', async () => {
    await killedAfter(90_000)
    held = { content: contentOf(7), etag: '"v2"', ranges: true }
    await download(client, address, file)
    expect(await arrived()).toBe(true)
  })

  it('is continued from a server that sends everything again, if it is the same', async () => {
    await killedAfter(90_000)
    held = { ...held, ranges: false }
    await download(client, address, file)
    expect(await arrived()).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('begins anew where the server sends something else under the same version', async () => {
    await killedAfter(90_000)
    held = { content: contentOf(7), etag: '"v1"', ranges: false }
    await download(client, address, file)
    expect(await arrived()).toBe(true)
    expect(asked).toHaveLength(2)
  })

  it('that is whole is fetched again only when the server has another', async () => {
    await download(client, address, file)
    await download(client, address, file)
    expect(asked.map(({ status }) => status)).toEqual([200, 304])
    held = { content: contentOf(7), etag: '"v2"', ranges: true }
    await download(client, address, file)
    expect(await arrived()).toBe(true)
    expect(asked.at(-1)?.status).toBe(200)
  })

  it('that was killed after its last byte is whole', async () => {
    await killedAfter(200_000)
    await download(client, address, file)
    expect(await arrived()).toBe(true)
    expect(asked.map(({ status }) => status)).toEqual([304])
  })
})

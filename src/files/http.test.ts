import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FetchProblem, fetched, type Fetching } from './http.ts'
import { httpClient, type HttpClient } from './http-client.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31 + (i >> 8)) & 255))

type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void

let server: Server
let client: HttpClient
let base: string
let handler: Handler
let asked: IncomingMessage[]
let openNow = 0
let openMost = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request)
    openMost = Math.max(openMost, ++openNow)
    response.on('close', () => openNow--)
    handler(request, response, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  asked = []
  openMost = 0
  client = httpClient({ perHost: 2, tries: 4, pauseMs: 1, silenceMs: 1_000 })
})
afterEach(() => client.close())

/** Serves ranges as a good server does, and breaks off after `cut` bytes of each answer. */
function serve(options: { cut?: number; ranges?: boolean; etag?: (nth: number) => string } = {}): Handler {
  return (request, response, nth) => {
    const etag = options.etag?.(nth) ?? '"v1"'
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const same = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
    const start = options.ranges === false || !same ? 0 : Number(from)
    response.writeHead(start > 0 ? 206 : 200, {
      etag,
      'content-length': content.length - start,
      ...(start > 0 && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
    })
    const end = options.cut === undefined ? content.length : start + options.cut
    if (end >= content.length) response.end(content.subarray(start))
    else response.write(content.subarray(start, end), () => setTimeout(() => response.destroy(), 5))
  }
}

async function whole(path = '/f.json', fetching: Fetching = {}): Promise<Buffer> {
  const answer = await fetched(client, base + path, fetching)
  if (answer === 'unchanged') return Buffer.alloc(0)
  const chunks: Buffer[] = []
  for await (const chunk of answer.bytes) chunks.push(chunk)
  const all = Buffer.concat(chunks)
  expect(answer.digest()).toBe(createHash('sha256').update(all).digest('hex'))
  return all
}

describe('a file over HTTP', () => {
  it('arrives whole', async () => {
    handler = serve()
    expect((await whole()).equals(content)).toBe(true)
  })

  it('resumes with ranges where connections break', async () => {
    handler = serve({ cut: 70_000 })
    expect((await whole()).equals(content)).toBe(true)
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.slice(1).every(({ headers }) => headers.range && headers['if-range'] === '"v1"')).toBe(true)
  })

  it('skips what it has where the server ignores ranges', async () => {
    handler = (request, response, nth) => {
      serve({ ranges: false, ...(nth < 3 && { cut: nth * 100_000 }) })(request, response, nth)
    }
    expect((await whole()).equals(content)).toBe(true)
  })

  it('says so when another state begins midway', async () => {
    handler = serve({ cut: 100_000, etag: (nth) => `"v${nth}"` })
    await expect(whole()).rejects.toMatchObject({ kind: 'changed' })
  })

  it('notices other bytes from a server that ignores ranges and names no state', async () => {
    handler = (_, response, nth) => {
      response.writeHead(200, { 'content-length': content.length })
      const bytes = Buffer.from(content)
      bytes[10] = nth
      if (nth > 1) response.end(bytes)
      else response.write(bytes.subarray(0, 90_000), () => setTimeout(() => response.destroy(), 5))
    }
    await expect(whole()).rejects.toMatchObject({ kind: 'changed' })
  })

  it('gives up a connection that keeps breaking at the same byte', async () => {
    handler = (request, response, nth) => serve({ cut: nth === 1 ? 50_000 : 0 })(request, response, nth)
    await expect(whole()).rejects.toMatchObject({ kind: 'failed' })
  })

  it('follows redirects, and drops none of them into http', async () => {
    handler = (request, response, nth) => {
      if (request.url === '/f.json') response.writeHead(302, { location: '/g.json' }).end()
      else serve()(request, response, nth)
    }
    expect((await whole()).equals(content)).toBe(true)
    handler = (_, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end()
    await expect(whole()).rejects.toMatchObject({ kind: 'refused' })
  })

  it('tries again after 500, 429 and 503', async () => {
    handler = (request, response, nth) => {
      if (nth <= 3) response.writeHead([500, 429, 503][nth - 1] ?? 500).end('busy')
      else serve()(request, response, nth)
    }
    expect((await whole()).equals(content)).toBe(true)
    expect(asked).toHaveLength(4)
  })

  it('asks for a fresh address when a signed one has expired', async () => {
    handler = (request, response, nth) => {
      if (request.url?.includes('sig=old')) response.writeHead(403).end('expired')
      else serve()(request, response, nth)
    }
    const renew = () => Promise.resolve(`${base}/f.json?sig=new`)
    expect((await whole('/f.json?sig=old', { renew })).equals(content)).toBe(true)
  })

  it('renews an address that expires between two parts', async () => {
    handler = (request, response, nth) => {
      if (nth > 1 && request.url?.includes('sig=old')) response.writeHead(403).end('expired')
      else serve(nth === 1 ? { cut: 50_000 } : {})(request, response, nth)
    }
    const renew = () => Promise.resolve(`${base}/f.json?sig=new`)
    expect((await whole('/f.json?sig=old', { renew })).equals(content)).toBe(true)
  })

  it('takes a single 403 for a passing one', async () => {
    handler = (request, response, nth) => {
      if (nth === 1) response.writeHead(403).end()
      else serve()(request, response, nth)
    }
    expect((await whole()).equals(content)).toBe(true)
  })

  it('never shows a token in what it says', async () => {
    handler = (_, response) => response.writeHead(403).end()
    const problem = await whole('/f.json?sig=SECRET&Expires=9').catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(FetchProblem)
    expect((problem as FetchProblem).message).not.toContain('SECRET')
    expect((problem as FetchProblem).kind).toBe('refused')
  })

  it('does not fetch the same state again', async () => {
    handler = (request, response, nth) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else serve()(request, response, nth)
    }
    expect(await fetched(client, `${base}/f.json`, { known: { etag: '"v1"' } })).toBe('unchanged')
  })

  it('says what is gone', async () => {
    handler = (_, response) => response.writeHead(404).end()
    await expect(whole()).rejects.toMatchObject({ kind: 'gone' })
    expect(asked).toHaveLength(1)
  })

  it('opens no more connections to a host than allowed', async () => {
    handler = (request, response, nth) => void setTimeout(() => serve()(request, response, nth), 20)
    const all = await Promise.all(Array.from({ length: 8 }, () => whole()))
    expect(all.every((bytes) => bytes.equals(content))).toBe(true)
    expect(openMost).toBeLessThanOrEqual(2)
  })

  it('stops when told to', async () => {
    handler = serve({ cut: 10_000 })
    const stop = new AbortController()
    const answer = await fetched(client, `${base}/f.json`, { signal: stop.signal })
    if (answer === 'unchanged') throw new Error('no')
    const reading = (async () => {
      for await (const _ of answer.bytes) stop.abort()
    })()
    await expect(reading).rejects.toThrow()
  })
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FileServer {
  readonly address: string
  /** Every path asked for, with its query, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

export type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void

/** A loopback server for tests; `answers` by path, the nth call of each counted from 1. */
export async function fileServer(answers: Readonly<Record<string, Answer>>): Promise<FileServer> {
  const asked: string[] = []
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const nth = (counts.get(path) ?? 0) + 1
    counts.set(path, nth)
    asked.push(request.url ?? '')
    const answer = answers[path]
    if (answer) answer(request, response, nth)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export interface ServeOptions {
  readonly etag?: string
  /** Breaks off each answer after so many bytes. */
  readonly cut?: number
}

/** Bytes as a good server sends them: ranges, entity tags, 304. */
export function serving(bytes: Uint8Array, { etag, cut }: ServeOptions = {}): Answer {
  return (request, response) => {
    if (etag && request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': bytes.length - start,
      ...(etag && { etag }),
      ...(start > 0 && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    })
    const end = cut === undefined ? bytes.length : start + cut
    if (end >= bytes.length) return void response.end(bytes.subarray(start))
    response.write(bytes.subarray(start, end), () => setTimeout(() => response.destroy(), 3))
  }
}

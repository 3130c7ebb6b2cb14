import { createHash, type Hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { addressWithoutToken, textWithoutTokens } from './address.ts'
import type { HttpClient } from './http-client.ts'

/** What a server says about the state of a file, so that the same state is not fetched twice. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
  readonly size?: number
}

/** A file could not be had; `says` is for people and holds no token. */
export class FetchProblem extends Error {
  /** `gone`: the server has no such file. `refused`: it does not let us. `changed`: another state began midway. */
  readonly kind: 'gone' | 'refused' | 'changed' | 'failed'

  constructor(kind: FetchProblem['kind'], says: string) {
    super(textWithoutTokens(says))
    this.name = 'FetchProblem'
    this.kind = kind
  }
}

/** The beginning of a file that was fetched earlier. */
export interface Begun {
  readonly bytes: number
  /** SHA-256 of those bytes, to be continued. */
  readonly hash: Hash
  /** What the server said of the file then. */
  readonly validators: Validators
}

export interface Fetching {
  readonly signal?: AbortSignal
  /** What is here already: the bytes go on behind it, if the server still has the same file. */
  readonly begun?: Begun
  /** What is known of the file already; the same state answers `unchanged`. */
  readonly known?: Validators
  /** A fresh address for one that expired; undefined where there is none. */
  readonly renew?: () => Promise<string | undefined>
}

export interface Fetched extends Validators {
  /** The bytes as the server sends them, across cut connections. */
  readonly bytes: AsyncGenerator<Buffer, void>
  /** SHA-256 of the bytes handed out so far; of the file, once they have ended. */
  readonly digest: () => string
}

const redirects = new Set([301, 302, 303, 307, 308])
const passing = new Set([408, 425, 429, 500, 502, 503, 504])
const renewalsMax = 3
const redirectsMax = 10

/** Opens a file over HTTP. The stream resumes by itself where a connection breaks. */
export async function fetched(
  client: HttpClient,
  address: string,
  fetching: Fetching = {},
): Promise<Fetched | 'unchanged'> {
  const transfer = new Transfer(client, address, fetching)
  const first = await transfer.begin()
  if (first === 'unchanged') return first
  return { ...transfer.validators, bytes: transfer.bytes(first), digest: transfer.digest }
}

type Answer = Dispatcher.ResponseData

class Transfer {
  validators: Validators = {}
  #client: HttpClient
  #address: string
  #fetching: Fetching
  #renewals = 0
  #seen: Hash

  constructor(client: HttpClient, address: string, fetching: Fetching) {
    this.#client = client
    this.#address = address
    this.#fetching = fetching
    this.validators = fetching.begun?.validators ?? {}
    this.#seen = fetching.begun?.hash.copy() ?? createHash('sha256')
  }

  /** The first answer: the file from its beginning, or behind what is here already. */
  begin(): Promise<Answer | 'unchanged'> {
    const { begun } = this.#fetching
    return begun === undefined ? this.#open(0) : this.#rest(begun.bytes)
  }

  /** The answer from `offset` on, after retries, redirects and renewals of the address. */
  async #open(offset: number): Promise<Answer | 'unchanged'> {
    let problem = ''
    for (let attempt = 0; attempt < this.#client.tries; attempt++) {
      if (attempt > 0) await this.#pause(attempt, problem)
      let answer: Answer
      try {
        answer = await this.#ask(offset)
      } catch (error) {
        this.#fetching.signal?.throwIfAborted()
        if (error instanceof FetchProblem) throw error
        problem = error instanceof Error ? error.message : String(error)
        // A name that does not exist will not exist in a second either.
        if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND')
          throw new FetchProblem('failed', `${this.#place}: ${problem}`)
        continue
      }
      const { statusCode } = answer
      if (statusCode === 200 || statusCode === 206) {
        if (offset === 0) this.validators = validatorsOf(answer)
        return answer
      }
      // Nothing of an error page is wanted, and a connection with unread bytes cannot be used again.
      await answer.body.dump().catch(() => undefined)
      if (statusCode === 304) return 'unchanged'
      problem = `the server answered ${statusCode}`
      if (statusCode === 416) throw new FetchProblem('changed', `${this.#place} is shorter than before`)
      if (statusCode === 401 || statusCode === 403 || statusCode === 410) {
        if (await this.#renewed()) {
          attempt = -1
          continue
        }
        // A bot guard or a busy store refuses once and lets the next one pass.
        if (attempt < 1 && statusCode === 403) continue
        throw new FetchProblem('refused', `${this.#place}: ${problem}`)
      }
      if (statusCode === 404) throw new FetchProblem('gone', `${this.#place}: ${problem}`)
      if (!passing.has(statusCode)) throw new FetchProblem('failed', `${this.#place}: ${problem}`)
      const after = Number(answer.headers['retry-after'])
      if (after > 0) problem += `; retry-after=${after}`
    }
    throw new FetchProblem('failed', `${this.#place}: ${problem} (tried ${this.#client.tries} times)`)
  }

  async *bytes(first: Answer): AsyncGenerator<Buffer, void> {
    let answer = first
    let offset = this.#fetching.begun?.bytes ?? 0
    let stalled = 0
    for (;;) {
      const before = offset
      try {
        for await (const chunk of answer.body as AsyncIterable<Buffer>) {
          this.#seen.update(chunk)
          offset += chunk.length
          yield chunk
        }
        if (this.validators.size === undefined || offset >= this.validators.size) return
      } catch (error) {
        this.#fetching.signal?.throwIfAborted()
        if (error instanceof FetchProblem) throw error
      } finally {
        // Also when the consumer stops early: the connection must not hang half-read.
        if (!answer.body.readableEnded) drop(answer)
      }
      stalled = offset > before ? 0 : stalled + 1
      for (let resumed: Answer | undefined; resumed === undefined;) {
        if (stalled >= this.#client.tries)
          throw new FetchProblem('failed', `${this.#place}: the connection kept breaking at byte ${offset}`)
        resumed = await this.#resumed(offset, stalled).catch((error: unknown) => {
          this.#fetching.signal?.throwIfAborted()
          if (error instanceof FetchProblem) throw error
          stalled++
          return undefined
        })
        if (resumed) answer = resumed
      }
    }
  }

  /** SHA-256 of every byte handed out so far. */
  digest = () => this.#seen.copy().digest('hex')

  async #resumed(offset: number, stalled: number): Promise<Answer> {
    await this.#pause(stalled, '')
    return this.#rest(offset)
  }

  /** The rest of the same file from `offset` on, or a problem that says it is no longer the same. */
  async #rest(offset: number): Promise<Answer> {
    const answer = await this.#open(offset)
    if (answer === 'unchanged') throw new FetchProblem('failed', `${this.#place}: 304 without being asked`)
    const now = validatorsOf(answer)
    const other = (['etag', 'lastModified', 'size'] as const).some(
      (name) =>
        now[name] !== undefined && this.validators[name] !== undefined && now[name] !== this.validators[name],
    )
    if (other) throw this.#changed(answer)
    if (offset === 0) return answer
    if (answer.statusCode === 206) {
      const start = /^bytes (\d+)-/.exec(textOf(answer.headers['content-range']) ?? '')?.[1]
      if (start !== undefined && Number(start) !== offset) throw this.#changed(answer)
      return answer
    }
    return this.#skipped(answer, offset)
  }

  // A server that ignores Range sends the file from its first byte: what we have must come again, bit for bit.
  async #skipped(answer: Answer, offset: number): Promise<Answer> {
    const again = createHash('sha256')
    let left = offset
    while (left > 0) {
      const chunk = await nextChunk(answer.body, left)
      if (chunk === undefined) throw this.#changed(answer)
      again.update(chunk)
      left -= chunk.length
    }
    if (!again.digest().equals(this.#seen.copy().digest())) throw this.#changed(answer)
    return answer
  }

  #changed(answer: Answer): FetchProblem {
    drop(answer)
    return new FetchProblem('changed', `${this.#place} changed while it was read`)
  }

  async #ask(offset: number): Promise<Answer> {
    let address = this.#address
    for (let hops = 0; hops <= redirectsMax; hops++) {
      const answer = await this.#client.request(address, {
        headers: this.#headers(offset),
        ...(this.#fetching.signal && { signal: this.#fetching.signal }),
      })
      const location = textOf(answer.headers.location)
      if (!redirects.has(answer.statusCode) || location === undefined) return answer
      await answer.body.dump().catch(() => undefined)
      const next = new URL(location, address)
      if (address.startsWith('https:') && next.protocol !== 'https:')
        throw new FetchProblem('refused', `${this.#place} redirects from https to ${next.protocol}//`)
      if (!/^https?:$/.test(next.protocol))
        throw new FetchProblem('refused', `${this.#place} redirects to ${next.protocol}`)
      address = next.href
    }
    throw new FetchProblem('failed', `${this.#place} redirects more than ${redirectsMax} times`)
  }

  #headers(offset: number): Record<string, string> {
    const headers: Record<string, string> = {
      accept: '*/*',
      // Files are packed already; a second coding would make byte positions meaningless.
      'accept-encoding': 'identity',
      'user-agent': 'ratebook',
    }
    if (offset > 0) {
      headers.range = `bytes=${offset}-`
      const { etag, lastModified } = this.validators
      const state = etag && !etag.startsWith('W/') ? etag : lastModified
      if (state) headers['if-range'] = state
      return headers
    }
    const { etag, lastModified } = this.#fetching.known ?? {}
    if (etag) headers['if-none-match'] = etag
    else if (lastModified) headers['if-modified-since'] = lastModified
    return headers
  }

  async #renewed(): Promise<boolean> {
    if (this.#fetching.renew === undefined || this.#renewals >= renewalsMax) return false
    this.#renewals++
    const address = await this.#fetching.renew()
    if (address === undefined) return false
    this.#address = address
    return true
  }

  async #pause(attempt: number, problem: string): Promise<void> {
    const asked = Number(/retry-after=(\d+)/.exec(problem)?.[1] ?? 0) * 1_000
    const doubled = this.#client.pauseMs * 2 ** Math.min(attempt, 10)
    // Half of the pause is random, so that many transfers do not come back at once.
    const pauseMs = Math.min(60_000, Math.max(asked, doubled * (0.5 + Math.random() / 2)))
    await wait(pauseMs, undefined, this.#fetching.signal && { signal: this.#fetching.signal })
  }

  get #place() {
    return addressWithoutToken(this.#address)
  }
}

function validatorsOf(answer: Answer): Validators {
  const etag = textOf(answer.headers.etag)
  const lastModified = textOf(answer.headers['last-modified'])
  const total = /\/(\d+)$/.exec(textOf(answer.headers['content-range']) ?? '')?.[1]
  const length = answer.statusCode === 206 ? total : textOf(answer.headers['content-length'])
  return {
    ...(etag && { etag }),
    ...(lastModified && { lastModified }),
    ...(length !== undefined && { size: Number(length) }),
  }
}

/** Leaves the rest of a body unread. A body that is destroyed says so as an error, which is none to us. */
const drop = ({ body }: Answer) => body.on('error', () => undefined).destroy()

const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

/** At most `most` bytes of a body; what is left of a chunk goes back to its front. */
async function nextChunk(body: Answer['body'], most: number): Promise<Buffer | undefined> {
  for (;;) {
    const chunk = body.read() as Buffer | null
    if (chunk !== null) {
      if (chunk.length <= most) return chunk
      body.unshift(chunk.subarray(most))
      return chunk.subarray(0, most)
    }
    if (body.readableEnded) return undefined
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error) => {
        body.off('readable', settle).off('end', settle).off('error', settle).off('close', settle)
        if (error) reject(error)
        else resolve()
      }
      body.on('readable', settle).on('end', settle).on('error', settle).on('close', settle)
    })
    if (body.destroyed && !body.readableEnded) throw new Error('the connection broke')
  }
}

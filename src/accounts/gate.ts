import { Failure } from '../errors.ts'
import type { Operation } from '../operations/operation.ts'
import type { Records } from '../records/records.ts'
import { type Caller, callerBySession, Callers, type LoggedIn } from './callers.ts'
import { ChargeBook } from './charges.ts'
import { RateLimit, rateLimitHeaders } from './rate-limit.ts'

/** What passes the gate: an operation, or a tool that costs and is counted like one. */
export type Gated = Pick<Operation, 'name' | 'credits' | 'role' | 'status'> & {
  readonly group?: string
  readonly toolName?: string
}

/** One call on its way through. */
export interface Passage<Request, Answer> {
  readonly gated: Gated
  /** Who asks; throws `unauthenticated`. `Gate.caller` knows the holder of a key. */
  readonly who: () => Promise<Caller>
  /** Reads the request; throws `invalid_request` naming every problem. */
  readonly parse: () => Request
  readonly work: (request: Request, caller: Caller) => Promise<Answer>
  /** Whether the work turned out to have been paid for before; asked once it is done. */
  readonly isFree?: () => boolean
  /** Takes the headers of limits and credits, whatever comes of the call. */
  readonly header: (name: string, value: string) => void
}

export interface GateSettings {
  readonly ratePerSecond: number
  readonly rateBurst: number
  /** Prices that differ from the operation table. */
  readonly prices: ReadonlyMap<string, number>
  readonly creditsUrl: () => string
}

/**
 * The gate that both doors pass: who, may they, how often, is it valid, can they pay; then the work;
 * then the debit, durable before the answer leaves. Nothing is charged on failure.
 */
export class Gate {
  readonly #records: Records
  readonly #callers: Callers
  readonly #settings: GateSettings
  readonly #limit: RateLimit
  readonly #charges: ChargeBook
  readonly #now: () => number

  constructor(records: Records, settings: GateSettings, now: () => number = Date.now) {
    this.#records = records
    this.#callers = new Callers(records, now)
    this.#settings = settings
    this.#now = now
    this.#limit = new RateLimit(now)
    this.#charges = new ChargeBook(records)
  }

  price(gated: Gated): number {
    return this.#settings.prices.get(gated.name) ?? gated.credits
  }

  /** Who holds this key; an `unauthenticated` failure when nobody does. */
  async caller(token: string | undefined): Promise<Caller> {
    const caller = token === undefined ? undefined : await this.#callers.byKey(token)
    if (caller) return caller
    const says = token === undefined ? undefined : 'The API key is unknown, expired or revoked.'
    throw new Failure('unauthenticated', says, { headers: { 'WWW-Authenticate': 'Bearer realm="ratebook"' } })
  }

  /** The caller behind a log-in to the web application. */
  async sessionCaller(session: LoggedIn): Promise<Caller> {
    const caller = await callerBySession(this.#records, session)
    if (caller) return caller
    throw new Failure('unauthenticated')
  }

  /** Lets a call through, or fails with the reason. Every call of a known caller is counted. */
  async pass<Request, Answer>(passage: Passage<Request, Answer>): Promise<Answer> {
    const started = performance.now()
    const { gated, header } = passage
    const caller = await passage.who()
    const count = (status: number, credits: number) =>
      this.#charges.record({
        organizationId: caller.organizationId,
        keyId: caller.keyId,
        operation: gated.name,
        status,
        credits,
        latencyUs: Math.round((performance.now() - started) * 1_000),
        at: this.#now(),
      })

    const price = this.price(gated)
    let answer: Answer
    try {
      this.#permit(gated, caller)
      this.takeTurn(caller, header)
      const request = passage.parse()
      if (caller.credits < price) throw this.#noCredit(caller.credits, price)
      answer = await passage.work(request, caller)
    } catch (error) {
      const { remaining } = await count(error instanceof Failure ? error.status : 500, 0)
      header('X-Credits-Charged', '0')
      header('X-Credits-Remaining', String(remaining))
      throw error
    }
    const due = passage.isFree?.() ? 0 : price
    const { paid, remaining } = await count(gated.status ?? 200, due)
    header('X-Credits-Charged', String(paid ? due : 0))
    header('X-Credits-Remaining', String(remaining))
    if (!paid) throw this.#noCredit(remaining, price)
    return answer
  }

  /** Counts a request against the caller's rate; a `rate_limited` failure when there were too many. */
  takeTurn(caller: Caller, header: (name: string, value: string) => void): void {
    const rate = {
      perSecond: caller.ratePerSecond ?? this.#settings.ratePerSecond,
      burst: caller.rateBurst ?? this.#settings.rateBurst,
    }
    const turn = this.#limit.take(caller.organizationId, rate)
    for (const [name, value] of Object.entries(rateLimitHeaders(rate, turn))) header(name, value)
    if (!turn.allowed)
      throw new Failure(
        'rate_limited',
        `At most ${rate.perSecond} requests a second on average and ${rate.burst} at once. Try again in ${turn.retryInS} s.`,
        {
          headers: { 'Retry-After': String(turn.retryInS) },
        },
      )
  }

  /** Resolves when every call so far is on the disk. */
  close(): Promise<void> {
    return this.#charges.drained()
  }

  #permit({ name, group, toolName, role }: Gated, caller: Caller): void {
    if (caller.suspended) throw new Failure('organization_suspended')
    if (group !== undefined && caller.groups !== null && !caller.groups.includes(group))
      throw new Failure(
        'forbidden',
        `This key is restricted to the endpoint groups ${caller.groups.join(', ') || '(none)'}; ${name} belongs to ${group}.`,
      )
    if (role === 'admin' && caller.role !== 'admin') throw new Failure('admin_required')
    if (toolName === undefined) return
    if (caller.tools !== null && !caller.tools.includes(toolName))
      throw new Failure('forbidden', `This key may not use the tool ${toolName}.`)
    if (caller.organizationTools !== null && !caller.organizationTools.includes(toolName))
      throw new Failure(
        'forbidden',
        `Your organisation may not use the tool ${toolName}. Ask the operator of this service.`,
      )
  }

  #noCredit(credits: number, price: number): Failure {
    return new Failure(
      'insufficient_credit',
      `This call costs ${price} ${price === 1 ? 'credit' : 'credits'} and your organisation has ${credits}. Get credits at ${this.#settings.creditsUrl()}.`,
      {
        more: { creditsNeeded: price, creditsRemaining: credits, getCreditsAt: this.#settings.creditsUrl() },
      },
    )
  }
}

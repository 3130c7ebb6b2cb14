import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { Failure, type FailureCode } from '../errors.ts'
import type { Records } from '../records/records.ts'
import { createKey, type KeyLimits, revokeKey } from './api-keys.ts'
import { Gate, type Gated, type GateSettings, type Passage } from './gate.ts'
import { changeOrganization, createOrganization, grantCredits } from './organizations.ts'

const plans: Gated = { name: 'payerPlans', group: 'Payer', credits: 1 }
const tool: Gated = { name: 'search_providers', toolName: 'search_providers', credits: 1 }

class Clock {
  ms = Date.parse('2026-06-01T12:00:00Z')
  readonly now = () => this.ms
}

async function opened({
  credits = 5,
  limits,
  ...settings
}: Partial<GateSettings> & { credits?: number; limits?: KeyLimits } = {}) {
  const records = await freshRecords()
  const clock = new Clock()
  const organization = await createOrganization(records, 'Clinic', credits, 'start', clock.ms)
  const made = await createKey(records, organization.id, 'k', { now: clock.ms, ...(limits && { limits }) })
  const gate = new Gate(
    records,
    {
      ratePerSecond: 10,
      rateBurst: 20,
      prices: new Map(),
      creditsUrl: () => 'https://example.org/credits',
      ...settings,
    },
    clock.now,
  )
  return { records, clock, organization, ...made, gate }
}

/** Passes the gate with a call that writes down how far it came. */
async function pass(gate: Gate, token: string | undefined, more: Partial<Passage<unknown, unknown>> = {}) {
  const headers: Record<string, string> = {}
  const steps: string[] = []
  const outcome = await gate
    .pass<unknown, unknown>({
      gated: plans,
      who: () => gate.caller(token),
      header: (name, value) => void (headers[name] = value),
      ...more,
      parse: () => (steps.push('parse'), more.parse?.()),
      work: async (request, caller) => (
        steps.push('work'),
        more.work ? more.work(request, caller) : 'answer'
      ),
    })
    .then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error: error as Failure }),
    )
  return { ...outcome, headers, steps } as {
    answer?: unknown
    error?: Failure
    headers: Record<string, string>
    steps: string[]
  }
}

const usageOf = async ({ db }: Records) =>
  (await db.selectFrom('usage').select(['operation', 'status', 'credits']).orderBy('id').execute()).map(
    ({ operation, status, credits }) => `${operation} ${status} ${credits}`,
  )

const invalid = () => {
  throw new Failure('invalid_request')
}
const only = (groups: string[] | null, tools: string[] | null = null): KeyLimits => ({
  groups,
  tools,
  expiresAt: null,
})

describe('the gate', () => {
  it('lets a paid call through and says what it cost', async () => {
    const { gate, apiKey, records } = await opened()
    const { answer, headers, steps } = await pass(gate, apiKey)
    expect(answer).toBe('answer')
    expect(steps).toEqual(['parse', 'work'])
    expect(headers).toMatchObject({
      'X-Credits-Charged': '1',
      'X-Credits-Remaining': '4',
      'RateLimit-Policy': '"organization";q=20;w=2',
      RateLimit: '"organization";r=19;t=1',
    })
    expect(await usageOf(records)).toEqual(['payerPlans 200 1'])
  })

  it('checks in order: who, may they, how often, is it valid, can they pay', async () => {
    const { gate, apiKey, records, organization, clock } = await opened({
      credits: 0,
      rateBurst: 1,
      limits: only(['Provider']),
    })
    const meets = async (token: string | undefined, code: FailureCode, steps: string[]) => {
      const result = await pass(gate, token, { parse: invalid })
      expect([result.error?.code, result.steps]).toEqual([code, steps])
    }
    // Everything is wrong at once; each cure uncovers the next check.
    await meets(undefined, 'unauthenticated', [])
    await meets('rb_unknown', 'unauthenticated', [])
    await meets(apiKey, 'forbidden', [])
    const { apiKey: free } = await createKey(records, organization.id, 'free')
    await meets(free, 'invalid_request', ['parse'])
    await meets(free, 'rate_limited', [])
    clock.ms += 1_000
    await meets(free, 'invalid_request', ['parse'])
    clock.ms += 1_000
    const unpaid = await pass(gate, free)
    expect([unpaid.error?.code, unpaid.steps]).toEqual(['insufficient_credit', ['parse']])
    await grantCredits(records, organization.id, 1, 'more')
    clock.ms += 1_000
    expect((await pass(gate, free)).answer).toBe('answer')
    expect(await usageOf(records)).toEqual(
      ['403 0', '400 0', '429 0', '400 0', '402 0', '200 1'].map((line) => `payerPlans ${line}`),
    )
  })

  it('counts failures and charges nothing for them', async () => {
    const { gate, apiKey, records, organization } = await opened()
    const works: [() => Promise<never>, number][] = [
      [() => Promise.reject(new Failure('not_loaded')), 503],
      [() => Promise.reject(new Failure('query_timeout')), 400],
      [() => Promise.reject(new TypeError('a defect')), 500],
    ]
    for (const [work, status] of works) {
      const { error, headers } = await pass(gate, apiKey, { work })
      expect(error).toBeInstanceOf(Error)
      expect(headers).toMatchObject({ 'X-Credits-Charged': '0', 'X-Credits-Remaining': '5' })
      expect((await usageOf(records)).at(-1)).toBe(`payerPlans ${status} 0`)
    }
    const { credits } = await records.db
      .selectFrom('organizations')
      .select('credits')
      .where('id', '=', organization.id)
      .executeTakeFirstOrThrow()
    expect(credits).toBe(5)
  })

  it('says where to get credits when they ran out, before any work is done', async () => {
    const { gate, apiKey } = await opened({ credits: 0 })
    const { error, steps } = await pass(gate, apiKey)
    expect(steps).toEqual(['parse'])
    expect(error?.details.more).toEqual({
      creditsNeeded: 1,
      creditsRemaining: 0,
      getCreditsAt: 'https://example.org/credits',
    })
    expect(error?.message).toContain('https://example.org/credits')
  })

  it('answers exactly as many calls at once as there are credits', async () => {
    const { gate, apiKey, records } = await opened({ credits: 7 })
    const results = await Promise.all(Array.from({ length: 20 }, () => pass(gate, apiKey)))
    expect(results.filter(({ answer }) => answer === 'answer')).toHaveLength(7)
    expect(results.filter(({ error }) => error?.code === 'insufficient_credit')).toHaveLength(13)
    const { rows } = await sql<{ credits: number }>`select credits from organizations`.execute(records.db)
    expect(rows).toEqual([{ credits: 0 }])
    expect(await usageOf(records)).toHaveLength(20)
  })

  it('charges by the price table, where a price may be nothing', async () => {
    const { gate, apiKey, records } = await opened({
      credits: 3,
      prices: new Map([
        ['payerPlans', 3],
        ['payers', 0],
      ]),
    })
    expect((await pass(gate, apiKey)).headers['X-Credits-Charged']).toBe('3')
    expect((await pass(gate, apiKey)).error?.code).toBe('insufficient_credit')
    const free = await pass(gate, apiKey, { gated: { name: 'payers', group: 'Payer', credits: 1 } })
    expect([free.answer, free.headers['X-Credits-Charged']]).toEqual(['answer', '0'])
    expect(await usageOf(records)).toEqual(['payerPlans 200 3', 'payerPlans 402 0', 'payers 200 0'])
  })

  it('keeps a key to its endpoint groups and tools, and an organisation to its tools', async () => {
    const { gate, records, organization } = await opened()
    const keyFor = async (limits: KeyLimits) =>
      (await createKey(records, organization.id, 'k', { limits })).apiKey
    expect((await pass(gate, await keyFor(only(['Payer'])))).answer).toBe('answer')
    expect((await pass(gate, await keyFor(only(['Provider'])))).error?.message).toContain(
      'restricted to the endpoint groups Provider',
    )
    expect(
      (await pass(gate, await keyFor(only(null, ['search_market_negotiated_rates'])), { gated: tool })).error
        ?.code,
    ).toBe('forbidden')
    const key = await keyFor(only(null, ['search_providers']))
    expect((await pass(gate, key, { gated: tool })).answer).toBe('answer')
    await changeOrganization(records, organization.id, { tools: [] })
    expect((await pass(gate, key, { gated: tool })).error?.message).toContain(
      'Your organisation may not use the tool',
    )
    await changeOrganization(records, organization.id, { tools: null, suspendedAt: 1 })
    expect((await pass(gate, key, { gated: tool })).error?.code).toBe('organization_suspended')
  })

  it('refuses a key from the moment it is revoked or expires', async () => {
    const { gate, apiKey, key, records, organization, clock } = await opened()
    const { apiKey: short } = await createKey(records, organization.id, 'short', {
      limits: { ...only(null), expiresAt: clock.ms + 1_000 },
    })
    clock.ms += 999
    expect((await pass(gate, short)).answer).toBe('answer')
    clock.ms += 1
    expect((await pass(gate, short)).error?.code).toBe('unauthenticated')
    expect((await pass(gate, apiKey)).answer).toBe('answer')
    await revokeKey(records, organization.id, key.id)
    const { error } = await pass(gate, apiKey)
    expect([error?.code, error?.details.headers]).toEqual([
      'unauthenticated',
      { 'WWW-Authenticate': 'Bearer realm="ratebook"' },
    ])
  })

  it('gives each organisation its own limit, and the operator’s where there is one', async () => {
    const { gate, apiKey, records, organization } = await opened({ credits: 100, rateBurst: 2 })
    await changeOrganization(records, organization.id, { ratePerSecond: 1, rateBurst: 3 })
    const codes = []
    for (let at = 0; at < 4; at++) codes.push((await pass(gate, apiKey)).error?.details.headers)
    expect(codes).toEqual([undefined, undefined, undefined, { 'Retry-After': '1' }])
    const other = await createOrganization(records, 'Other', 5, 'start')
    expect((await pass(gate, (await createKey(records, other.id, 'k')).apiKey)).answer).toBe('answer')
  })
})

import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshOpenings, freshRecords } from '../../test/support/records.ts'
import { testDatabaseUrl } from '../../test/support/service.ts'
import type { Records } from '../records/records.ts'
import { createKey } from './api-keys.ts'
import { type Call, ChargeBook, type Charged } from './charges.ts'
import { createOrganization, grantCredits } from './organizations.ts'

const noon = Date.parse('2026-06-01T12:00:00Z')

const callOf = (organizationId: string, credits: number, more: Partial<Call> = {}): Call => ({
  organizationId,
  keyId: null,
  operation: 'payers',
  status: 200,
  credits,
  latencyUs: 1_500,
  at: noon,
  ...more,
})

/** What the store says of an organisation, added up by the database itself. */
async function booksOf({ db }: Records, organizationId: string) {
  const { rows } = await sql<Record<string, number | string>>`
    select credits,
      (select coalesce(sum(credits), 0) from credit_grants where organization_id = o.id) as granted,
      (select coalesce(sum(credits), 0) from usage where organization_id = o.id) as charged,
      (select count(*) from usage where organization_id = o.id) as calls,
      (select count(*) from usage where organization_id = o.id and status = 402) as refused
    from organizations o where id = ${organizationId}`.execute(db)
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)])) as Record<
    'credits' | 'granted' | 'charged' | 'calls' | 'refused',
    number
  >
}

/** A step of a random history: a call, a grant, or a pause that ends a batch. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ call: fc.nat(2), credits: fc.nat(4), failed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ grant: fc.nat(2), credits: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.constant('pause' as const) },
)

describe('a charge book', () => {
  it('agrees with a naive purse under any interleaving of calls, grants and pauses', async () => {
    const [records, other = records] = await freshOpenings(testDatabaseUrl ? 2 : 1)
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.array(fc.nat(12), { minLength: 3, maxLength: 3 }),
        async (steps, starts) => {
          const books = [new ChargeBook(records!), new ChargeBook(other!)]
          const ids: string[] = []
          for (const start of starts)
            ids.push((await createOrganization(records!, 'Clinic', start, 'start')).id)
          const asked: { at: number; credits: number; answer: Promise<Charged> }[] = []
          const granted = [...starts]
          for (const [turn, now] of steps.entries()) {
            if (now === 'pause') await Promise.all(asked.map(({ answer }) => answer))
            else if ('grant' in now) {
              granted[now.grant]! += now.credits
              await grantCredits(records!, ids[now.grant]!, now.credits, 'more')
            } else {
              const credits = now.failed ? 0 : now.credits
              const call = callOf(ids[now.call]!, credits, { status: now.failed ? 500 : 200 })
              asked.push({ at: now.call, credits, answer: books[turn % 2]!.record(call) })
            }
          }
          const answers = await Promise.all(asked.map(({ answer }) => answer))
          for (const [at, id] of ids.entries()) {
            const mine = asked.flatMap((one, nth) => (one.at === at ? [{ ...one, ...answers[nth]! }] : []))
            const taken = mine.reduce((sum, { paid, credits }) => sum + (paid ? credits : 0), 0)
            expect(await booksOf(records!, id)).toEqual({
              credits: granted[at]! - taken,
              granted: granted[at],
              charged: taken,
              calls: mine.length,
              refused: mine.filter(({ paid }) => !paid).length,
            })
            for (const { paid, remaining, credits } of mine) {
              expect(remaining).toBeGreaterThanOrEqual(0)
              // Refused means that it could not be paid, and never that it was inconvenient.
              expect(paid || remaining < credits).toBe(true)
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('takes calls of one book in the order they came, to the last credit', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5, 'start')
    const book = new ChargeBook(records)
    const answers = await Promise.all([2, 2, 2, 1, 1].map((credits) => book.record(callOf(id, credits))))
    expect(answers).toEqual([
      { paid: true, remaining: 3 },
      { paid: true, remaining: 1 },
      { paid: false, remaining: 1 },
      { paid: true, remaining: 0 },
      { paid: false, remaining: 0 },
    ])
    expect(await booksOf(records, id)).toMatchObject({ credits: 0, charged: 5, calls: 5, refused: 2 })
  })

  it('writes a row for each call, with everything that is asked of it later', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5, 'start')
    const { key } = await createKey(records, id, 'k')
    await new ChargeBook(records).record(
      callOf(id, 3, { keyId: key.id, operation: 'npis', latencyUs: 42, at: noon }),
    )
    expect(await records.db.selectFrom('usage').selectAll().execute()).toMatchObject([
      {
        organization_id: id,
        key_id: key.id,
        operation: 'npis',
        status: 200,
        credits: 3,
        latency_us: 42,
        at: noon,
        day: '2026-06-01',
      },
    ])
  })

  it('notes when a key was used, at most once a minute', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5, 'start')
    const { key } = await createKey(records, id, 'k')
    const book = new ChargeBook(records)
    const lastUse = async () =>
      (await records.db.selectFrom('api_keys').select('last_used_at').executeTakeFirstOrThrow()).last_used_at
    for (const [at, noted] of [
      [noon, noon],
      [noon + 60_000, noon],
      [noon + 60_001, noon + 60_001],
      [noon - 5_000, noon + 60_001],
    ] as const) {
      await book.record(callOf(id, 0, { keyId: key.id, at }))
      expect(await lastUse()).toBe(noted)
    }
  })

  it('tells every caller of a batch that could not be written, and goes on with the next', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5, 'start')
    const book = new ChargeBook(records)
    const lost = [book.record(callOf(id, 1)), book.record(callOf(id, 1, { keyId: 'no such key' }))]
    expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await booksOf(records, id)).toMatchObject({ credits: 5, charged: 0, calls: 0 })
    expect(await book.record(callOf(id, 1))).toEqual({ paid: true, remaining: 4 })
  })

  it('is drained when every call so far is on the disk', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5_000, 'start')
    const book = new ChargeBook(records)
    const answers = Array.from({ length: 2_500 }, () => book.record(callOf(id, 1)))
    await book.drained()
    expect(await booksOf(records, id)).toMatchObject({ credits: 2_500, charged: 2_500, calls: 2_500 })
    expect((await Promise.all(answers)).at(-1)).toEqual({ paid: true, remaining: 2_500 })
  })
})

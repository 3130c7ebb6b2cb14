import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { createKey } from './api-keys.ts'
import { ChargeBook } from './charges.ts'
import { createOrganization } from './organizations.ts'
import { usage, usageGroupings } from './usage.ts'

const first = Date.parse('2026-05-30T00:00:00Z')
const day = 86_400_000

describe('usage', () => {
  it('is what a loop over the calls adds up to, by day, key and endpoint', async () => {
    const records = await freshRecords()
    const call = fc.record({
      key: fc.nat(2),
      operation: fc.constantFrom('payers', 'npis', 'marketBenchmarks'),
      status: fc.constantFrom(200, 400, 402, 429, 503),
      latencyUs: fc.nat(5_000_000),
      at: fc.nat(5 * day - 1).map((ms) => first + ms),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
        const mine = await createOrganization(records, 'Mine', 1_000, 'start')
        const other = await createOrganization(records, 'Other', 1_000, 'start')
        const keys = [
          null,
          (await createKey(records, mine.id, 'a')).key.id,
          (await createKey(records, mine.id, 'b')).key.id,
        ]
        const book = new ChargeBook(records)
        const made = calls.map(({ key, ...rest }) => ({
          ...rest,
          keyId: keys[key]!,
          credits: rest.status === 200 ? 1 : 0,
          organizationId: mine.id,
        }))
        await Promise.all([
          ...made.map((one) => book.record(one)),
          book.record({
            operation: 'payers',
            status: 200,
            latencyUs: 1,
            at: first,
            keyId: null,
            credits: 1,
            organizationId: other.id,
          }),
        ])
        const inside = made.filter(({ at }) => at >= first + day && at < first + 4 * day)
        for (const by of usageGroupings) {
          const nameOf = {
            day: (one: (typeof made)[0]) => new Date(one.at).toISOString().slice(0, 10),
            key: (one: (typeof made)[0]) => one.keyId ?? '',
            operation: (one: (typeof made)[0]) => one.operation,
          }[by]
          const names = [...new Set(inside.map(nameOf))].sort()
          const lines = await usage(records, mine.id, '2026-05-31', '2026-06-02', by)
          expect([...lines].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
            names.map((name) => {
              const part = inside.filter((one) => nameOf(one) === name)
              const sum = (value: (one: (typeof made)[0]) => number) =>
                part.reduce((total, one) => total + value(one), 0)
              return {
                name,
                calls: part.length,
                failures: part.filter(({ status }) => status >= 400).length,
                credits: sum(({ credits }) => credits),
                meanLatencyMs: Math.round(sum(({ latencyUs }) => latencyUs) / part.length) / 1_000,
              }
            }),
          )
        }
      }),
      { numRuns: 15 },
    )
  })
})

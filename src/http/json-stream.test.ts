import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonBody } from './json-stream.ts'

const row = fc.oneof(fc.jsonValue(), fc.record({ value: fc.double({ noNaN: true }), payer: fc.string() }))
const longList = fc.array(row, { minLength: 501, maxLength: 700, size: 'max' })

it('writes what JSON.stringify writes, list or page, long or short', () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(longList, fc.array(row)), fc.boolean(), async (data, isPage) => {
      const value = isPage ? { nextCursor: 'n', data, sourceMonths: ['202605'] } : data
      const body = jsonBody(value)
      const written = typeof body === 'string' ? body : await text(body)
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 30 },
  ))

it('gives other work a turn between its pieces', async () => {
  const body = jsonBody(Array.from({ length: 50_000 }, (_, at) => ({ at, text: 'x'.repeat(50) }))) as Readable
  let pieces = 0
  let turns = 0
  const others = new AbortController()
  const takeTurns = () => {
    turns++
    if (!others.signal.aborted) setImmediate(takeTurns)
  }
  takeTurns()
  for await (const _ of body) pieces++
  others.abort()
  expect(pieces).toBeGreaterThan(30)
  expect(turns).toBeGreaterThanOrEqual(pieces)
})

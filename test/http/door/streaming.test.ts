import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openDoor } from '../../support/doors.ts'
import { listening } from '../../support/sockets.ts'

const rowsMost = 100_000

/** Rows that count how many of them were written. */
function countedRows() {
  const written = { rows: 0 }
  const row = (at: number) => ({
    metrics: 'npi_1234567893',
    value: at,
    toJSON() {
      written.rows++
      return { metrics: 'npi_1234567893', value: at }
    },
  })
  return { written, rows: Array.from({ length: rowsMost }, (_, at) => row(at)) }
}

async function openStream(rows: unknown[]) {
  const door = await openDoor({ answers: { providerRates: async () => rows as never } })
  const base = await listening(door.app)
  const ask = (init: RequestInit = {}) =>
    fetch(`${base}/api/v1/provider/rates`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${door.apiKey}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      },
      body: JSON.stringify({ providers: { npis: [1234567893] }, payers: ['Aetna'], billingCodeAndTypes: [] }),
      ...init,
    })
  return { door, base, ask }
}

it('sends 100,000 rows in pieces, whole, and answers others meanwhile', async () => {
  const { written, rows } = countedRows()
  const { base, ask } = await openStream(rows)
  const answer = await ask()
  expect(answer.headers.get('content-length')).toBeNull()
  // Nobody has read the body yet, so the rows wait for their reader while the server serves others.
  expect((await fetch(`${base}/healthz`)).status).toBe(200)
  expect(written.rows).toBeLessThan(rowsMost)

  let pieces = 0
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of answer.body!) {
    pieces++
    text += decoder.decode(piece, { stream: true })
  }
  expect(pieces).toBeGreaterThan(20)
  const received = JSON.parse(text) as { value: number }[]
  expect(received).toHaveLength(rowsMost)
  expect(received.at(-1)).toEqual({ metrics: 'npi_1234567893', value: rowsMost - 1 })
})

it('stops writing rows when the client goes away', async () => {
  const { written, rows } = countedRows()
  const { door, ask } = await openStream(rows)
  const leaving = new AbortController()
  const answer = await ask({ signal: leaving.signal })
  await answer.body!.getReader().read()
  leaving.abort()
  await expect.poll(() => promisify(door.app.server.getConnections.bind(door.app.server))()).toBe(0)
  const before = written.rows
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(written.rows).toBe(before)
  expect(before).toBeLessThan(rowsMost)
})

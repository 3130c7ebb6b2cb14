import { expect, it } from 'vitest'
import { openDoor } from '../../support/doors.ts'

it('keeps the id that a client gives a request', async () => {
  const { app } = await openDoor()
  for (const id of ['7f9c', 'trace:01-ab.cd_E', 'x'.repeat(128)]) {
    const answer = await app.inject({ url: '/healthz', headers: { 'x-request-id': id } })
    expect(answer.headers['x-request-id']).toBe(id)
  }
})

it.each(['', 'two words', 'a\tb', '<script>', 'x'.repeat(129), 'naïve'])(
  'replaces an id that does not belong in a log: %j',
  async (id) => {
    const { app } = await openDoor()
    const answer = await app.inject({ url: '/nothing', headers: { 'x-request-id': id } })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.json()).toMatchObject({ requestId: answer.headers['x-request-id'] })
  },
)

import { expect, it } from 'vitest'
import { revokeKey } from '../../../src/accounts/api-keys.ts'
import { changeOrganization } from '../../../src/accounts/organizations.ts'
import type { Answers } from '../../../src/service.ts'
import { newCaller, openDoor } from '../../support/doors.ts'
import { FakeClock } from '../../support/service.ts'

const order = [401, 403, 429, 400, 402, 503] as const
const pairs = order.flatMap((first, at) => order.slice(at + 1).map((second) => [first, second] as const))

it.each(pairs)('says %i before %i when both apply', async (...wrong) => {
  const env = { RATEBOOK_RATE_BURST: '1', RATEBOOK_RATE_PER_SECOND: '0.1' }
  const is = (status: (typeof order)[number]) => wrong.includes(status)
  const door = await openDoor({
    env,
    clock: new FakeClock(),
    ...(is(503) && { answers: { npis: undefined } as unknown as Answers }),
  })
  const { records } = door.service
  const { apiKey, key, organization } = await newCaller(door.service, is(402) ? 0 : 5)
  if (is(429)) await door.ask('npis', undefined, apiKey)
  if (is(401)) await revokeKey(records, organization.id, key.id)
  if (is(403)) await changeOrganization(records, organization.id, { suspendedAt: 1 })
  const answer = await door.ask('npis', is(400) ? {} : undefined, apiKey)
  expect(answer.statusCode).toBe(wrong[0])
})

it('asks who is there before it looks at what was sent', async () => {
  const { app } = await openDoor()
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/npis',
    headers: { 'content-type': 'text/plain' },
    payload: 'not JSON',
  })
  expect(answer.statusCode).toBe(401)
})

import { expect, it } from 'vitest'
import { changeOrganization } from '../../../src/accounts/organizations.ts'
import { operations } from '../../../src/operations/index.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import { expectProblem, newCaller, openDoor, operationNames } from '../../support/doors.ts'
import { FakeClock } from '../../support/service.ts'

const env = { RATEBOOK_RATE_PER_SECOND: '0.5', RATEBOOK_RATE_BURST: '2' }

it('refuses what exceeds the burst, and lets in again after Retry-After, not sooner', async () => {
  const clock = new FakeClock()
  const door = await openDoor({ env, clock })
  for (const name of operationNames) {
    const { apiKey } = await newCaller(door.service)
    const ask = () => door.ask(name, undefined, apiKey)
    const allowed = [await ask(), await ask()]
    expect(allowed.map(({ headers }) => headers['ratelimit'])).toEqual([
      '"organization";r=1;t=2',
      '"organization";r=0;t=4',
    ])
    const refused = await ask()
    expectProblem(refused, 'rate_limited')
    expect(refused.headers).toMatchObject({
      'retry-after': '2',
      ratelimit: '"organization";r=0;t=4',
      'ratelimit-policy': '"organization";q=2;w=4',
      'x-credits-charged': '0',
      'x-credits-remaining': String(5 - 2 * operations[name].credits),
    })
    clock.advance(1_999)
    expect((await ask()).statusCode).toBe(429)
    clock.advance(1)
    expect((await ask()).statusCode).toBe((operations[name] as Operation).status ?? 200)
  }
})

it('counts all keys of an organisation together, and organisations apart', async () => {
  const door = await openDoor({ env, clock: new FakeClock() })
  const other = await newCaller(door.service)
  await door.ask('payers')
  await door.ask('npis')
  expect((await door.ask('payers')).statusCode).toBe(429)
  expect((await door.ask('payers', undefined, other.apiKey)).statusCode).toBe(200)
})

it('follows the limit that the operator set for an organisation', async () => {
  const door = await openDoor({ env, clock: new FakeClock() })
  await changeOrganization(door.service.records, door.organization.id, { ratePerSecond: 1, rateBurst: 3 })
  const statuses = []
  for (let turn = 0; turn < 4; turn++) statuses.push((await door.ask('payers')).statusCode)
  expect(statuses).toEqual([200, 200, 200, 429])
})

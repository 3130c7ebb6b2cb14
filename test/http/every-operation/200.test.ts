import { expect, it } from 'vitest'
import { type OperationName, operations } from '../../../src/operations/index.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import { openDoor, operationNames } from '../../support/doors.ts'

it('answers, takes its price once, counts the call, and says what is left', async () => {
  const priced = operationNames.map((name): [OperationName, Operation] => [name, operations[name]])
  let left = priced.reduce((sum, [, { credits }]) => sum + credits, 0)
  const door = await openDoor({ credits: left, env: { RATEBOOK_RATE_BURST: '100' } })
  for (const [name, { credits, status = 200, example }] of priced) {
    const answer = await door.ask(name)
    expect({ name, status: answer.statusCode }).toEqual({ name, status })
    const told: unknown = status === 204 ? undefined : answer.json()
    expect({ name, answer: told }).toEqual({ name, answer: example.response })
    left -= credits
    expect(answer.headers).toMatchObject({
      ...(status !== 204 && { 'content-type': 'application/json; charset=utf-8' }),
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
      'x-credits-charged': String(credits),
      'x-credits-remaining': String(left),
      ratelimit: expect.stringMatching(/^"organization";r=\d+;t=\d+$/),
      'ratelimit-policy': '"organization";q=100;w=2',
    })
  }
  expect(await door.creditsLeft()).toBe(0)
  const counted = await door.counted()
  expect(counted).toHaveLength(operationNames.length)
  for (const [operation, { credits, status = 200 }] of priced)
    expect(counted).toContainEqual({ operation, status, credits, key_id: door.key.id })
})

it('takes the price that the operator set, and nothing where that is 0', async () => {
  const door = await openDoor({ env: { RATEBOOK_PRICES: 'marketBenchmarks=3, npis=0' } })
  expect((await door.ask('marketBenchmarks')).headers['x-credits-charged']).toBe('3')
  expect((await door.ask('npis')).headers['x-credits-charged']).toBe('0')
  expect(await door.creditsLeft()).toBe(2)
})

it('accepts the scheme in any case, and a body with a charset', async () => {
  const door = await openDoor()
  const answer = await door.app.inject({
    method: 'POST',
    url: '/api/v1/npis',
    headers: { authorization: `bearer ${door.apiKey}`, 'content-type': 'Application/JSON; charset=utf-8' },
    payload: JSON.stringify(operations.npis.example.request),
  })
  expect(answer.statusCode).toBe(200)
})

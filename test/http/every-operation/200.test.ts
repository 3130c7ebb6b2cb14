import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { openDoor, operationNames } from '../../support/doors.ts'

it('answers, takes its price once, counts the call, and says what is left', async () => {
  const door = await openDoor({ credits: operationNames.length })
  for (const [at, name] of operationNames.entries()) {
    const answer = await door.ask(name)
    expect({ name, answer: answer.json() }).toEqual({ name, answer: operations[name].example.response })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
      'x-credits-charged': '1',
      'x-credits-remaining': String(operationNames.length - 1 - at),
      ratelimit: expect.stringMatching(/^"organization";r=\d+;t=\d+$/),
      'ratelimit-policy': '"organization";q=100;w=2',
    })
  }
  expect(await door.creditsLeft()).toBe(0)
  const counted = await door.counted()
  expect(counted).toHaveLength(operationNames.length)
  for (const operation of operationNames)
    expect(counted).toContainEqual({ operation, status: 200, credits: 1, key_id: door.key.id })
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

import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { hasBody, type Operation } from '../../../src/operations/operation.ts'
import { expectProblem, openDoor, operationNames, urlOf } from '../../support/doors.ts'

it.each([
  ['no key', () => ({})],
  ['an unknown key', () => ({ authorization: 'Bearer rb_unknown' })],
  ['a key without its scheme', (key: string) => ({ authorization: key })],
  ['a key under another scheme', (key: string) => ({ authorization: `Basic ${key}` })],
  ['a key in another header', (key: string) => ({ 'x-api-key': key })],
])('lets nobody in with %s', async (_, headers) => {
  const door = await openDoor()
  for (const name of operationNames) {
    const operation: Operation = operations[name]
    const answer = await door.app.inject({
      method: operation.method,
      url: urlOf(operation),
      headers: { ...headers(door.apiKey), 'content-type': 'application/json' },
      ...(hasBody(operation) && { payload: JSON.stringify(operation.example.request) }),
    })
    expectProblem(answer, 'unauthenticated')
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="ratebook"')
  }
  expect(await door.counted()).toEqual([])
})

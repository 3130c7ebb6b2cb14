import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { expectProblem, openDoor } from '../../support/doors.ts'

const npis = JSON.stringify(operations.npis.example.request)

it('answers 404 where there is nothing, whatever the method', async () => {
  const { app } = await openDoor()
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'] as const)
    for (const url of [
      '/api/v1/nothing',
      '/api/v1/payers/',
      '/api/v2/payers',
      `/app/api/keys/${'x'.repeat(300)}`,
    ])
      expect(expectProblem(await app.inject({ method, url }), 'not_found')).not.toHaveProperty('errors')
})

it.each([
  ['/api/v1/npis', 'GET', 'POST'],
  ['/api/v1/payers', 'POST', 'GET'],
  ['/api/v1/payers', 'OPTIONS', 'GET'],
  ['/app/api/keys/some-id', 'POST', 'DELETE, PATCH'],
  ['/openapi.json', 'DELETE', 'GET, HEAD'],
  ['/healthz', 'PUT', 'GET, HEAD'],
] as const)('answers 405 to %s %s and allows %s', async (url, method, allow) => {
  const { app } = await openDoor()
  const answer = await app.inject({ method, url })
  expectProblem(answer, 'method_not_allowed')
  expect(answer.headers['allow']).toBe(allow)
})

it('answers 400 to an address that cannot be read', async () => {
  const { app } = await openDoor()
  const { detail } = expectProblem(await app.inject({ method: 'GET', url: '/%' }), 'invalid_request')
  expect(detail).toBe('The address cannot be read.')
})

it.each([
  ['a body that is not JSON', 'malformed_json', 'application/json', '{"npis": ['],
  ['an empty body', 'malformed_json', 'application/json', ''],
  ['no body and no type', 'malformed_json', undefined, undefined],
  ['a form', 'unsupported_media_type', 'application/x-www-form-urlencoded', 'npis=1'],
  ['JSON that is not called so', 'unsupported_media_type', 'text/plain', npis],
  ['JSON without a type', 'unsupported_media_type', undefined, npis],
] as const)('refuses %s as %s', async (_, code, type, payload) => {
  const door = await openDoor()
  const answer = await door.app.inject({
    method: 'POST',
    url: '/api/v1/npis',
    headers: {
      authorization: `Bearer ${door.apiKey}`,
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(payload !== undefined && { payload: Buffer.from(payload) }),
  })
  expectProblem(answer, code)
  expect(answer.headers['x-credits-charged']).toBe('0')
})

it('refuses a body above the limit, and takes one at the limit', async () => {
  const door = await openDoor({ env: { RATEBOOK_BODY_LIMIT: '1024' } })
  const bodyOf = (bytes: number) => npis.padEnd(bytes, ' ')
  const send = (payload: string) =>
    door.app.inject({
      method: 'POST',
      url: '/api/v1/npis',
      headers: { authorization: `Bearer ${door.apiKey}`, 'content-type': 'application/json' },
      payload,
    })
  expectProblem(await send(bodyOf(1_025)), 'too_large')
  expect((await send(bodyOf(1_024))).statusCode).toBe(200)
})

it('tells a defect as ours, without its text, and takes nothing', async () => {
  const boom = () => Promise.reject(new TypeError('cannot read rates at postgres://user:secret@host'))
  const door = await openDoor({ answers: { npis: boom } })
  const answer = await door.ask('npis')
  expectProblem(answer, 'internal')
  expect(answer.body).not.toMatch(/postgres|TypeError|\.ts/)
  expect(answer.headers['x-credits-charged']).toBe('0')
  expect(await door.counted()).toMatchObject([{ status: 500, credits: 0 }])
  expect(await door.creditsLeft()).toBe(5)
})

it('tells a defect that is thrown before the work begins in the same way', async () => {
  const door = await openDoor({
    answers: {
      npis: () => {
        throw new Error('at once')
      },
    },
  })
  expect(expectProblem(await door.ask('npis'), 'internal')['detail']).not.toContain('at once')
})

it('answers 504 when the work takes too long, stops it, and takes nothing', async () => {
  let stopped = false
  const door = await openDoor({
    env: { RATEBOOK_ANSWER_TIMEOUT_MS: '100' },
    answers: {
      npis: (_, { signal }) => {
        signal.addEventListener('abort', () => (stopped = true))
        return new Promise(() => {})
      },
    },
  })
  expectProblem(await door.ask('npis'), 'answer_timeout')
  expect(stopped).toBe(true)
  expect(await door.counted()).toMatchObject([{ status: 504, credits: 0 }])
  expect(await door.creditsLeft()).toBe(5)
})

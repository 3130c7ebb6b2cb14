import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openDoor } from '../../support/doors.ts'

const rows = Array.from({ length: 200 }, (_, count) => ({ planName: 'PPO', count }))

it.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])('compresses an answer with %s where the client takes it', async (encoding, unpack) => {
  const door = await openDoor({ answers: { payerPlans: async () => rows } })
  const ask = (accepted: string) =>
    door.app.inject({
      method: 'POST',
      url: '/api/v1/payer/plans',
      headers: {
        authorization: `Bearer ${door.apiKey}`,
        'content-type': 'application/json',
        'accept-encoding': accepted,
      },
      payload: '{"payer":"Aetna"}',
    })
  const packed = await ask(encoding)
  expect(packed.headers).toMatchObject({
    'content-encoding': encoding,
    vary: expect.stringMatching(/accept-encoding/i),
  })
  expect(JSON.parse(unpack(packed.rawPayload).toString())).toEqual(rows)
  const plain = await ask('identity')
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(plain.json()).toEqual(rows)
})

it('leaves a short answer as it is', async () => {
  const { app } = await openDoor()
  const { headers } = await app.inject({ url: '/healthz', headers: { 'accept-encoding': 'gzip' } })
  expect(headers).not.toHaveProperty('content-encoding')
})

it('sends security headers with every answer, failures included', async () => {
  const { app } = await openDoor()
  for (const url of ['/healthz', '/nothing', '/api/v1/payers'])
    expect((await app.inject(url)).headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'self';(?!.*script-src).*base-uri 'none';frame-ancestors 'none';object-src 'none'/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
})

it('asks browsers for HTTPS only where the server has it', async () => {
  const strict = async (baseUrl: string) => {
    const { app } = await openDoor({ env: { RATEBOOK_BASE_URL: baseUrl } })
    return 'strict-transport-security' in (await app.inject('/healthz')).headers
  }
  expect(await strict('https://rates.example.org')).toBe(true)
  expect(await strict('http://rates.example.org')).toBe(false)
})

it('lets no other origin read answers unless the operator names it', async () => {
  const allowed = async (origins: string, origin: string) => {
    const { app } = await openDoor({ env: { RATEBOOK_CORS_ORIGINS: origins } })
    return (await app.inject({ url: '/api/v1/payers', headers: { origin } })).headers[
      'access-control-allow-origin'
    ]
  }
  expect(await allowed('', 'https://a.example')).toBeUndefined()
  expect(await allowed('https://a.example, https://b.example', 'https://b.example')).toBe('https://b.example')
  expect(await allowed('https://a.example', 'https://evil.example')).toBeUndefined()
  expect(await allowed('*', 'https://any.example')).toBe('*')
})

it('answers a preflight for a known address, and lets the page read our headers', async () => {
  const { app } = await openDoor({ env: { RATEBOOK_CORS_ORIGINS: 'https://a.example' } })
  const origin = 'https://a.example'
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/v1/npis',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers).toMatchObject({
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers': expect.stringContaining('Authorization, Content-Type, X-Request-Id'),
  })
  const answer = await app.inject({ url: '/api/v1/payers', headers: { origin } })
  expect(answer.headers['access-control-expose-headers']).toContain('X-Credits-Remaining')
  expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
})

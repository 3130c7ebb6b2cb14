import { expect, it } from 'vitest'
import { testServer } from '../support/service.ts'
import { listening } from '../support/sockets.ts'

/** A server on a port, and a newcomer's account made over the wire. */
async function newcomer(env: Record<string, string> = {}) {
  const { app, service } = await testServer({ env })
  const base = await listening(app)
  service.address.baseUrl = base
  const signUp = await fetch(`${base}/app/api/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'ana@example.org',
      password: 'a long password',
      organization: 'Sample Clinic',
    }),
  })
  const { apiKey } = (await signUp.json()) as { apiKey: string }
  const get = (path: string, key?: string) =>
    fetch(base + path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  return { base, signUp, apiKey, get }
}

it('signs up, calls with and without the key, and is told where to get credits at the sixth call', async () => {
  const { base, signUp, apiKey, get } = await newcomer()
  expect(signUp.status).toBe(201)
  expect((await get('/api/v1/payers')).status).toBe(401)
  for (let left = 4; left >= 0; left--) {
    const answer = await get('/api/v1/payers', apiKey)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-credits-remaining')).toBe(String(left))
    expect(((await answer.json()) as unknown[]).length).toBeGreaterThanOrEqual(63)
  }
  const sixth = await get('/api/v1/payers', apiKey)
  expect(sixth.status).toBe(402)
  expect(await sixth.json()).toMatchObject({
    code: 'insufficient_credit',
    getCreditsAt: `${base}/account/credits`,
    detail: expect.stringContaining(`${base}/account/credits`),
  })
})

it('is slowed down in a burst, and told for how long', async () => {
  const { apiKey, get } = await newcomer({ RATEBOOK_RATE_PER_SECOND: '0.1', RATEBOOK_RATE_BURST: '3' })
  const answers = await Promise.all(Array.from({ length: 6 }, () => get('/api/v1/payers', apiKey)))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429])
  const waits = answers
    .filter(({ status }) => status === 429)
    .map(({ headers }) => Number(headers.get('retry-after')))
  for (const wait of waits) expect(wait).toBeGreaterThan(0)
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(10)
})

it('reads the documentation with the key and not without', async () => {
  const { base, apiKey, get } = await newcomer()
  expect((await get('/openapi.json')).status).toBe(401)
  const answer = await get('/openapi.json', apiKey)
  expect(await answer.json()).toMatchObject({ info: { version: '1.0' }, servers: [{ url: base }] })
})

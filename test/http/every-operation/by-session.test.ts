import type { InjectOptions } from 'fastify'
import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { hasBody, type Operation } from '../../../src/operations/operation.ts'
import { exampleAnswers, expectProblem, operationNames, urlOf } from '../../support/doors.ts'
import { openWebApp, signedUpBrowser } from '../../support/web-app.ts'

const price = 2

/** Somebody logged in, whose pages ask the API's questions by cookie. */
async function loggedIn(credits = 100) {
  const webApp = await openWebApp(
    {
      RATEBOOK_SIGN_UP_CREDITS: String(credits),
      RATEBOOK_RATE_BURST: '1000',
      RATEBOOK_PRICES: operationNames.map((name) => `${name}=${price}`).join(','),
    },
    exampleAnswers,
  )
  const { browser, organization } = await signedUpBrowser(webApp)
  const { cookie = '', csrfToken = '' } = browser
  const ask = (name: (typeof operationNames)[number], headers: Record<string, string>) => {
    const operation: Operation = operations[name]
    const isSent = hasBody(operation)
    return webApp.app.inject({
      method: operation.method,
      url: urlOf(operation),
      headers: { ...(isSent && { 'content-type': 'application/json' }), ...headers },
      ...(isSent && { payload: JSON.stringify(operation.example.request) }),
    } as InjectOptions)
  }
  const left = async () => (await browser.get('me')).organization.credits
  const counted = () =>
    webApp.service.records.db
      .selectFrom('usage')
      .select(['operation', 'status', 'credits', 'key_id', 'organization_id'])
      .execute()
  return { webApp, organization, cookie, csrfToken, ask, left, counted }
}

it('answers on the credits of the organisation that is looked at, and counts it without a key', async () => {
  const { organization, cookie, csrfToken, ask, left, counted } = await loggedIn()
  const before = await left()
  for (const name of operationNames) {
    const answer = await ask(name, { cookie, 'x-csrf-token': csrfToken })
    expect(`${name} ${answer.statusCode}`).toMatch(/ 20\d$/)
    expect(answer.headers).toMatchObject({ 'x-credits-charged': String(price) })
  }
  expect(await left()).toBe(before - price * operationNames.length)
  expect(new Set((await counted()).map(({ operation }) => operation))).toEqual(new Set(operationNames))
  for (const row of await counted()) {
    const { status = 200 }: Operation = operations[row.operation as keyof typeof operations]
    expect(row).toMatchObject({ status, credits: price, key_id: null, organization_id: organization.id })
  }
})

it.each([
  ['without its token', () => ({})],
  ['with a made-up token', () => ({ 'x-csrf-token': 'made-up' })],
  ['from another site', (token: string) => ({ 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' })],
  ['from another origin', (token: string) => ({ 'x-csrf-token': token, origin: 'https://evil.example' })],
])('refuses a cookie %s, does no work and takes nothing', async (_, headers) => {
  const { cookie, csrfToken, ask, left } = await loggedIn()
  const before = await left()
  for (const name of operationNames) expectProblem(await ask(name, { cookie, ...headers(csrfToken) }), 'csrf')
  expect(await left()).toBe(before)
})

it('refuses a cookie that ended, and one without credit', async () => {
  const poor = await loggedIn(1)
  const headers = { cookie: poor.cookie, 'x-csrf-token': poor.csrfToken }
  expectProblem(await poor.ask('payers', headers), 'insufficient_credit')
  expect(await poor.left()).toBe(1)
  poor.webApp.clock.advance(10 * 365 * 24 * 3_600_000)
  expectProblem(await poor.ask('payers', headers), 'unauthenticated')
})

it('takes the key where both are sent, so that a page can try one', async () => {
  const { webApp, cookie, ask, left } = await loggedIn()
  const { apiKey, organization } = await signedUpBrowser(webApp)
  const before = await left()
  const answer = await ask('payers', { cookie, authorization: `Bearer ${apiKey}` })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['x-credits-remaining']).toBe(String(organization.credits - price))
  expect(await left()).toBe(before)
})

import { expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, password, signedUpBrowser } from '../../support/web-app.ts'

const wanted = { email: 'Ana@Example.org', password, organization: 'Sample Clinic' }

it('makes a user, an organisation with 5 credits, a key that works, and a session', async () => {
  const webApp = await openWebApp()
  const browser = webApp.browser()
  const answer = await browser.send('signUp', wanted)
  expect(answer.statusCode).toBe(201)
  expect(answer.headers['cache-control']).toBe('no-store')
  const { apiKey, key, organization, user } = answer.json<{
    apiKey: string
    key: { prefix: string }
    organization: { credits: number }
    user: { email: string; emailVerified: boolean }
  }>()
  expect({ organization, user }).toMatchObject({
    organization: { name: 'Sample Clinic', credits: 5 },
    user: { email: 'ana@example.org', emailVerified: false },
  })
  expect(apiKey.startsWith(key.prefix)).toBe(true)
  expect((await call(webApp.app, apiKey, 'GET', '/api/v1/payers')).statusCode).toBe(200)
  expect(await browser.get('me')).toMatchObject({ organization: { role: 'admin', credits: 4 } })
})

it('gives a cookie that scripts and other sites cannot use, for HTTPS only where there is HTTPS', async () => {
  const cookieOf = async (baseUrl: string) => {
    const webApp = await openWebApp({ RATEBOOK_BASE_URL: baseUrl, RATEBOOK_SESSION_HOURS: '2' })
    return (await webApp.browser().send('signUp', wanted)).cookies[0]
  }
  const flags = { name: 'ratebook_session', path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 7_200 }
  expect(await cookieOf('https://rates.example.org')).toMatchObject({ ...flags, secure: true })
  const plain = await cookieOf('http://localhost:8080')
  expect(plain).toMatchObject(flags)
  expect(plain).not.toHaveProperty('secure')
})

it('shows the key once and keeps only its hash', async () => {
  const webApp = await openWebApp()
  const { browser, apiKey } = await signedUpBrowser(webApp)
  for (const name of ['me', 'keys', 'credits', 'usage'] as const)
    expect((await browser.send(name)).body).not.toContain(apiKey)
  const rows = await webApp.service.records.db.selectFrom('api_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(apiKey)
  expect(webApp.mails.join()).not.toContain(apiKey)
})

it('refuses an address that has an account, in any case, and makes nothing', async () => {
  const webApp = await openWebApp()
  await webApp.browser().get('signUp', wanted)
  const again = await webApp.browser().send('signUp', { ...wanted, email: 'ANA@example.ORG' })
  expect(expectProblem(again, 'conflict')).not.toHaveProperty('apiKey')
  expect(await webApp.service.records.db.selectFrom('organizations').select('id').execute()).toHaveLength(1)
})

it('tells every problem of a sign-up', async () => {
  const webApp = await openWebApp()
  const wrong = { email: 'ana', password: 'short', organization: ' ', credits: 1_000_000 }
  const { errors } = expectProblem(await webApp.browser().send('signUp', wrong), 'invalid_request')
  expect(errors).toEqual(
    expect.arrayContaining([
      { path: 'email', message: 'not an e-mail address' },
      { path: 'password', message: 'at least 10 characters' },
      { path: 'organization', message: 'must not be empty' },
      { path: 'credits', message: expect.stringContaining('unknown property') },
    ]),
  )
})

it('refuses text that the store cannot keep, instead of breaking on it', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  const asked = [
    browser.send('signUp', { ...wanted, organization: 'a\0b' }),
    browser.send('logIn', { email: 'a\0b', password }),
    browser.send('createKey', { name: 'a\0b' }),
    browser.send('askReset', { email: 'a\0b' }),
    browser.send('switchOrganization', { organizationId: 'a\0b' }),
    browser.send('revokeKey', { id: '%00' }),
  ]
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual(asked.map(() => 400))
})

it('refuses everybody when the operator closed it', async () => {
  const webApp = await openWebApp({ RATEBOOK_SIGN_UP: 'off' })
  expect(expectProblem(await webApp.browser().send('signUp', wanted), 'forbidden')['detail']).toContain(
    'closed',
  )
})

it('tells visitors what signing up brings, and whether it is open', async () => {
  const open = await openWebApp({ RATEBOOK_SIGN_UP_CREDITS: '7' })
  expect(await open.browser().get('signUpOffer')).toEqual({ isOpen: true, credits: 7 })
  const closed = await openWebApp({ RATEBOOK_SIGN_UP: 'off' })
  expect(await closed.browser().get('signUpOffer')).toMatchObject({ isOpen: false })
})

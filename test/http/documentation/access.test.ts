import { expect, it } from 'vitest'
import { changeOrganization } from '../../../src/accounts/organizations.ts'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, signedUpBrowser } from '../../support/web-app.ts'

const pages = [
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/api/doc/openapi.json', 'application/json; charset=utf-8'],
  ['/api/doc.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
] as const

it.each(pages)('shows %s to a key or a session and to nobody else, free of charge', async (url, type) => {
  const webApp = await openWebApp()
  const { browser, apiKey } = await signedUpBrowser(webApp)
  const read = (headers: Record<string, string>) => webApp.app.inject({ url, headers })
  const withKey = await read({ authorization: `Bearer ${apiKey}` })
  const withSession = await read({ cookie: browser.cookie! })
  expect([withKey.statusCode, withSession.statusCode]).toEqual([200, 200])
  expect(withKey.headers).toMatchObject({ 'content-type': type, 'cache-control': 'private, no-cache' })
  expect(String(withKey.headers['vary'])).toMatch(/Authorization.*Cookie/)
  expect(withSession.body).toBe(withKey.body)
  expect((await browser.get('me')).organization.credits).toBe(5)

  for (const headers of [{}, { authorization: 'Bearer rb_unknown' }, { cookie: 'ratebook_session=made-up' }])
    expectProblem(await read(headers as Record<string, string>), 'unauthenticated')
  // A wrong key is wrong, whoever's browser sends it.
  expectProblem(
    await read({ authorization: 'Bearer rb_unknown', cookie: browser.cookie! }),
    'unauthenticated',
  )
})

it.each(pages)('closes %s to a suspended organisation', async (url) => {
  const webApp = await openWebApp()
  const { browser, apiKey, organization } = await signedUpBrowser(webApp)
  await changeOrganization(webApp.service.records, organization.id, { suspendedAt: 1 })
  const credentials: Record<string, string>[] = [
    { authorization: `Bearer ${apiKey}` },
    { cookie: browser.cookie! },
  ]
  for (const headers of credentials)
    expect(expectProblem(await webApp.app.inject({ url, headers }), 'organization_suspended')).toBeTruthy()
})

it.each(pages)('holds no credential and names the public address: %s', async (url) => {
  const webApp = await openWebApp({ RATEBOOK_BASE_URL: 'https://rates.example.org' })
  const { browser, apiKey, csrfToken } = await signedUpBrowser(webApp)
  const { body } = await webApp.app.inject({ url, headers: { authorization: `Bearer ${apiKey}` } })
  const session = browser.cookie!.split('=')[1]!
  for (const secret of [apiKey, session, csrfToken, webApp.service.secret]) expect(body).not.toContain(secret)
  expect(body).not.toMatch(/rb_[\w-]{20,}/)
  expect(body).toContain('https://rates.example.org')
})

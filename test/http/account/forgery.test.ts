import { expect, it } from 'vitest'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, password, signedUpBrowser } from '../../support/web-app.ts'

const base = 'https://rates.example.org'

it.each([
  ['a request from another site', { 'sec-fetch-site': 'cross-site' }],
  ['a request from a sister site', { 'sec-fetch-site': 'same-site' }],
  ['another origin', { origin: 'https://evil.example' }],
  ['no origin at all, as a sandbox sends it', { origin: 'null' }],
])('refuses %s, logged in or not', async (_, headers) => {
  const webApp = await openWebApp({ RATEBOOK_BASE_URL: base })
  const { browser, email } = await signedUpBrowser(webApp)
  const answers = [
    await browser.send('createKey', { name: 'stolen' }, headers),
    await browser.send('logOut', {}, headers),
    await webApp.browser().send('logIn', { email, password }, headers),
  ]
  expect(answers.map((answer) => expectProblem(answer, 'csrf')['code'])).toEqual(['csrf', 'csrf', 'csrf'])
  expect(await browser.get('keys')).toHaveLength(1)
})

it('refuses a change without the token of the session, or with that of another', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  const other = await signedUpBrowser(webApp)
  for (const token of [undefined, 'made-up', other.csrfToken]) {
    browser.csrfToken = token
    expect(expectProblem(await browser.send('createKey', { name: 'stolen' }), 'csrf')['detail']).toContain(
      'csrfToken',
    )
  }
  await browser.get('me')
  await browser.get('createKey', { name: 'mine' })
})

it('takes changes from its own pages, and sign-up from a client that is no browser', async () => {
  const webApp = await openWebApp({ RATEBOOK_BASE_URL: base })
  const { browser } = await signedUpBrowser(webApp)
  const own = { origin: base, 'sec-fetch-site': 'same-origin' }
  expect((await browser.send('createKey', { name: 'mine' }, own)).statusCode).toBe(201)
})

import { expect, it } from 'vitest'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, password, signedUpBrowser } from '../../support/web-app.ts'

it('logs in and out; a cookie of an ended session opens nothing', async () => {
  const webApp = await openWebApp()
  const { email } = await signedUpBrowser(webApp)
  const browser = webApp.browser()
  const me = await browser.get('logIn', { email: email.toUpperCase(), password })
  expect(me).toMatchObject({ user: { email }, organization: { role: 'admin', credits: 5 } })
  const { cookie } = browser
  await browser.get('logOut')
  expect(browser.cookie).toBeUndefined()
  browser.cookie = cookie
  expect(expectProblem(await browser.send('me'), 'unauthenticated')['detail']).toBe('Log in first.')
})

it('answers an unknown address and a wrong password alike', async () => {
  const webApp = await openWebApp()
  const { email } = await signedUpBrowser(webApp)
  const answers = [
    await webApp.browser().send('logIn', { email, password: 'a wrong password' }),
    await webApp.browser().send('logIn', { email: 'nobody@example.org', password }),
  ]
  const [wrong, unknown] = answers.map((answer) => ({
    ...expectProblem(answer, 'wrong_credentials'),
    requestId: '',
  }))
  expect(wrong).toEqual(unknown)
  expect(answers.flatMap(({ cookies }) => cookies)).toEqual([])
})

it('slows down guessing for an address, known or not, and forgives with time', async () => {
  const webApp = await openWebApp()
  const { email } = await signedUpBrowser(webApp)
  const guess = async (address: string, guessed = 'a wrong password') =>
    webApp.browser().send('logIn', { email: address, password: guessed })
  for (const address of [email, 'nobody@example.org']) {
    let answer = await guess(address)
    for (let tries = 1; tries < 6 && answer.statusCode === 401; tries++) answer = await guess(address)
    expectProblem(answer, 'rate_limited')
    expect(answer.headers['retry-after']).toBe('60')
  }
  expect((await guess(email.toUpperCase(), password)).statusCode).toBe(429)
  webApp.clock.advance(60_000)
  expect((await guess(email, password)).statusCode).toBe(200)
})

it('slows down guessing many addresses from one machine', async () => {
  const webApp = await openWebApp()
  const ask = (at: number) => webApp.browser().send('askReset', { email: `user-${at}@example.org` })
  for (let at = 0; at < 50; at++) expect((await ask(at)).statusCode).toBe(202)
  expect((await ask(50)).statusCode).toBe(429)
})

it('ends a session that was not used for its time, and extends one that is', async () => {
  const webApp = await openWebApp({ RATEBOOK_SESSION_HOURS: '2' })
  const { browser } = await signedUpBrowser(webApp)
  for (let hours = 0; hours < 3; hours++) {
    webApp.clock.advance(1.5 * 3_600_000)
    expect((await browser.send('me')).statusCode).toBe(200)
  }
  webApp.clock.advance(2 * 3_600_000)
  expect((await browser.send('me')).statusCode).toBe(401)
})

it('extends the cookie with the session, at most once a minute', async () => {
  const webApp = await openWebApp({ RATEBOOK_SESSION_HOURS: '2' })
  const { browser } = await signedUpBrowser(webApp)
  const { cookie } = browser
  expect((await browser.send('me')).cookies).toEqual([])
  webApp.clock.advance(90 * 60_000)
  const { cookies } = await browser.send('keys')
  expect(cookies).toMatchObject([{ maxAge: 7_200, path: '/', httpOnly: true, sameSite: 'Lax' }])
  expect(browser.cookie).toBe(cookie)
  expect((await browser.send('keys')).cookies).toEqual([])

  webApp.clock.advance(90 * 60_000)
  expect((await browser.send('logOut')).cookies).toMatchObject([{ value: '' }])
})

it('ends every other session when the password changes, and takes only the new one', async () => {
  const webApp = await openWebApp()
  const { browser, email } = await signedUpBrowser(webApp)
  const elsewhere = webApp.browser()
  await elsewhere.get('logIn', { email, password })
  const wrong = await browser.send('changePassword', {
    currentPassword: 'not this one',
    newPassword: 'another password',
  })
  expect(wrong.statusCode).toBe(401)
  await browser.get('changePassword', { currentPassword: password, newPassword: 'another password' })
  expect((await browser.send('me')).statusCode).toBe(200)
  expect((await elsewhere.send('me')).statusCode).toBe(401)
  webApp.clock.advance(3_600_000)
  expect((await webApp.browser().send('logIn', { email, password })).statusCode).toBe(401)
  expect((await webApp.browser().send('logIn', { email, password: 'another password' })).statusCode).toBe(200)
})

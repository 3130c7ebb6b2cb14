import { expect, it } from 'vitest'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, password, signedUpBrowser } from '../../support/web-app.ts'

const tooLate = 'This link was used already or is too old. Ask for a new one.'
const day = 86_400_000

it('confirms an address through the mailed link, once', async () => {
  const webApp = await openWebApp()
  const { browser, email } = await signedUpBrowser(webApp)
  expect(webApp.mails.at(-1)).toContain(`Mail to ${email}`)
  const token = webApp.tokenFor('verify-email')
  await webApp.browser().get('verifyEmail', { token })
  expect((await browser.get('me')).user.emailVerified).toBe(true)
  expect(expectProblem(await browser.send('verifyEmail', { token }), 'invalid_request')['detail']).toBe(
    tooLate,
  )
})

it('mails a new verification link on request, and none once confirmed', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  await browser.get('sendVerification')
  expect(webApp.mails).toHaveLength(2)
  await browser.get('verifyEmail', { token: webApp.tokenFor('verify-email') })
  await browser.get('sendVerification')
  expect(webApp.mails).toHaveLength(2)
})

it('sets a new password through the mailed link, once, and ends every session', async () => {
  const webApp = await openWebApp()
  const { browser, email } = await signedUpBrowser(webApp)
  await webApp.browser().get('askReset', { email })
  await expect.poll(() => webApp.tokenFor('reset-password')).not.toBe('')
  const reset = { token: webApp.tokenFor('reset-password'), password: 'another password' }
  await webApp.browser().get('resetPassword', reset)
  expect((await browser.send('me')).statusCode).toBe(401)
  expect(
    expectProblem(await webApp.browser().send('resetPassword', reset), 'invalid_request')['detail'],
  ).toBe(tooLate)
  expect((await webApp.browser().send('logIn', { email, password })).statusCode).toBe(401)
  const me = await webApp.browser().get('logIn', { email, password: 'another password' })
  expect(me.user.emailVerified).toBe(true)
})

it('answers a reset for an unknown address like one for a known address, and mails nobody', async () => {
  const webApp = await openWebApp()
  const { email } = await signedUpBrowser(webApp)
  const answers = [
    await webApp.browser().send('askReset', { email: 'nobody@example.org' }),
    await webApp.browser().send('askReset', { email }),
  ]
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [202, ''],
    [202, ''],
  ])
  await expect.poll(() => webApp.tokenFor('reset-password')).not.toBe('')
  expect(webApp.mails.join()).not.toContain('nobody@example.org')
})

it.each([
  ['verify-email', 7 * day],
  ['reset-password', day / 24],
] as const)('lets the link %s expire', async (page, lifeMs) => {
  const webApp = await openWebApp()
  const { email } = await signedUpBrowser(webApp)
  await webApp.browser().get('askReset', { email })
  await expect.poll(() => webApp.tokenFor(page)).not.toBe('')
  webApp.clock.advance(lifeMs)
  const operation = page === 'verify-email' ? 'verifyEmail' : 'resetPassword'
  const late = { token: webApp.tokenFor(page), ...(page === 'reset-password' && { password }) }
  expect(expectProblem(await webApp.browser().send(operation, late), 'invalid_request')['detail']).toBe(
    tooLate,
  )
})

it('takes a link for its own purpose only', async () => {
  const webApp = await openWebApp()
  await signedUpBrowser(webApp)
  const token = webApp.tokenFor('verify-email')
  const answer = await webApp.browser().send('resetPassword', { token, password: 'another password' })
  expect(expectProblem(answer, 'invalid_request')['detail']).toBe(tooLate)
})

import { expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, signedUpBrowser } from '../../support/web-app.ts'

const day = 86_400_000

it('adds up by day, by key and by operation, with the credits that are gone', async () => {
  const webApp = await openWebApp()
  const { browser, apiKey, key } = await signedUpBrowser(webApp)
  const second = await browser.get('createKey', { name: 'second' })
  const payers = (secret: string) => call(webApp.app, secret, 'GET', '/api/v1/payers')
  await payers(apiKey)
  await payers(apiKey)
  await call(webApp.app, apiKey, 'POST', '/api/v1/npis', {})
  webApp.clock.advance(day)
  await payers(second.apiKey)

  const figures = async (by: string) =>
    (await browser.get('usage', { by })).map(({ name, calls, failures, credits }) => [
      name,
      calls,
      failures,
      credits,
    ])
  expect(await figures('day')).toEqual([
    ['2026-06-01', 3, 1, 2],
    ['2026-06-02', 1, 0, 1],
  ])
  expect(await figures('operation')).toEqual([
    ['npis', 1, 1, 0],
    ['payers', 3, 0, 3],
  ])
  const byKey = await figures('key')
  expect(byKey).toHaveLength(2)
  expect(byKey).toEqual(
    expect.arrayContaining([
      [key.id, 3, 1, 2],
      [second.key.id, 1, 0, 1],
    ]),
  )

  const { credits, grants } = await browser.get('credits')
  expect(grants).toMatchObject([{ credits: 5, reason: 'sign-up' }])
  expect(credits).toBe(5 - 3)
})

it('counts only the days asked for, both included', async () => {
  const webApp = await openWebApp()
  const { browser, apiKey } = await signedUpBrowser(webApp)
  for (let days = 0; days < 3; days++) {
    await call(webApp.app, apiKey, 'GET', '/api/v1/payers')
    webApp.clock.advance(day)
  }
  const names = (await browser.get('usage', { from: '2026-06-02', to: '2026-06-03' })).map(({ name }) => name)
  expect(names).toEqual(['2026-06-02', '2026-06-03'])
})

it('tells what is wrong with a question about usage', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  const { errors } = expectProblem(
    await browser.send('usage', { from: 'June', by: 'hour', day: '1' }),
    'invalid_request',
  )
  expect((errors as { path: string }[]).map(({ path }) => path).sort()).toEqual(['by', 'day', 'from'])
})

it('does not count what the web application asks', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  await browser.get('keys')
  expect(await browser.get('usage')).toEqual([])
})

import { expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { expectProblem } from '../../support/doors.ts'
import { adminAndMember, openWebApp, signedUpBrowser, type WebApp } from '../../support/web-app.ts'

const hour = 3_600_000
const statusOf = async ({ app }: WebApp, apiKey: string, path = '/api/v1/payers') =>
  (await call(app, apiKey, 'GET', path)).statusCode

it('makes a named, restricted key that its list shows without the secret', async () => {
  const webApp = await openWebApp()
  const { browser, user } = await signedUpBrowser(webApp)
  const limits = { groups: ['Pricing'], tools: ['search_providers'], expiresAt: webApp.clock.ms + hour }
  const { apiKey, key } = await browser.get('createKey', { name: 'Nightly run', ...limits })
  expect(key).toMatchObject({
    name: 'Nightly run',
    ...limits,
    createdBy: user.id,
    revokedAt: null,
    lastUsedAt: null,
  })
  const list = await browser.send('keys')
  expect(list.json()).toContainEqual(key)
  expect(list.body).not.toContain(apiKey)
  expect(await statusOf(webApp, apiKey)).toBe(403)
})

it('tells what is wrong with a new key', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  const wrong = { name: '', groups: ['Prices'], tools: [], expiresAt: 1.5 }
  const { errors } = expectProblem(await browser.send('createKey', wrong), 'invalid_request')
  expect((errors as { path: string }[]).map(({ path }) => path).sort()).toEqual([
    'expiresAt',
    'groups[0]',
    'name',
    'tools',
  ])
})

it('ends a key at its expiry', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  const { apiKey } = await browser.get('createKey', { name: 'short', expiresAt: webApp.clock.ms + hour })
  webApp.clock.advance(hour - 1)
  expect(await statusOf(webApp, apiKey)).toBe(200)
  webApp.clock.advance(1)
  expect(await statusOf(webApp, apiKey)).toBe(401)
})

it('changes the name and limits of a key at once, and only those named', async () => {
  const webApp = await openWebApp()
  const { browser, key, apiKey } = await signedUpBrowser(webApp)
  expect(await browser.get('changeKey', { id: key.id, groups: ['Provider'] })).toMatchObject({
    name: key.name,
    groups: ['Provider'],
  })
  expect(await statusOf(webApp, apiKey)).toBe(403)
  expect(await browser.get('changeKey', { id: key.id, groups: null, name: 'Main' })).toMatchObject({
    name: 'Main',
    groups: null,
  })
  expect(await statusOf(webApp, apiKey)).toBe(200)
})

it('revokes a key at once and keeps it in the list', async () => {
  const webApp = await openWebApp()
  const { browser, key, apiKey } = await signedUpBrowser(webApp)
  expect(await statusOf(webApp, apiKey)).toBe(200)
  await browser.get('revokeKey', { id: key.id })
  expect(await statusOf(webApp, apiKey)).toBe(401)
  expect(await browser.get('keys')).toMatchObject([
    { id: key.id, revokedAt: webApp.clock.ms, lastUsedAt: webApp.clock.ms },
  ])
})

it('rotates a key: both work during the overlap, then only the successor', async () => {
  const webApp = await openWebApp()
  const { browser, key, apiKey } = await signedUpBrowser(webApp)
  await browser.get('changeKey', { id: key.id, groups: ['Payer'], name: 'Main' })
  const successor = await browser.get('rotateKey', { id: key.id, overlapHours: 1 })
  expect(successor.key).toMatchObject({ name: 'Main', groups: ['Payer'] })
  webApp.clock.advance(hour - 1)
  expect([await statusOf(webApp, apiKey), await statusOf(webApp, successor.apiKey)]).toEqual([200, 200])
  webApp.clock.advance(1)
  expect([await statusOf(webApp, apiKey), await statusOf(webApp, successor.apiKey)]).toEqual([401, 200])
})

it('rotates without an overlap, or with one of a few seconds, where asked to', async () => {
  const webApp = await openWebApp()
  const { browser, key, apiKey } = await signedUpBrowser(webApp)
  const second = await browser.get('rotateKey', { id: key.id, overlapHours: 0 })
  expect(await statusOf(webApp, apiKey)).toBe(401)
  await browser.get('rotateKey', { id: second.key.id, overlapHours: 0.0012345 })
  expect(await statusOf(webApp, second.apiKey)).toBe(200)
})

it('rotates neither a revoked, nor an expired, nor a rotated key', async () => {
  const webApp = await openWebApp()
  const { browser, key } = await signedUpBrowser(webApp)
  const revoked = await browser.get('createKey', { name: 'revoked' })
  await browser.get('revokeKey', { id: revoked.key.id })
  const expired = await browser.get('createKey', { name: 'expired', expiresAt: webApp.clock.ms })
  await browser.get('rotateKey', { id: key.id })
  for (const id of [revoked.key.id, expired.key.id, key.id])
    expect(expectProblem(await browser.send('rotateKey', { id }), 'conflict')['code']).toBe('conflict')
})

it('lets a member manage their own keys and no others; an admin manages all', async () => {
  const webApp = await openWebApp()
  const { admin, member } = await adminAndMember(webApp)
  for (const name of ['changeKey', 'rotateKey', 'revokeKey'] as const)
    expect(
      expectProblem(await member.browser.send(name, { id: admin.key.id }), 'admin_required')['code'],
    ).toBe('admin_required')
  const { key } = await member.browser.get('createKey', { name: 'mine' })
  await member.browser.get('changeKey', { id: key.id, name: 'renamed' })
  expect(await admin.browser.get('revokeKey', { id: key.id })).toMatchObject({
    name: 'renamed',
    revokedAt: webApp.clock.ms,
  })
})

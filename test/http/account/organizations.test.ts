import { expect, it } from 'vitest'
import { appOperations } from '../../../src/operations/account.ts'
import { expectProblem } from '../../support/doors.ts'
import { adminAndMember, openWebApp, password, signedUpBrowser } from '../../support/web-app.ts'

const day = 86_400_000
const gone = 'This invitation was used, withdrawn or is too old. Ask for a new one.'

it('invites somebody new, who joins by choosing a password; the link works once', async () => {
  const webApp = await openWebApp()
  const { admin, member } = await adminAndMember(webApp)
  expect(member.user).toMatchObject({ email: 'member@example.org', emailVerified: true })
  expect(await admin.browser.get('invitations')).toEqual([])
  expect(await admin.browser.get('members')).toMatchObject([
    { email: admin.email, role: 'admin' },
    { email: 'member@example.org', role: 'member' },
  ])
  const again = await webApp
    .browser()
    .send('acceptInvitation', { token: webApp.tokenFor('invitation'), password })
  expect(expectProblem(again, 'invalid_request')['detail']).toBe(gone)
})

it('invites somebody with an account, who must log in to join and can then switch', async () => {
  const webApp = await openWebApp()
  const admin = await signedUpBrowser(webApp)
  const guest = await signedUpBrowser(webApp)
  await admin.browser.get('invite', { email: guest.email, role: 'admin' })
  const token = webApp.tokenFor('invitation')
  const stranger = await webApp.browser().send('acceptInvitation', { token, password: 'another password' })
  expect(expectProblem(stranger, 'unauthenticated')['detail']).toContain(guest.email)

  const joined = await guest.browser.get('acceptInvitation', { token })
  expect(joined.organization).toMatchObject({ id: admin.organization.id, role: 'admin' })
  expect(joined.organizations).toHaveLength(2)
  const home = await guest.browser.get('switchOrganization', { organizationId: guest.organization.id })
  expect(home.organization.id).toBe(guest.organization.id)
  expect((await guest.browser.get('keys')).map(({ id }) => id)).toEqual([guest.key.id])
})

it('asks somebody new for a password', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  await browser.get('invite', { email: 'new@example.org', role: 'member' })
  const answer = await webApp.browser().send('acceptInvitation', { token: webApp.tokenFor('invitation') })
  expect(expectProblem(answer, 'invalid_request')['errors']).toMatchObject([{ path: 'password' }])
})

it('lets an invitation expire or be withdrawn', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  const accept = async () => {
    const token = webApp.tokenFor('invitation')
    return expectProblem(
      await webApp.browser().send('acceptInvitation', { token, password }),
      'invalid_request',
    )
  }
  const { id } = await browser.get('invite', { email: 'one@example.org', role: 'member' })
  expect(await browser.get('invitations')).toMatchObject([{ id, email: 'one@example.org' }])
  await browser.get('revokeInvitation', { id })
  expect((await accept())['detail']).toBe(gone)

  await browser.get('invite', { email: 'two@example.org', role: 'member' })
  webApp.clock.advance(13 * day)
  await browser.get('me')
  webApp.clock.advance(day)
  expect((await accept())['detail']).toBe(gone)
  expect(await browser.get('invitations')).toEqual([])
})

it('keeps a last admin, whoever asks', async () => {
  const webApp = await openWebApp()
  const { admin, member } = await adminAndMember(webApp)
  const { id } = admin.user
  expectProblem(await admin.browser.send('changeMember', { id, role: 'member' }), 'conflict')
  expectProblem(await admin.browser.send('removeMember', { id }), 'conflict')
  await admin.browser.get('changeMember', { id: member.user.id, role: 'admin' })
  await member.browser.get('changeMember', { id, role: 'member' })
  expect((await admin.browser.get('me')).organization.role).toBe('member')
})

it('ends the sessions of a removed member at once', async () => {
  const webApp = await openWebApp()
  const { admin, member } = await adminAndMember(webApp)
  await admin.browser.get('removeMember', { id: member.user.id })
  expect((await member.browser.send('me')).statusCode).toBe(401)
  const logIn = await webApp.browser().send('logIn', { email: 'member@example.org', password })
  expect(expectProblem(logIn, 'forbidden')['detail']).toContain('no organisation')
})

it('lets an admin rename the organisation', async () => {
  const webApp = await openWebApp()
  const { browser } = await signedUpBrowser(webApp)
  await browser.get('renameOrganization', { name: ' New name ' })
  expect((await browser.get('me')).organization.name).toBe('New name')
})

const forAdmins = Object.entries(appOperations).filter(([, { access }]) => access === 'admin')

it('tells a member that only an admin may do what is for admins', async () => {
  const webApp = await openWebApp()
  const { admin, member } = await adminAndMember(webApp)
  expect(forAdmins.length).toBeGreaterThan(4)
  for (const [name] of forAdmins) {
    const answer = await member.browser.send(name as 'invite', { id: admin.user.id })
    expect(expectProblem(answer, 'admin_required')['code']).toBe('admin_required')
  }
})

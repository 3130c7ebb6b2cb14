import { expect, it } from 'vitest'
import { type AppOperationName, appOperations } from '../../../src/operations/account.ts'
import { expectProblem } from '../../support/doors.ts'
import { openWebApp, signedUpBrowser } from '../../support/web-app.ts'

/** What each operation with an id sends beside it; a new one without a line fails. */
const sent: Partial<Record<AppOperationName, object>> = {
  changeMember: { role: 'member' },
  removeMember: {},
  revokeInvitation: {},
  changeKey: { name: 'taken' },
  rotateKey: {},
  revokeKey: {},
  disconnectClient: {},
}
const withId = (Object.keys(appOperations) as AppOperationName[]).filter((name) =>
  appOperations[name].path.includes(':id'),
)

it('knows every operation with an id', () => expect(Object.keys(sent).sort()).toEqual(withId.sort()))

it.each(withId)('finds nothing of another organisation: %s', async (name) => {
  const webApp = await openWebApp()
  const victim = await signedUpBrowser(webApp)
  const { id: invitation } = await victim.browser.get('invite', {
    email: 'guest@example.org',
    role: 'member',
  })
  const thief = await signedUpBrowser(webApp)
  for (const id of [victim.key.id, victim.user.id, victim.organization.id, invitation])
    expect(expectProblem(await thief.browser.send(name, { id, ...sent[name] }), 'not_found')['code']).toBe(
      'not_found',
    )
  expect(await victim.browser.get('keys')).toMatchObject([
    { name: 'First key', revokedAt: null, replacedBy: null },
  ])
  expect(await victim.browser.get('members')).toHaveLength(1)
  expect(await victim.browser.get('invitations')).toHaveLength(1)
})

it('does not switch to an organisation that one does not belong to', async () => {
  const webApp = await openWebApp()
  const victim = await signedUpBrowser(webApp)
  const thief = await signedUpBrowser(webApp)
  const answer = await thief.browser.send('switchOrganization', { organizationId: victim.organization.id })
  expect(expectProblem(answer, 'not_found')['code']).toBe('not_found')
  expect((await thief.browser.get('me')).organization.id).toBe(thief.organization.id)
})

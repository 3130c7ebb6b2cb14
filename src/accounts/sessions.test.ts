import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { changeOrganization, createOrganization } from './organizations.ts'
import { closeSession, forgetEnded, openSession, sessionOf, switchOrganization } from './sessions.ts'
import { addMember, createUser, signUp } from './users.ts'

const noon = Date.parse('2026-06-01T12:00:00Z')
const life = 3_600_000

async function loggedIn() {
  const records = await freshRecords()
  const { user, organization } = await signUp(
    records,
    { email: 'ada@example.org', password: 'a long password', organization: 'Clinic' },
    5,
    noon,
  )
  const token = await openSession(records, user.id, life, undefined, noon)
  return { records, user, organization, token }
}

describe('sessions', () => {
  it('say who is logged in and where', async () => {
    const { records, user, organization, token } = await loggedIn()
    expect(await sessionOf(records, token, life, noon)).toMatchObject({
      user,
      organization: { id: organization.id, name: 'Clinic', role: 'admin', suspended: false },
    })
    await changeOrganization(records, organization.id, { suspendedAt: noon })
    expect((await sessionOf(records, token, life, noon))?.organization.suspended).toBe(true)
    expect(await sessionOf(records, 'another token', life, noon)).toBeUndefined()
    const kept = JSON.stringify(await records.db.selectFrom('sessions').selectAll().execute())
    expect(kept).not.toContain(token)
  })

  it('end after their life without use', async () => {
    const { records, token } = await loggedIn()
    expect(await sessionOf(records, token, life, noon + life)).toBeUndefined()
  })

  it('are extended by use', async () => {
    const { records, token } = await loggedIn()
    expect(await sessionOf(records, token, life, noon + life - 1)).toBeDefined()
    expect(await sessionOf(records, token, life, noon + 2 * life - 2)).toBeDefined()
    expect(await sessionOf(records, token, life, noon + 4 * life)).toBeUndefined()
  })

  it('end when closed', async () => {
    const { records, token } = await loggedIn()
    await closeSession(records, token)
    expect(await sessionOf(records, token, life, noon)).toBeUndefined()
  })

  it('turn to another organisation of the same user, and to no other', async () => {
    const { records, user, token } = await loggedIn()
    const second = await createOrganization(records, 'Second', 0, 'start')
    const session = (await sessionOf(records, token, life, noon))!
    await expect(switchOrganization(records, session, second.id)).rejects.toThrow('no such organisation')
    await expect(openSession(records, user.id, life, second.id)).rejects.toThrow('no organisation')
    await addMember(records, second.id, user.id, 'member')
    await switchOrganization(records, session, second.id)
    expect((await sessionOf(records, token, life, noon))?.organization).toMatchObject({
      name: 'Second',
      role: 'member',
    })
  })

  it('are not opened for somebody who belongs nowhere', async () => {
    const { records } = await loggedIn()
    const { id } = await createUser(records, 'bob@example.org', 'no password')
    await expect(openSession(records, id, life)).rejects.toThrow('You belong to no organisation')
  })

  it('are forgotten once they have ended', async () => {
    const { records, user, token } = await loggedIn()
    await openSession(records, user.id, 10, undefined, noon)
    await forgetEnded(records, noon + 10)
    expect(await records.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
    expect(await sessionOf(records, token, life, noon + 10)).toBeDefined()
  })
})

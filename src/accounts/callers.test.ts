import { expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { createKey } from './api-keys.ts'
import { callerBySession, Callers } from './callers.ts'
import { createOrganization } from './organizations.ts'
import { addMember, changeMember, createUser } from './users.ts'

it('gives a key the role of whoever made it, for as long as they have it', async () => {
  const records = await freshRecords()
  const callers = new Callers(records)
  const { id } = await createOrganization(records, 'Clinic', 5, 'start')
  const [admin, member] = [
    await createUser(records, 'admin@example.org', 'hash'),
    await createUser(records, 'member@example.org', 'hash'),
  ]
  await addMember(records, id, admin.id, 'admin')
  await addMember(records, id, member.id, 'member')
  const roleOf = async (createdBy: string | undefined) => {
    const { apiKey } = await createKey(records, id, 'k', createdBy === undefined ? {} : { createdBy })
    return callers.byKey(apiKey)
  }
  expect(await roleOf(admin.id)).toMatchObject({ role: 'admin', userId: admin.id })
  expect(await roleOf(member.id)).toMatchObject({ role: 'member', userId: member.id })
  expect(await roleOf(undefined)).toMatchObject({ role: 'admin', userId: null })

  await changeMember(records, id, member.id, 'admin')
  expect(await roleOf(member.id)).toMatchObject({ role: 'admin' })
  await changeMember(records, id, member.id, null)
  expect(await roleOf(member.id)).toMatchObject({ role: 'member' })
})

it('gives a log-in the role of its user in the organisation they chose', async () => {
  const records = await freshRecords()
  const { id } = await createOrganization(records, 'Clinic', 5, 'start')
  const session = { user: { id: 'u' }, organization: { id, role: 'member' as const } }
  expect(await callerBySession(records, session)).toMatchObject({
    organizationId: id,
    userId: 'u',
    role: 'member',
    keyId: null,
    groups: null,
  })
  expect(
    await callerBySession(records, { ...session, organization: { id: 'gone', role: 'admin' } }),
  ).toBeUndefined()
})

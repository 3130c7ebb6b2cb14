import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { Failure } from '../errors.ts'
import { Callers } from './callers.ts'
import { creditGrants, organizationById } from './organizations.ts'
import { openSession, sessionOf } from './sessions.ts'
import {
  addMember,
  changeMember,
  createUser,
  members,
  membershipsOf,
  setPassword,
  signUp,
  userByPassword,
} from './users.ts'

const ada = { email: 'Ada@Example.org', password: 'a long password', organization: 'Clinic' }
const day = 24 * 3_600_000

describe('users', () => {
  it('sign up with an organisation, its first key and first credits', async () => {
    const records = await freshRecords()
    const made = await signUp(records, ada, 5)
    expect(made.user).toMatchObject({ email: 'ada@example.org', emailVerified: false })
    expect(await members(records, made.organization.id)).toMatchObject([
      { email: 'ada@example.org', role: 'admin' },
    ])
    expect(await organizationById(records, made.organization.id)).toMatchObject({
      name: 'Clinic',
      credits: 5,
    })
    expect(await creditGrants(records, made.organization.id)).toMatchObject([
      { credits: 5, reason: 'sign-up' },
    ])
    expect(await new Callers(records).byKey(made.apiKey)).toMatchObject({ credits: 5 })
  })

  it('have an address once, whatever its case, and a sign-up that fails leaves nothing', async () => {
    const records = await freshRecords()
    const tries = await Promise.allSettled(
      ['ada@example.org', 'ADA@example.org', 'Ada@Example.Org'].map((email) =>
        signUp(records, { ...ada, email }, 5),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const table of ['organizations', 'users', 'memberships', 'api_keys', 'credit_grants'] as const)
      expect(await records.db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  })

  it('log in with their password; every failure looks the same', async () => {
    const records = await freshRecords()
    const { user } = await signUp(records, ada, 5)
    expect(await userByPassword(records, 'ADA@example.org', ada.password)).toEqual(user)
    const failures = await Promise.all(
      [
        ['ada@example.org', 'wrong'],
        ['nobody@example.org', ada.password],
        ['', ''],
      ].map(([email, password]) =>
        userByPassword(records, email!, password!).catch((error: unknown) => error as Failure),
      ),
    )
    for (const failure of failures)
      expect(failure).toMatchObject({
        code: 'wrong_credentials',
        message: 'The e-mail address or the password is wrong.',
      })
  })

  it('end their other sessions by changing the password', async () => {
    const records = await freshRecords()
    const { user } = await signUp(records, ada, 5)
    const tokens = [await openSession(records, user.id, day), await openSession(records, user.id, day)]
    const { id } = (await sessionOf(records, tokens[0]!, day))!
    await setPassword(records, user.id, 'another password', id)
    expect(await sessionOf(records, tokens[0]!, day)).toBeDefined()
    expect(await sessionOf(records, tokens[1]!, day)).toBeUndefined()
    await expect(userByPassword(records, ada.email, ada.password)).rejects.toThrow(Failure)
    expect(await userByPassword(records, ada.email, 'another password')).toEqual(user)
  })
})

describe('members', () => {
  async function clinic() {
    const records = await freshRecords()
    const { user, organization } = await signUp(records, ada, 5)
    const bob = await createUser(records, 'bob@example.org', 'no password')
    await addMember(records, organization.id, bob.id, 'admin', Date.now() + 1)
    return { records, id: organization.id, ada: user.id, bob: bob.id }
  }
  const roles = async ({ records, id }: Awaited<ReturnType<typeof clinic>>) =>
    (await members(records, id)).map(({ email, role }) => `${email} ${role}`)

  it('change roles and leave; their sessions there end', async () => {
    const at = await clinic()
    const token = await openSession(at.records, at.bob, day)
    await changeMember(at.records, at.id, at.bob, 'member')
    expect(await roles(at)).toEqual(['ada@example.org admin', 'bob@example.org member'])
    expect((await sessionOf(at.records, token, day))?.organization.role).toBe('member')
    await changeMember(at.records, at.id, at.bob, null)
    expect(await roles(at)).toEqual(['ada@example.org admin'])
    expect(await sessionOf(at.records, token, day)).toBeUndefined()
    expect(await membershipsOf(at.records, at.bob)).toEqual([])
    await expect(changeMember(at.records, at.id, at.bob, null)).rejects.toThrow('no such member')
  })

  it('keep at least one admin', async () => {
    const at = await clinic()
    await changeMember(at.records, at.id, at.bob, 'member')
    for (const role of ['member', null] as const)
      await expect(changeMember(at.records, at.id, at.ada, role)).rejects.toThrow('keeps at least one admin')
    await changeMember(at.records, at.id, at.ada, 'admin')
  })

  it('keep one admin even when two remove each other at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const at = await clinic()
      const deeds = await Promise.allSettled([
        changeMember(at.records, at.id, at.ada, null),
        changeMember(at.records, at.id, at.bob, round % 2 === 0 ? null : 'member'),
      ])
      expect(deeds.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await roles(at)).filter((line) => line.endsWith('admin'))).toHaveLength(1)
    }
  })
})

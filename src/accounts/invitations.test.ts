import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { acceptInvitation, invite, openInvitations, revokeInvitation } from './invitations.ts'
import type { Mail } from './mailer.ts'
import { openSession, sessionOf } from './sessions.ts'
import { members, signUp, userByPassword } from './users.ts'

const noon = Date.parse('2026-06-01T12:00:00Z')
const day = 24 * 3_600_000
const password = 'a long password'

async function opened() {
  const records = await freshRecords()
  const sessionFor = async (email: string, organization: string) => {
    const { user } = await signUp(records, { email, password, organization }, 0, noon)
    return (await sessionOf(records, await openSession(records, user.id, day, undefined, noon), day, noon))!
  }
  const ada = await sessionFor('ada@example.org', 'Clinic')
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const invited = async (email: string, role: 'admin' | 'member' = 'member') => {
    const { id } = await invite(records, mailer, 'https://rates.example.org', ada, email, role, noon)
    return { id, token: /token=([\w-]+)/.exec(mails.at(-1)!.text)![1]! }
  }
  const roles = async () =>
    (await members(records, ada.organization.id)).map(({ email, role }) => `${email} ${role}`).sort()
  return { records, ada, mails, invited, roles, sessionFor }
}

describe('an invitation', () => {
  it('lets somebody new in, who chooses a password and thereby proves the address', async () => {
    const { records, invited, roles, mails } = await opened()
    const { token } = await invited('Bob@Example.org')
    expect(mails[0]).toMatchObject({ to: 'bob@example.org', subject: 'Join Clinic on Ratebook' })
    await expect(acceptInvitation(records, token, {}, noon)).rejects.toThrow('Choose a password')
    await acceptInvitation(records, token, { password }, noon)
    expect(await userByPassword(records, 'bob@example.org', password)).toMatchObject({ emailVerified: true })
    expect(await roles()).toEqual(['ada@example.org admin', 'bob@example.org member'])
    await expect(acceptInvitation(records, token, { password }, noon)).rejects.toThrow('was used')
  })

  it('asks somebody with an account to log in as the one who was invited', async () => {
    const { records, invited, roles, sessionFor } = await opened()
    const bob = await sessionFor('bob@example.org', 'Practice')
    const eve = await sessionFor('eve@example.org', 'Lab')
    const { token } = await invited('bob@example.org', 'admin')
    for (const answer of [{ password }, { session: eve }, {}])
      await expect(acceptInvitation(records, token, answer, noon)).rejects.toThrow(
        'Log in as bob@example.org',
      )
    await acceptInvitation(records, token, { session: bob }, noon)
    expect(await roles()).toEqual(['ada@example.org admin', 'bob@example.org admin'])
  })

  it('never takes the role of an admin away', async () => {
    const { records, ada, invited, roles } = await opened()
    const { token } = await invited('ada@example.org', 'member')
    await acceptInvitation(records, token, { session: ada }, noon)
    expect(await roles()).toEqual(['ada@example.org admin'])
  })

  it('works once, also when it is followed twice at the same time', async () => {
    const { records, invited, roles } = await opened()
    const { token } = await invited('bob@example.org')
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => acceptInvitation(records, token, { password }, noon)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await roles()).toHaveLength(2)
  })

  it('ends after fourteen days, or when it is withdrawn', async () => {
    const { records, ada, invited } = await opened()
    const late = await invited('bob@example.org')
    await expect(acceptInvitation(records, late.token, { password }, noon + 14 * day)).rejects.toThrow(
      'too old',
    )
    const withdrawn = await invited('carol@example.org')
    await revokeInvitation(records, ada.organization.id, withdrawn.id, noon)
    await expect(acceptInvitation(records, withdrawn.token, { password }, noon)).rejects.toThrow('withdrawn')
    expect(await openInvitations(records, ada.organization.id, noon)).toMatchObject([{ id: late.id }])
    expect(await openInvitations(records, ada.organization.id, noon + 14 * day)).toEqual([])
  })

  it('is withdrawn by its own organisation only, and not after it was accepted', async () => {
    const { records, ada, invited, sessionFor } = await opened()
    const eve = await sessionFor('eve@example.org', 'Lab')
    const { id, token } = await invited('bob@example.org')
    await expect(revokeInvitation(records, eve.organization.id, id, noon)).rejects.toThrow('no such open')
    await acceptInvitation(records, token, { password }, noon)
    await expect(revokeInvitation(records, ada.organization.id, id, noon)).rejects.toThrow('no such open')
  })
})

import { randomUUID } from 'node:crypto'
import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import type { Mailer } from './mailer.ts'
import { passwordHash } from './passwords.ts'
import type { Session } from './sessions.ts'
import { newToken, tokenHash } from './tokens.ts'
import { addMember, createUser, members, type Role, userByEmail } from './users.ts'

const lifeMs = 14 * 24 * 3_600_000

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: number
  readonly expiresAt: number
}

/** Invites somebody by mail. The answer is the same whether or not they have an account. */
export async function invite(
  records: Records,
  mailer: Mailer,
  baseUrl: string,
  session: Session,
  email: string,
  role: Role,
  now = Date.now(),
): Promise<Invitation> {
  const token = newToken()
  const invitation = {
    id: randomUUID(),
    email: email.toLowerCase(),
    role,
    createdAt: now,
    expiresAt: now + lifeMs,
  }
  await records.db
    .insertInto('invitations')
    .values({
      id: invitation.id,
      organization_id: session.organization.id,
      email: invitation.email,
      role,
      token_hash: tokenHash(token),
      invited_by: session.user.id,
      created_at: now,
      expires_at: invitation.expiresAt,
      accepted_at: null,
      revoked_at: null,
    })
    .execute()
  try {
    await mailer.send({
      to: invitation.email,
      subject: `Join ${session.organization.name} on Ratebook`,
      text: `${session.user.email} invites you to join ${session.organization.name} on Ratebook:\n${baseUrl}/invitation?token=${token}\nThe link works for fourteen days.`,
    })
  } catch (error) {
    // Nobody has the link, so the invitation would only be in the way.
    await records.db.deleteFrom('invitations').where('id', '=', invitation.id).execute()
    throw new Failure('overloaded', 'The invitation could not be mailed. Try again later.', { cause: error })
  }
  return invitation
}

/** Invitations that still wait for an answer, newest first. */
export async function openInvitations(
  records: Records,
  organizationId: string,
  now = Date.now(),
): Promise<Invitation[]> {
  const rows = await records.db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }))
}

export async function revokeInvitation(
  records: Records,
  organizationId: string,
  id: string,
  now = Date.now(),
): Promise<void> {
  const revoked = await records.db
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!revoked) throw new Failure('not_found', 'There is no such open invitation.')
}

export interface Accepted {
  readonly userId: string
  readonly organizationId: string
}

/**
 * Joins an organisation through an invitation. Somebody without an account makes one by choosing a password;
 * somebody with one must be logged in with the invited address.
 */
export async function acceptInvitation(
  records: Records,
  token: string,
  answer: { password?: string | undefined; session?: Session | undefined },
  now = Date.now(),
): Promise<Accepted> {
  const hash = answer.password === undefined ? undefined : await passwordHash(answer.password)
  return records.db.transaction().execute(async (db) => {
    const taken = await db
      .updateTable('invitations')
      .set({ accepted_at: now })
      .where('token_hash', '=', tokenHash(token))
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['email', 'role', 'organization_id'])
      .executeTakeFirst()
    if (!taken)
      throw new Failure(
        'invalid_request',
        'This invitation was used, withdrawn or is too old. Ask for a new one.',
      )
    const known = await userByEmail({ db }, taken.email)
    if (known && answer.session?.user.id !== known.id)
      throw new Failure('unauthenticated', `Log in as ${taken.email} to accept this invitation.`)
    if (!known && hash === undefined)
      throw new Failure('invalid_request', 'Choose a password.', {
        problems: [{ path: 'password', message: 'choose a password of at least 10 characters' }],
      })
    const userId = known?.id ?? (await createUser({ db }, taken.email, hash!, now)).id
    // The link went to this address, so following it proves the address.
    await db
      .updateTable('users')
      .set({ email_verified_at: now })
      .where('id', '=', userId)
      .where('email_verified_at', 'is', null)
      .execute()
    // An invitation gives rights and takes none: an admin who follows one for a member stays an admin.
    const present = (await members({ db }, taken.organization_id)).find(({ id }) => id === userId)
    if (present?.role !== 'admin') await addMember({ db }, taken.organization_id, userId, taken.role, now)
    return { userId, organizationId: taken.organization_id }
  })
}

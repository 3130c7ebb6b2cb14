import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import { membershipsOf, type Role, type User, userOf } from './users.ts'
import { newToken, tokenHash } from './tokens.ts'

/** Somebody logged in, looking at one of their organisations. */
export interface Session {
  readonly id: string
  readonly user: User
  readonly organization: {
    readonly id: string
    readonly name: string
    readonly role: Role
    readonly suspended: boolean
  }
  /** This use made it live longer: the cookie should too. */
  readonly extended: boolean
}

// A session's last use is written at most this often, or every page view would write.
const touchEveryMs = 60_000

/** Opens a session; the token goes into a cookie and nowhere else. */
export async function openSession(
  records: Records,
  userId: string,
  lifeMs: number,
  organizationId?: string,
  now = Date.now(),
): Promise<string> {
  const joined = await membershipsOf(records, userId)
  const chosen = organizationId === undefined ? joined[0] : joined.find(({ id }) => id === organizationId)
  if (!chosen) throw new Failure('forbidden', 'You belong to no organisation. Ask for an invitation.')
  const token = newToken()
  await records.db
    .insertInto('sessions')
    .values({
      token_hash: tokenHash(token),
      user_id: userId,
      organization_id: chosen.id,
      created_at: now,
      last_used_at: now,
      expires_at: now + lifeMs,
    })
    .execute()
  return token
}

/** The session of a cookie; undefined when it ended. Use extends it. */
export async function sessionOf(
  records: Records,
  token: string,
  lifeMs: number,
  now = Date.now(),
): Promise<Session | undefined> {
  const id = tokenHash(token)
  const row = await records.db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('organizations as o', 'o.id', 's.organization_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.user_id', '=', 's.user_id').onRef('m.organization_id', '=', 's.organization_id'),
    )
    .select([
      'u.id',
      'u.email',
      'u.email_verified_at',
      'o.id as organization_id',
      'o.name',
      'o.suspended_at',
      'm.role',
      's.last_used_at',
    ])
    .where('s.token_hash', '=', id)
    .where('s.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const extended = now - row.last_used_at > touchEveryMs
  if (extended)
    await records.db
      .updateTable('sessions')
      .set({ last_used_at: now, expires_at: now + lifeMs })
      .where('token_hash', '=', id)
      .execute()
  return {
    id,
    user: userOf(row),
    organization: {
      id: row.organization_id,
      name: row.name,
      role: row.role,
      suspended: row.suspended_at !== null,
    },
    extended,
  }
}

export async function closeSession(records: Records, token: string): Promise<void> {
  await records.db.deleteFrom('sessions').where('token_hash', '=', tokenHash(token)).execute()
}

/** Turns a session to another organisation of its user. */
export async function switchOrganization(
  records: Records,
  session: Session,
  organizationId: string,
): Promise<void> {
  const joined = await membershipsOf(records, session.user.id)
  if (!joined.some(({ id }) => id === organizationId))
    throw new Failure('not_found', 'You belong to no such organisation.')
  await records.db
    .updateTable('sessions')
    .set({ organization_id: organizationId })
    .where('token_hash', '=', session.id)
    .execute()
}

/** Forgets what has ended: sessions and links. */
export async function forgetEnded(records: Records, now = Date.now()): Promise<void> {
  await records.db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await records.db.deleteFrom('email_links').where('expires_at', '<=', now).execute()
}

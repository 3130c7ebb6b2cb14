import { randomUUID } from 'node:crypto'
import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import type { UsersTable } from '../records/tables.ts'
import { createKey, type NewKey } from './api-keys.ts'
import { createOrganization, type Organization } from './organizations.ts'
import { passwordHash, passwordHolds } from './passwords.ts'

type Db = Pick<Records, 'db'>
export type Role = 'admin' | 'member'

/** A person who can log in. */
export interface User {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
}

export const userOf = (row: Pick<UsersTable, 'id' | 'email' | 'email_verified_at'>): User => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified_at !== null,
})

export interface SignUp {
  readonly email: string
  readonly password: string
  readonly organization: string
}

export interface SignedUp extends NewKey {
  readonly user: User
  readonly organization: Organization
}

/** Makes a user, their organisation with its first credits and its first key, all or none. */
export async function signUp(
  records: Records,
  { email, password, organization }: SignUp,
  credits: number,
  now = Date.now(),
): Promise<SignedUp> {
  const hash = await passwordHash(password)
  return records.db.transaction().execute(async (db) => {
    const user = await createUser({ db }, email, hash, now)
    const made = await createOrganization({ db }, organization, credits, 'sign-up', now)
    await addMember({ db }, made.id, user.id, 'admin', now)
    const key = await createKey({ db }, made.id, 'First key', { createdBy: user.id, now })
    return { user, organization: made, ...key }
  })
}

/** Makes a user; a `conflict` failure where the address is taken. */
export async function createUser({ db }: Db, email: string, hash: string, now = Date.now()): Promise<User> {
  const row: UsersTable = {
    id: randomUUID(),
    email: email.toLowerCase(),
    password_hash: hash,
    email_verified_at: null,
    created_at: now,
  }
  const added = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added)
    throw new Failure('conflict', 'This address has an account already. Log in, or reset the password.')
  return userOf(row)
}

export async function userByEmail({ db }: Db, email: string): Promise<UsersTable | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()
}

/** The user whose address and password these are; a `wrong_credentials` failure, always the same, where they are not. */
export async function userByPassword(records: Records, email: string, password: string): Promise<User> {
  const row = await userByEmail(records, email)
  if (!(await passwordHolds(password, row?.password_hash)) || !row) throw new Failure('wrong_credentials')
  return userOf(row)
}

/** Sets a new password and ends the user's sessions, except the one it is changed from. */
export async function setPassword(
  records: Records,
  userId: string,
  password: string,
  keepSession?: string,
): Promise<void> {
  const hash = await passwordHash(password)
  await records.db.transaction().execute((db) => setPasswordHash({ db }, userId, hash, keepSession))
}

/** The same with a hash made before. To be run in a transaction. Reset links that are still out there end too. */
export async function setPasswordHash(
  { db }: Db,
  userId: string,
  hash: string,
  keepSession?: string,
): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keepSession !== undefined, (query) => query.where('token_hash', '!=', keepSession!))
    .execute()
  await db.deleteFrom('email_links').where('user_id', '=', userId).where('purpose', '=', 'reset').execute()
}

// ── Members ──

export interface Member extends User {
  readonly role: Role
  readonly since: number
}

/** Makes a user a member, or gives a member another role. */
export async function addMember(
  { db }: Db,
  organizationId: string,
  userId: string,
  role: Role,
  now = Date.now(),
): Promise<void> {
  await db
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: userId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet({ role }))
    .execute()
}

export async function members({ db }: Db, organizationId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.email_verified_at', 'm.role', 'm.created_at'])
    .where('m.organization_id', '=', organizationId)
    .orderBy('m.created_at')
    .orderBy('u.id')
    .execute()
  return rows.map((row) => ({ ...userOf(row), role: row.role, since: row.created_at }))
}

/** The organisations a user belongs to, the first joined first. */
export async function membershipsOf(
  { db }: Db,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('m.created_at')
    .orderBy('o.id')
    .execute()
}

/** Changes a member's role, or with null removes them. An organisation keeps at least one admin. */
export async function changeMember(
  records: Records,
  organizationId: string,
  userId: string,
  role: Role | null,
): Promise<void> {
  await records.db.transaction().execute(async (db) => {
    // Takes the organisation's row first, so that two admins cannot remove each other at the same time.
    await db
      .updateTable('organizations')
      .set((column) => ({ name: column.ref('name') }))
      .where('id', '=', organizationId)
      .execute()
    const all = await members({ db }, organizationId)
    if (!all.some(({ id }) => id === userId))
      throw new Failure('not_found', 'This organisation has no such member.')
    const others = all.filter((member) => member.id !== userId && member.role === 'admin')
    if (role !== 'admin' && others.length === 0)
      throw new Failure('conflict', 'An organisation keeps at least one admin.')
    if (role === null) {
      await db
        .deleteFrom('memberships')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
      await db
        .deleteFrom('sessions')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
    } else await addMember({ db }, organizationId, userId, role)
  })
}

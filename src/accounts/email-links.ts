import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import type { Mailer } from './mailer.ts'
import { passwordHash } from './passwords.ts'
import { newToken, tokenHash } from './tokens.ts'
import { setPasswordHash, type User, userByEmail } from './users.ts'

const verifyLifeMs = 7 * 24 * 3_600_000
const resetLifeMs = 3_600_000

async function newLink(
  records: Records,
  userId: string,
  purpose: 'verify' | 'reset',
  lifeMs: number,
  now: number,
): Promise<string> {
  const token = newToken()
  await records.db
    .insertInto('email_links')
    .values({
      token_hash: tokenHash(token),
      user_id: userId,
      purpose,
      created_at: now,
      expires_at: now + lifeMs,
      used_at: null,
    })
    .execute()
  return token
}

/** Takes a link's token once; the same failure whether it is unknown, used or too old. */
async function useLink(
  records: Pick<Records, 'db'>,
  token: string,
  purpose: 'verify' | 'reset',
  now: number,
): Promise<string> {
  const used = await records.db
    .updateTable('email_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (!used)
    throw new Failure('invalid_request', 'This link was used already or is too old. Ask for a new one.')
  return used.user_id
}

/** Mails a link that proves the address. */
export async function sendVerification(
  records: Records,
  mailer: Mailer,
  baseUrl: string,
  user: User,
  now = Date.now(),
): Promise<void> {
  const token = await newLink(records, user.id, 'verify', verifyLifeMs, now)
  await mailer.send({
    to: user.email,
    subject: 'Confirm your e-mail address',
    text: `Confirm your address for Ratebook:\n${baseUrl}/verify-email?token=${token}\nThe link works for seven days.`,
  })
}

export async function verifyEmail(records: Records, token: string, now = Date.now()): Promise<void> {
  const userId = await useLink(records, token, 'verify', now)
  await records.db.updateTable('users').set({ email_verified_at: now }).where('id', '=', userId).execute()
}

/** Mails a reset link where the address has an account. Says nothing either way. */
export async function sendReset(
  records: Records,
  mailer: Mailer,
  baseUrl: string,
  email: string,
  now = Date.now(),
): Promise<void> {
  const user = await userByEmail(records, email)
  if (!user) return
  const token = await newLink(records, user.id, 'reset', resetLifeMs, now)
  await mailer.send({
    to: user.email,
    subject: 'Set a new password',
    text: `Set a new password for Ratebook:\n${baseUrl}/reset-password?token=${token}\nThe link works for one hour. If you did not ask for it, ignore this mail.`,
  })
}

/** Sets a new password through a reset link, which also proves the address, and ends every session. */
export async function resetPassword(
  records: Records,
  token: string,
  password: string,
  now = Date.now(),
): Promise<string> {
  // Before the transaction: a hash takes long on purpose.
  const hash = await passwordHash(password)
  return records.db.transaction().execute(async (db) => {
    const userId = await useLink({ db }, token, 'reset', now)
    await setPasswordHash({ db }, userId, hash)
    await db
      .updateTable('users')
      .set({ email_verified_at: now })
      .where('id', '=', userId)
      .where('email_verified_at', 'is', null)
      .execute()
    return userId
  })
}

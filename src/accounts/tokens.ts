import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Records } from '../records/records.ts'

/** A secret that we hand out once and keep only the hash of. */
export const newToken = (bytes = 32) => randomBytes(bytes).toString('base64url')

/** What we keep of a token. Tokens have 256 random bits, so a plain hash is enough; passwords get argon2. */
export const tokenHash = (token: string) => hash('sha256', token, 'base64url')

/** A code that only a holder of the secret can make. */
export const signature = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** Whether two secrets are equal, in a time that does not tell where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The secret that signs links and cursors: the one configured, else one made once and kept with the records. */
export async function signingSecret(records: Records, configured: string | undefined): Promise<string> {
  if (configured) return configured
  await records.db
    .insertInto('secrets')
    .values({ name: 'signing', value: newToken(), created_at: Date.now() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await records.db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'signing')
    .executeTakeFirstOrThrow()
  return value
}

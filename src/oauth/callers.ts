import { type Caller, organizationColumns, organizationOf } from '../accounts/callers.ts'
import { tokenHash } from '../accounts/tokens.ts'
import type { Records } from '../records/records.ts'

/** Who an access token speaks for, and what it was issued for. */
export interface TokenCaller {
  readonly caller: Caller
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly expiresAt: number
}

// A token works only while its connection stands and its user belongs to the organisation: three indexes, no cache.
const byToken = `
  select t.payload, t.expires_at as token_expires_at, c.client_id, c.grant_id, c.last_used_at, ${organizationColumns}
  from oauth_records t
  join oauth_connections c on c.grant_id = t.grant_id and c.ended_at is null
  join memberships m on m.user_id = c.user_id and m.organization_id = c.organization_id
  join organizations o on o.id = c.organization_id
  where t.model = 'AccessToken' and t.id = $1`

const touchEveryMs = 60_000

/** The caller that an access token stands for; undefined when it is unknown, revoked or expired. */
export async function callerByAccessToken(
  records: Records,
  token: string,
  now: number,
): Promise<TokenCaller | undefined> {
  const [row] = await records.read(byToken, [tokenHash(token)])
  const expiresAt = Number(row?.['token_expires_at'] ?? 0)
  if (!row || expiresAt <= now) return undefined
  if (now - Number(row['last_used_at'] ?? 0) > touchEveryMs)
    await records.db
      .updateTable('oauth_connections')
      .set({ last_used_at: now })
      .where('grant_id', '=', String(row['grant_id']))
      .execute()
  const { aud, scope = '' } = JSON.parse(String(row['payload'])) as {
    aud?: string | string[]
    scope?: string
  }
  return {
    // What a client may do is what its user's organisation may do with tools; it has no way into the REST interface.
    caller: { ...organizationOf(row), keyId: null, userId: null, role: 'member', groups: [], tools: null },
    clientId: String(row['client_id']),
    scopes: scope.split(' ').filter(Boolean),
    audience: aud === undefined ? [] : [aud].flat(),
    expiresAt,
  }
}

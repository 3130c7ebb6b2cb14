import type { AdapterPayload, ClientMetadata } from 'oidc-provider'
import { newToken, sameSecret, tokenHash } from '../accounts/tokens.ts'
import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import type { OAuthClientsTable } from '../records/tables.ts'
import { endGrant } from './grants.ts'
import type { authMethods } from './metadata.ts'

const hashMark = 'sha256:'

/** Whether a secret is the one whose hash we keep. */
export const secretHolds = (kept: string | undefined, sent: string) =>
  kept !== undefined && sameSecret(kept, hashMark + tokenHash(sent))

const hashed = (secret: string) => (secret.startsWith(hashMark) ? secret : hashMark + tokenHash(secret))

/** Keeps a client; of its secret, the hash. */
export async function keepClient(
  records: Records,
  id: string,
  metadata: AdapterPayload | ClientMetadata,
  origin: OAuthClientsTable['origin'],
  now: number,
): Promise<void> {
  const { client_secret, client_name } = metadata as ClientMetadata
  const row: OAuthClientsTable = {
    id,
    name: client_name ?? id,
    origin,
    metadata: JSON.stringify({ ...metadata, ...(client_secret && { client_secret: hashed(client_secret) }) }),
    created_at: now,
  }
  await records.db
    .insertInto('oauth_clients')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: row.name, metadata: row.metadata }))
    .execute()
}

export async function clientById(records: Records, id: string): Promise<AdapterPayload | undefined> {
  const row = await records.db
    .selectFrom('oauth_clients')
    .select('metadata')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (JSON.parse(row.metadata) as AdapterPayload)
}

/** Removes a client, and every connection it has. */
export async function forgetClient(records: Records, id: string, now: number): Promise<void> {
  const connections = await records.db
    .selectFrom('oauth_connections')
    .select('grant_id')
    .where('client_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  for (const { grant_id } of connections) await endGrant(records, grant_id, now)
  await records.db.deleteFrom('oauth_clients').where('id', '=', id).execute()
}

/** A client as an operator sees it. */
export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly origin: OAuthClientsTable['origin']
  readonly redirectUris: readonly string[]
  readonly createdAt: number
  /** How many users have it connected now. */
  readonly connections: number
}

/** Issues an id, and unless the client cannot keep one a secret, for the redirect addresses of a client. */
export async function issueClient(
  records: Records,
  name: string,
  redirectUris: readonly string[],
  authMethod: (typeof authMethods)[number],
  now = Date.now(),
): Promise<{ clientId: string; clientSecret?: string }> {
  if (redirectUris.length === 0) throw new Failure('invalid_request', 'Name at least one redirect address.')
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri)
    if (problem) throw new Failure('invalid_request', `${uri}: ${problem}.`)
  }
  const clientId = `client_${newToken(12)}`
  const clientSecret = authMethod === 'none' ? undefined : newToken()
  await keepClient(
    records,
    clientId,
    {
      client_id: clientId,
      client_name: name,
      redirect_uris: [...redirectUris],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    },
    'operator',
    now,
  )
  return { clientId, ...(clientSecret !== undefined && { clientSecret }) }
}

/** What is wrong with a redirect address; undefined when nothing is. */
export function redirectProblem(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url) return 'not an address'
  if (url.hash !== '' || uri.includes('#')) return 'a redirect address has no fragment'
  if (url.protocol === 'http:' && !isLoopback(url)) return 'use https, except on this machine'
  return undefined
}

export const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

export async function oauthClients(records: Records): Promise<OAuthClient[]> {
  const rows = await records.db
    .selectFrom('oauth_clients as c')
    .selectAll('c')
    .select((at) =>
      at
        .selectFrom('oauth_connections as n')
        .select((count) => count.fn.countAll<number | string>().as('n'))
        .whereRef('n.client_id', '=', 'c.id')
        .where('n.ended_at', 'is', null)
        .as('connections'),
    )
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    origin: row.origin,
    redirectUris: (JSON.parse(row.metadata) as ClientMetadata).redirect_uris ?? [],
    createdAt: row.created_at,
    connections: Number(row.connections),
  }))
}

import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import { endGrant } from './grants.ts'

/** A client that somebody of an organisation has let in. */
export interface Connection {
  readonly id: string
  readonly clientId: string
  readonly clientName: string
  readonly userId: string
  readonly email: string
  readonly connectedAt: number
  readonly lastUsedAt: number | null
}

/** Remembers that a user let a client act for one of their organisations. */
export async function connect(
  records: Records,
  made: {
    grantId: string
    userId: string
    organizationId: string
    clientId: string
    clientName: string
  },
  now: number,
): Promise<void> {
  await records.db
    .insertInto('oauth_connections')
    .values({
      grant_id: made.grantId,
      user_id: made.userId,
      organization_id: made.organizationId,
      client_id: made.clientId,
      client_name: made.clientName,
      created_at: now,
      last_used_at: null,
      ended_at: null,
    })
    .execute()
}

/** The clients connected to an organisation, newest first; with a user, only that user's. */
export async function connections(
  records: Records,
  organizationId: string,
  userId: string | undefined,
  now: number,
): Promise<Connection[]> {
  const rows = await records.db
    .selectFrom('oauth_connections as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('oauth_records as g', (join) =>
      join.onRef('g.id', '=', 'c.grant_id').on('g.model', '=', 'Grant'),
    )
    .select([
      'c.grant_id',
      'c.client_id',
      'c.client_name',
      'c.user_id',
      'u.email',
      'c.created_at',
      'c.last_used_at',
    ])
    .where('c.organization_id', '=', organizationId)
    .where('c.ended_at', 'is', null)
    .where('g.expires_at', '>', now)
    .$if(userId !== undefined, (query) => query.where('c.user_id', '=', userId!))
    .orderBy('c.created_at', 'desc')
    .orderBy('c.grant_id')
    .execute()
  return rows.map((row) => ({
    id: row.grant_id,
    clientId: row.client_id,
    clientName: row.client_name,
    userId: row.user_id,
    email: row.email,
    connectedAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** Ends a connection; a `not_found` failure where the organisation (or with a user, that user) has none such. */
export async function disconnect(
  records: Records,
  organizationId: string,
  userId: string | undefined,
  id: string,
  now: number,
): Promise<void> {
  const found = await records.db
    .selectFrom('oauth_connections')
    .select('grant_id')
    .where('grant_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .executeTakeFirst()
  if (!found) throw new Failure('not_found', 'No such client is connected.')
  await endGrant(records, id, now)
}

const unusedClientMs = 7 * 86_400_000

/** Forgets tokens that have ended, and clients that registered themselves and were never let in. */
export async function forgetEndedConnections(records: Records, now: number): Promise<void> {
  await records.db.deleteFrom('oauth_records').where('expires_at', '<=', now).execute()
  await records.db
    .deleteFrom('oauth_clients')
    .where('origin', '=', 'registration')
    .where('created_at', '<', now - unusedClientMs)
    .where((at) =>
      at.not(
        at.exists(
          at
            .selectFrom('oauth_connections')
            .select('grant_id')
            .whereRef('oauth_connections.client_id', '=', 'oauth_clients.id')
            .where('ended_at', 'is', null),
        ),
      ),
    )
    .execute()
}

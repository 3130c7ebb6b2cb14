import { randomUUID } from 'node:crypto'
import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import type { ApiKeysTable } from '../records/tables.ts'
import { newToken, tokenHash } from './tokens.ts'

const prefixLength = 12

/** How every key begins. */
export const keyBeginning = 'rb_'

/** What a key may be restricted to; null means no restriction. */
export interface KeyLimits {
  readonly groups: readonly string[] | null
  readonly tools: readonly string[] | null
  readonly expiresAt: number | null
}

/** A key as its owners see it. The key itself is shown once, when it is made. */
export interface ApiKey extends KeyLimits {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdBy: string | null
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  readonly replacedBy: string | null
}

export interface NewKey {
  readonly apiKey: string
  readonly key: ApiKey
}

const noLimits: KeyLimits = { groups: null, tools: null, expiresAt: null }

/** Makes a key for an organisation. */
export async function createKey(
  records: Pick<Records, 'db'>,
  organizationId: string,
  name: string,
  {
    createdBy = null,
    limits = noLimits,
    now = Date.now(),
  }: { createdBy?: string | null; limits?: KeyLimits; now?: number } = {},
): Promise<NewKey> {
  const apiKey = keyBeginning + newToken()
  const row: ApiKeysTable = {
    id: randomUUID(),
    organization_id: organizationId,
    name,
    prefix: apiKey.slice(0, prefixLength),
    hash: tokenHash(apiKey),
    groups: listText(limits.groups),
    tools: listText(limits.tools),
    created_by: createdBy,
    created_at: now,
    expires_at: limits.expiresAt,
    revoked_at: null,
    last_used_at: null,
    replaced_by: null,
  }
  await records.db.insertInto('api_keys').values(row).execute()
  return { apiKey, key: keyOf(row) }
}

/** The keys of an organisation, newest first, revoked ones included. */
export async function keysOf(records: Records, organizationId: string): Promise<ApiKey[]> {
  const rows = await records.db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(keyOf)
}

/** One key of an organisation; a `not_found` failure where it has none such. */
export async function keyById(
  records: Pick<Records, 'db'>,
  organizationId: string,
  id: string,
): Promise<ApiKey> {
  const row = await records.db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Failure('not_found', 'This organisation has no such key.')
  return keyOf(row)
}

/** Renames a key or changes what it may do. */
export async function changeKey(
  records: Records,
  organizationId: string,
  id: string,
  change: Partial<KeyLimits & { name: string }>,
): Promise<ApiKey> {
  await keyById(records, organizationId, id)
  const set = {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.groups !== undefined && { groups: listText(change.groups) }),
    ...(change.tools !== undefined && { tools: listText(change.tools) }),
    ...(change.expiresAt !== undefined && { expires_at: change.expiresAt }),
  }
  if (Object.keys(set).length > 0)
    await records.db.updateTable('api_keys').set(set).where('id', '=', id).execute()
  return keyById(records, organizationId, id)
}

/** Ends a key at once. */
export async function revokeKey(
  records: Records,
  organizationId: string,
  id: string,
  now = Date.now(),
): Promise<ApiKey> {
  await keyById(records, organizationId, id)
  await records.db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  return keyById(records, organizationId, id)
}

/** Makes a successor with the same name and limits; the old key still works for the overlap, so that clients can change over. */
export async function rotateKey(
  records: Records,
  organizationId: string,
  id: string,
  overlapMs: number,
  { createdBy = null, now = Date.now() }: { createdBy?: string | null; now?: number } = {},
): Promise<NewKey> {
  return records.db.transaction().execute(async (db) => {
    const old = await keyById({ db }, organizationId, id)
    if (old.revokedAt !== null)
      throw new Failure('conflict', 'A revoked key cannot be rotated. Make a new one.')
    if (old.replacedBy !== null) throw new Failure('conflict', 'This key was rotated already.')
    if (old.expiresAt !== null && old.expiresAt <= now)
      throw new Failure('conflict', 'An expired key cannot be rotated. Make a new one.')
    const made = await createKey({ db }, organizationId, old.name, { createdBy, limits: old, now })
    const ends = Math.min(now + overlapMs, old.expiresAt ?? Infinity)
    const replaced = await db
      .updateTable('api_keys')
      .set({ replaced_by: made.key.id, expires_at: ends })
      .where('id', '=', id)
      // Somebody else may have rotated or revoked it since we looked.
      .where('replaced_by', 'is', null)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!replaced) throw new Failure('conflict', 'This key was rotated or revoked meanwhile.')
    return made
  })
}

const listText = (list: readonly string[] | null) => (list === null ? null : JSON.stringify(list))
const listOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as string[]))

function keyOf(row: ApiKeysTable): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    groups: listOf(row.groups),
    tools: listOf(row.tools),
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    replacedBy: row.replaced_by,
  }
}

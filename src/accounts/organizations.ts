import { randomUUID } from 'node:crypto'
import { Failure } from '../errors.ts'
import type { Records } from '../records/records.ts'
import type { OrganizationsTable } from '../records/tables.ts'

type Db = Pick<Records, 'db'>

/** A customer: the one who holds keys and credits. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly credits: number
  readonly ratePerSecond: number | null
  readonly rateBurst: number | null
  readonly pageSizeMax: number | null
  readonly tools: readonly string[] | null
  readonly suspendedAt: number | null
  readonly createdAt: number
}

/** Makes an organisation, with the credits it starts with. */
export async function createOrganization(
  { db }: Db,
  name: string,
  credits: number,
  reason: string,
  now = Date.now(),
): Promise<Organization> {
  const row: OrganizationsTable = {
    id: randomUUID(),
    name,
    credits: 0,
    rate_per_second: null,
    rate_burst: null,
    page_size_max: null,
    tools: null,
    suspended_at: null,
    created_at: now,
  }
  await db.insertInto('organizations').values(row).execute()
  if (credits > 0) await addCredits({ db }, row.id, credits, reason, now)
  return { ...organizationOf(row), credits }
}

/** Adds credits and notes why. To be run in a transaction. */
async function addCredits(
  { db }: Db,
  organizationId: string,
  credits: number,
  reason: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set((column) => ({ credits: column('credits', '+', credits) }))
    .where('id', '=', organizationId)
    .execute()
  await db
    .insertInto('credit_grants')
    .values({ id: randomUUID(), organization_id: organizationId, credits, reason, granted_at: now })
    .execute()
}

/** Gives an organisation more credits. Returns what it has then. */
export async function grantCredits(
  records: Records,
  organizationId: string,
  credits: number,
  reason: string,
  now = Date.now(),
): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits <= 0)
    throw new Failure('invalid_request', 'Grant a whole number of credits above zero.')
  return records.db.transaction().execute(async (db) => {
    await addCredits({ db }, organizationId, credits, reason, now)
    return (await organizationById({ db }, organizationId)).credits
  })
}

export async function organizationById({ db }: Db, id: string): Promise<Organization> {
  const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Failure('not_found', 'There is no such organisation.')
  return organizationOf(row)
}

/** The organisation that an operator means: by id, by name, or by the address of one of its members. */
export async function organizationNamed({ db }: Db, text: string): Promise<Organization> {
  const rows = await db
    .selectFrom('organizations as o')
    .selectAll('o')
    .distinct()
    .leftJoin('memberships as m', 'm.organization_id', 'o.id')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .where((is) =>
      is.or([is('o.id', '=', text), is('o.name', '=', text), is('u.email', '=', text.toLowerCase())]),
    )
    .execute()
  const [row] = rows
  if (!row) throw new Failure('not_found', `No organisation has the id, the name or a member "${text}".`)
  if (rows.length > 1)
    throw new Failure(
      'conflict',
      `Several organisations answer to "${text}": use an id of ${rows.map(({ id }) => id).join(', ')}.`,
    )
  return organizationOf(row)
}

export async function organizations({ db }: Db): Promise<Organization[]> {
  const rows = await db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(organizationOf)
}

/** What an operator or an admin may change. */
export type OrganizationChange = Partial<
  Pick<Organization, 'name' | 'ratePerSecond' | 'rateBurst' | 'pageSizeMax' | 'tools' | 'suspendedAt'>
>

export async function changeOrganization(
  records: Records,
  id: string,
  change: OrganizationChange,
): Promise<Organization> {
  const set = {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.ratePerSecond !== undefined && { rate_per_second: change.ratePerSecond }),
    ...(change.rateBurst !== undefined && { rate_burst: change.rateBurst }),
    ...(change.pageSizeMax !== undefined && { page_size_max: change.pageSizeMax }),
    ...(change.tools !== undefined && { tools: change.tools === null ? null : JSON.stringify(change.tools) }),
    ...(change.suspendedAt !== undefined && { suspended_at: change.suspendedAt }),
  }
  if (Object.keys(set).length > 0)
    await records.db.updateTable('organizations').set(set).where('id', '=', id).execute()
  return organizationById(records, id)
}

export interface CreditGrant {
  readonly credits: number
  readonly reason: string
  readonly grantedAt: number
}

/** Where an organisation's credits came from, newest first. */
export async function creditGrants({ db }: Db, organizationId: string): Promise<CreditGrant[]> {
  const rows = await db
    .selectFrom('credit_grants')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('granted_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ credits: row.credits, reason: row.reason, grantedAt: row.granted_at }))
}

function organizationOf(row: OrganizationsTable): Organization {
  return {
    id: row.id,
    name: row.name,
    credits: row.credits,
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    pageSizeMax: row.page_size_max,
    tools: row.tools === null ? null : (JSON.parse(row.tools) as string[]),
    suspendedAt: row.suspended_at,
    createdAt: row.created_at,
  }
}

import type { Records, Row } from '../records/records.ts'
import { tokenHash } from './tokens.ts'

/** Who is asking, and what their organisation may do. */
export interface Caller {
  readonly organizationId: string
  readonly organizationName: string
  readonly credits: number
  readonly suspended: boolean
  readonly ratePerSecond: number | null
  readonly rateBurst: number | null
  readonly pageSizeMax: number | null
  /** Tools the organisation may use; null = all. */
  readonly organizationTools: readonly string[] | null
  readonly keyId: string | null
  /** What the key is restricted to; null = nothing. */
  readonly groups: readonly string[] | null
  readonly tools: readonly string[] | null
}

/** The columns of an organisation `o` that say what its callers may do. */
export const organizationColumns =
  'o.id, o.name, o.credits, o.suspended_at, o.rate_per_second, o.rate_burst, o.page_size_max, o.tools'

// On the path of every call: one look at one index, no cache, so that revoking a key works at once on every process.
const byHash = `
  select k.id as key_id, k.groups, k.tools as key_tools, k.expires_at, ${organizationColumns}
  from api_keys k join organizations o on o.id = k.organization_id
  where k.hash = $1 and k.revoked_at is null`

/** The caller that an API key stands for; undefined when the key is unknown, revoked or expired. */
export async function callerByKey(
  records: Records,
  apiKey: string,
  now: number,
): Promise<Caller | undefined> {
  const [row] = await records.read(byHash, [tokenHash(apiKey)])
  if (!row || (row['expires_at'] !== null && Number(row['expires_at']) <= now)) return undefined
  return {
    ...organizationOf(row),
    keyId: String(row['key_id']),
    groups: listOf(row['groups']),
    tools: listOf(row['key_tools']),
  }
}

/** The caller that a log-in to the web application stands for: its organisation, without a key's restrictions. */
export async function callerByOrganization(
  records: Records,
  organizationId: string,
): Promise<Caller | undefined> {
  const [row] = await records.read(`select ${organizationColumns} from organizations o where o.id = $1`, [
    organizationId,
  ])
  return row && { ...organizationOf(row), keyId: null, groups: null, tools: null }
}

/** What a row with `organizationColumns` says of a caller. */
export function organizationOf(row: Row): Omit<Caller, 'keyId' | 'groups' | 'tools'> {
  return {
    organizationId: String(row['id']),
    organizationName: String(row['name']),
    credits: Number(row['credits']),
    suspended: row['suspended_at'] !== null,
    ratePerSecond: row['rate_per_second'] as number | null,
    rateBurst: row['rate_burst'] as number | null,
    pageSizeMax: row['page_size_max'] as number | null,
    organizationTools: listOf(row['tools']),
  }
}

const listOf = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as string[]) : null)

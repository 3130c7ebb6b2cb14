import type { Records, Row } from '../records/records.ts'
import { Batches } from './batches.ts'
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
  /** Who logged in, or made the key; null for a key that the operator made. */
  readonly userId: string | null
  readonly role: 'admin' | 'member'
  /** What the key is restricted to; null = nothing. */
  readonly groups: readonly string[] | null
  readonly tools: readonly string[] | null
}

/** The columns of an organisation `o` that say what its callers may do. */
export const organizationColumns =
  'o.id, o.name, o.credits, o.suspended_at, o.rate_per_second, o.rate_burst, o.page_size_max, o.tools'

// No cache: revoking a key works at once on every process.
const byHashes = (hashes: string) => `
  select k.hash, k.id as key_id, k.groups, k.tools as key_tools, k.expires_at, k.created_by, m.role, ${organizationColumns}
  from api_keys k join organizations o on o.id = k.organization_id
  left join memberships m on m.organization_id = k.organization_id and m.user_id = k.created_by
  where k.revoked_at is null and k.hash in (${hashes})`
const questions = {
  sqlite: byHashes('select value from json_each($1)'),
  postgres: byHashes('select jsonb_array_elements_text($1::jsonb)'),
}

/** Finds out who calls. On the path of every call, so the calls of one turn of the event loop share a look-up. */
export class Callers {
  readonly #batches: Batches<string, Caller | undefined>

  constructor(records: Records, now: () => number = Date.now) {
    this.#batches = new Batches(async (hashes) => {
      const rows = await records.read(questions[records.kind], [JSON.stringify([...new Set(hashes)])])
      const at = now()
      const callers = new Map(
        rows.filter((row) => isAlive(row, at)).map((row) => [String(row['hash']), callerOf(row)]),
      )
      return hashes.map((hash) => callers.get(hash))
    })
  }

  /** The caller that an API key stands for; undefined when the key is unknown, revoked or expired. */
  byKey(apiKey: string): Promise<Caller | undefined> {
    return this.#batches.add(tokenHash(apiKey))
  }
}

const isAlive = (row: Row, now: number) => row['expires_at'] === null || Number(row['expires_at']) > now

function callerOf(row: Row): Caller {
  return {
    ...organizationOf(row),
    keyId: String(row['key_id']),
    userId: row['created_by'] as string | null,
    role: roleOf(row),
    groups: listOf(row['groups']),
    tools: listOf(row['key_tools']),
  }
}

/** A key may do what its maker may; one whose maker has left, what any member may; one of the operator's, all. */
const roleOf = (row: Row) => (row['created_by'] === null || row['role'] === 'admin' ? 'admin' : 'member')

/** A log-in to the web application, as far as a call is concerned. */
export interface LoggedIn {
  readonly user: { readonly id: string }
  readonly organization: { readonly id: string; readonly role: 'admin' | 'member' }
}

/** The caller that a log-in stands for: its organisation, without a key's restrictions. */
export async function callerBySession(
  records: Records,
  { user, organization }: LoggedIn,
): Promise<Caller | undefined> {
  const [row] = await records.read(`select ${organizationColumns} from organizations o where o.id = $1`, [
    organization.id,
  ])
  return (
    row && {
      ...organizationOf(row),
      keyId: null,
      userId: user.id,
      role: organization.role,
      groups: null,
      tools: null,
    }
  )
}

/** What a row with `organizationColumns` says of a caller. */
export function organizationOf(row: Row): Omit<Caller, 'keyId' | 'userId' | 'role' | 'groups' | 'tools'> {
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

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
  /** What the key is restricted to; null = nothing. */
  readonly groups: readonly string[] | null
  readonly tools: readonly string[] | null
}

/** The columns of an organisation `o` that say what its callers may do. */
export const organizationColumns =
  'o.id, o.name, o.credits, o.suspended_at, o.rate_per_second, o.rate_burst, o.page_size_max, o.tools'

// No cache: revoking a key works at once on every process.
const byHashes = (hashes: string) => `
  select k.hash, k.id as key_id, k.groups, k.tools as key_tools, k.expires_at, ${organizationColumns}
  from api_keys k join organizations o on o.id = k.organization_id
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

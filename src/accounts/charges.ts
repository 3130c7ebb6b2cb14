import type { Records, Statements } from '../records/records.ts'
import { Batches } from './batches.ts'

/** A call that somebody made, as it is counted. */
export interface Call {
  readonly organizationId: string
  readonly keyId: string | null
  readonly operation: string
  readonly status: number
  /** What it costs. A call that failed costs nothing. */
  readonly credits: number
  readonly latencyUs: number
  readonly at: number
}

export interface Charged {
  /** False when the credits ran out meanwhile: nothing was taken, and the call counts as a 402. */
  readonly paid: boolean
  readonly remaining: number
}

const lastUseEveryMs = 60_000

/**
 * Debits calls and writes their usage rows, many calls to a transaction.
 * A durable commit costs a disk flush, so calls share one: each is answered only after the commit that holds it.
 */
export class ChargeBook {
  readonly #batches: Batches<Call, Charged>

  constructor(records: Records) {
    this.#batches = new Batches((calls) =>
      records.transaction((statements) => chargeAll(statements, records.kind, calls)),
    )
  }

  /** Counts a call and takes its credits; resolves when both are on the disk. */
  record(call: Call): Promise<Charged> {
    return this.#batches.add(call)
  }

  /** Resolves when every call so far is on the disk. */
  drained(): Promise<void> {
    return this.#batches.drained()
  }
}

// One statement for all organisations of a batch: a trip to PostgreSQL costs more than the work there.
const texts = {
  sqlite: {
    credits: 'select id, credits from organizations where id in (select value from json_each($1))',
    debit: `
      update organizations set credits = credits - debit.value
      from json_each($1) as debit where organizations.id = debit.key`,
    lastUse: `
      update api_keys set last_used_at = used.value from json_each($1) as used
      where api_keys.id = used.key and (last_used_at is null or last_used_at < used.value - $2)`,
  },
  postgres: {
    // Every process takes the rows in the same order, so that two of them never wait for each other.
    credits: `
      select id, credits from organizations where id in (select jsonb_array_elements_text($1::jsonb))
      order by id for update`,
    debit: `
      update organizations set credits = credits - debit.value::bigint
      from jsonb_each_text($1::jsonb) as debit where organizations.id = debit.key`,
    // A key that another process notes the use of at this moment needs no second note.
    lastUse: `
      update api_keys set last_used_at = used.value::bigint
      from jsonb_each_text($1::jsonb) as used
      where api_keys.id in (
        select k.id from api_keys k join jsonb_each_text($1::jsonb) u on u.key = k.id
        where k.last_used_at is null or k.last_used_at < u.value::bigint - $2::bigint
        for update of k skip locked
      ) and api_keys.id = used.key`,
  },
} as const satisfies Record<Records['kind'], Record<string, string>>

async function chargeAll(
  statements: Statements,
  kind: Records['kind'],
  calls: readonly Call[],
): Promise<Charged[]> {
  const text = texts[kind]
  const ids = [...new Set(calls.map(({ organizationId }) => organizationId))]
  const rows = await statements.all(text.credits, [JSON.stringify(ids)])
  const credits = new Map(rows.map((row) => [String(row['id']), Number(row['credits'])]))
  const spent = new Map<string, number>()

  const usage: (string | number | null)[][] = []
  const charged = calls.map((call) => {
    const before = credits.get(call.organizationId) ?? 0
    const paid = before >= call.credits
    const taken = paid ? call.credits : 0
    credits.set(call.organizationId, before - taken)
    spent.set(call.organizationId, (spent.get(call.organizationId) ?? 0) + taken)
    const day = new Date(call.at).toISOString().slice(0, 10)
    usage.push([
      call.organizationId,
      call.keyId,
      call.operation,
      paid ? call.status : 402,
      taken,
      call.latencyUs,
      call.at,
      day,
    ])
    return { paid, remaining: before - taken }
  })

  const debits = [...spent].filter(([, amount]) => amount > 0)
  if (debits.length > 0) await statements.run(text.debit, [JSON.stringify(Object.fromEntries(debits))])
  await statements.run(text.lastUse, [JSON.stringify(lastUses(calls)), lastUseEveryMs])
  await statements.insert(
    'usage',
    ['organization_id', 'key_id', 'operation', 'status', 'credits', 'latency_us', 'at', 'day'],
    usage,
  )
  return charged
}

/** When each key was used last, by its id. */
function lastUses(calls: readonly Call[]): Record<string, number> {
  const latest = new Map<string, number>()
  for (const { keyId, at } of calls) if (keyId) latest.set(keyId, Math.max(at, latest.get(keyId) ?? 0))
  return Object.fromEntries(latest)
}

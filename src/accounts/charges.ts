import type { Records, Statements } from '../records/records.ts'

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

const batchMost = 1_000
const lastUseEveryMs = 60_000

/**
 * Debits calls and writes their usage rows, many calls to a transaction.
 *
 * A durable commit costs a disk flush. Calls that arrive during one turn of the event loop, or while the last
 * flush is under way, share the next: each is answered only after the commit that holds it.
 */
export class ChargeBook {
  readonly #records: Records
  #waiting: Waiting[] = []
  #working: Promise<void> | undefined

  constructor(records: Records) {
    this.#records = records
  }

  /** Counts a call and takes its credits; resolves when both are on the disk. */
  record(call: Call): Promise<Charged> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      this.#working ??= this.#work()
    })
  }

  /** Resolves when every call so far is on the disk. */
  async drained(): Promise<void> {
    while (this.#working) await this.#working
  }

  async #work(): Promise<void> {
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMost)
      try {
        const charged = await this.#records.transaction((statements) =>
          chargeAll(
            statements,
            this.#records.kind,
            batch.map(({ call }) => call),
          ),
        )
        for (const [at, { resolve }] of batch.entries()) resolve(charged[at]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#working = undefined
  }
}

interface Waiting {
  readonly call: Call
  readonly resolve: (charged: Charged) => void
  readonly reject: (error: unknown) => void
}

async function chargeAll(
  statements: Statements,
  kind: Records['kind'],
  calls: readonly Call[],
): Promise<Charged[]> {
  const lock = kind === 'postgres' ? ' for update' : ''
  const credits = new Map<string, number>()
  const spent = new Map<string, number>()
  // Every process takes the rows in the same order, so that two of them never wait for each other.
  for (const id of [...new Set(calls.map(({ organizationId }) => organizationId))].sort()) {
    const [row] = await statements.all(`select credits from organizations where id = $1${lock}`, [id])
    credits.set(id, Number(row?.['credits'] ?? 0))
  }

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

  for (const [id, amount] of spent)
    if (amount > 0)
      await statements.run('update organizations set credits = credits - $1 where id = $2', [amount, id])
  for (const [id, at] of lastUses(calls))
    await statements.run(
      'update api_keys set last_used_at = $1 where id = $2 and (last_used_at is null or last_used_at < $3)',
      [at, id, at - lastUseEveryMs],
    )
  await statements.insert(
    'usage',
    ['organization_id', 'key_id', 'operation', 'status', 'credits', 'latency_us', 'at', 'day'],
    usage,
  )
  return charged
}

function lastUses(calls: readonly Call[]): [string, number][] {
  const latest = new Map<string, number>()
  for (const { keyId, at } of calls) if (keyId) latest.set(keyId, Math.max(at, latest.get(keyId) ?? 0))
  return [...latest].sort(([a], [b]) => (a < b ? -1 : 1))
}

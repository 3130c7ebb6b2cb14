import { sql } from 'kysely'
import type { Records } from '../records/records.ts'

export const usageGroupings = ['day', 'key', 'operation'] as const
export type UsageGrouping = (typeof usageGroupings)[number]

/** Calls and credits of a day, a key or an endpoint. */
export interface UsageLine {
  readonly name: string
  readonly calls: number
  readonly failures: number
  readonly credits: number
  readonly meanLatencyMs: number
}

const columns = { day: 'day', key: 'key_id', operation: 'operation' } as const

/** What an organisation used between two UTC days, both included, summed by day, key or endpoint. */
export async function usage(
  records: Records,
  organizationId: string,
  from: string,
  to: string,
  by: UsageGrouping,
): Promise<UsageLine[]> {
  const column = sql.ref(columns[by])
  const rows = await records.db
    .selectFrom('usage')
    .select([
      sql<string | null>`${column}`.as('name'),
      sql<number | string>`count(*)`.as('calls'),
      sql<number | string>`sum(case when status >= 400 then 1 else 0 end)`.as('failures'),
      sql<number | string>`sum(credits)`.as('credits'),
      sql<number | string>`sum(latency_us)`.as('latency_us'),
    ])
    .where('organization_id', '=', organizationId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(column)
    .orderBy(column)
    .execute()
  return rows.map((row) => ({
    name: row.name ?? '',
    calls: Number(row.calls),
    failures: Number(row.failures),
    credits: Number(row.credits),
    // PostgreSQL sums bigints as numeric, which arrives as text.
    meanLatencyMs: Math.round(Number(row.latency_us) / Number(row.calls)) / 1_000,
  }))
}

import { sql } from 'kysely'
import type { Records } from '../../src/records/records.ts'

/** What the books say of one organisation. */
export interface GateSums {
  readonly organizationId: string
  readonly granted: number
  readonly credits: number
  readonly charged: number
  readonly paidCalls: number
  /** Rows that took credits without an answer, or answered without taking any. */
  readonly oddRows: number
}

/** Adds up the books of every organisation. */
export async function gateSums({ db }: Pick<Records, 'db'>): Promise<GateSums[]> {
  const { rows } = await sql<Record<string, string | number>>`
    select o.id, o.credits,
      (select coalesce(sum(credits), 0) from credit_grants where organization_id = o.id) as granted,
      (select coalesce(sum(credits), 0) from usage where organization_id = o.id) as charged,
      (select count(*) from usage where organization_id = o.id and status = 200) as paid_calls,
      (select count(*) from usage where organization_id = o.id and (status = 200) <> (credits = 1)) as odd_rows
    from organizations o order by o.id`.execute(db)
  return rows.map((row) => ({
    organizationId: String(row['id']),
    granted: Number(row['granted']),
    credits: Number(row['credits']),
    charged: Number(row['charged']),
    paidCalls: Number(row['paid_calls']),
    oddRows: Number(row['odd_rows']),
  }))
}

/** What does not add up; empty when nothing was lost and nothing spent twice. */
export function bookErrors(sums: readonly GateSums[]): string[] {
  return sums.flatMap(({ organizationId, granted, credits, charged, paidCalls, oddRows }) => [
    ...(granted === credits + charged
      ? []
      : [`${organizationId}: granted ${granted}, left ${credits}, charged ${charged}`]),
    ...(charged === paidCalls ? [] : [`${organizationId}: ${paidCalls} paid calls took ${charged} credits`]),
    ...(oddRows === 0 ? [] : [`${organizationId}: ${oddRows} usage rows with the wrong price`]),
    ...(credits >= 0 ? [] : [`${organizationId}: ${credits} credits`]),
  ])
}

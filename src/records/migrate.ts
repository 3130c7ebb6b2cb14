import { sql, type Transaction } from 'kysely'
import { accounts } from './migrations/0001-accounts.ts'
import { oauth } from './migrations/0002-oauth.ts'
import { jobs } from './migrations/0003-jobs.ts'
import { reports } from './migrations/0004-reports.ts'
import { contracts } from './migrations/0005-contracts.ts'
import type { Migration } from './migration.ts'
import type { Records } from './records.ts'
import type { Tables } from './tables.ts'

/** All steps, in order. Append; never change one that was released. */
export const migrations: readonly Migration[] = [accounts, oauth, jobs, reports, contracts]

// Any number will do, as long as every process of ours uses the same one.
const advisoryLock = 7_218_366

/** Runs the steps that are missing, all or none, while every other process waits. Returns their names. */
export async function migrate(records: Records, steps: readonly Migration[] = migrations): Promise<string[]> {
  return records.db.transaction().execute(async (db) => {
    if (records.kind === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(db)
    const done = await stepsDone(db)
    const unknown = done.filter((name) => !steps.some((step) => step.name === name))
    if (unknown.length > 0)
      throw new Error(
        `The database is newer than this program: it holds ${unknown.join(', ')}. Start the newer release.`,
      )
    const missing = steps.filter((step) => !done.includes(step.name))
    for (const step of missing) {
      await step.up(db, records.kind)
      await sql`insert into migrations (name, applied_at) values (${step.name}, ${Date.now()})`.execute(db)
    }
    return missing.map(({ name }) => name)
  })
}

async function stepsDone(db: Transaction<Tables>): Promise<string[]> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

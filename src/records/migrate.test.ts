import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshOpenings, freshRecords } from '../../test/support/records.ts'
import { freshStore, testDatabaseUrl } from '../../test/support/service.ts'
import { migrate, migrations } from './migrate.ts'
import type { Migration } from './migration.ts'
import type { Records } from './records.ts'

const step = (name: string, text: string): Migration => ({
  name,
  async up(db) {
    await sql.raw(text).execute(db)
  },
})

const applied = async ({ db }: Records) =>
  (await sql<{ name: string }>`select name from migrations order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

describe('migrate', () => {
  it('brings an empty store up to date, and has nothing to do the second time', async () => {
    const records = await freshRecords()
    expect(await applied(records)).toEqual(migrations.map(({ name }) => name))
    expect(await migrate(records)).toEqual([])
    expect(await records.db.selectFrom('organizations').selectAll().execute()).toEqual([])
  })

  it('runs only the steps that are missing, in order', async () => {
    const records = await freshRecords()
    const more = [
      ...migrations,
      step('0900-a', 'create table a (n integer)'),
      step('0901-b', 'alter table a add column m integer'),
    ]
    expect(await migrate(records, more)).toEqual(['0900-a', '0901-b'])
    expect(await migrate(records, more)).toEqual([])
  })

  it('refuses a database that is newer than the program, and says which step it does not know', async () => {
    const records = await freshRecords()
    const newer = [...migrations, step('0900-later', 'create table later (n integer)')]
    await migrate(records, newer)
    await expect(migrate(records)).rejects.toThrow(
      'The database is newer than this program: it holds 0900-later. Start the newer release.',
    )
  })

  it('leaves nothing half done when a step fails', async () => {
    const records = await freshRecords()
    const broken = [
      ...migrations,
      step('0900-good', 'create table good (n integer)'),
      step('0901-bad', 'create table bad (n integer references'),
    ]
    await expect(migrate(records, broken)).rejects.toThrow()
    expect(await applied(records)).toEqual(migrations.map(({ name }) => name))
    await expect(sql`select * from good`.execute(records.db)).rejects.toThrow()
    expect(await migrate(records, broken.slice(0, -1))).toEqual(['0900-good'])
  })

  it('runs each step once when several openings of one store start at the same time', async () => {
    const openings = await freshOpenings(testDatabaseUrl ? 3 : 1)
    const once = [...migrations, step('0900-once', 'create table once_only (n integer)')]
    const ran = await Promise.all([...openings, ...openings].map((records) => migrate(records, once)))
    expect(ran.flat()).toEqual(['0900-once'])
  })

  it('lets several processes start on one empty store', async () => {
    const store = await freshStore()
    const program = join(import.meta.dirname, '..', '..', 'bin', 'ratebook.js')
    const outputs = await Promise.all(
      Array.from({ length: 5 }, () =>
        promisify(execFile)(process.execPath, [program, 'migrate'], { env: { ...process.env, ...store } }),
      ),
    )
    const says = outputs.map(({ stdout }) => stdout.trim()).sort()
    expect(says.filter((line) => line.startsWith('Applied'))).toEqual([
      `Applied ${migrations.map(({ name }) => name).join(', ')}.`,
    ])
    expect(says.filter((line) => line === 'The records store is up to date.')).toHaveLength(4)
  })
})

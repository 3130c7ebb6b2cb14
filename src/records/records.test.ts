import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshOpenings, freshRecords } from '../../test/support/records.ts'
import { testDatabaseUrl } from '../../test/support/service.ts'
import type { Records } from './records.ts'

const organization = (id: string, credits = 0) =>
  [id, `Clinic ${id}`, credits, Date.parse('2026-06-01')] as const
const columns = ['id', 'name', 'credits', 'created_at']
const names = async (records: Records) =>
  (await records.read('select id from organizations order by id', [])).map(({ id }) => id)

describe('a row store', () => {
  it('keeps a whole transaction, and gives numbers back as numbers', async () => {
    const records = await freshRecords()
    await records.transaction(async (statements) => {
      await statements.insert('organizations', columns, [organization('a', 2 ** 40), organization('b')])
      await statements.run('update organizations set credits = credits + $1 where id = $2', [5, 'b'])
    })
    expect(await records.read('select id, credits from organizations order by id', [])).toMatchObject([
      { id: 'a', credits: 2 ** 40 },
      { id: 'b', credits: 5 },
    ])
  })

  it('keeps nothing of a transaction that fails, tells why, and goes on', async () => {
    const records = await freshRecords()
    const failing = records.transaction(async (statements) => {
      await statements.insert('organizations', columns, [organization('a')])
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await names(records)).toEqual([])
    await records.transaction(async (statements) =>
      statements.insert('organizations', columns, [organization('b')]),
    )
    expect(await names(records)).toEqual(['b'])
  })

  it('refuses credits below zero and rows that belong to nobody', async () => {
    const records = await freshRecords()
    const insert = (
      row: readonly (string | number)[],
      table: 'organizations' | 'memberships',
      into: string[],
    ) => records.transaction(async (statements) => statements.insert(table, into, [row]))
    await expect(insert(organization('a', -1), 'organizations', columns)).rejects.toThrow(/check/i)
    await expect(
      insert(['nobody', 'nothing', 'admin', 0], 'memberships', [
        'user_id',
        'organization_id',
        'role',
        'created_at',
      ]),
    ).rejects.toThrow(/foreign key/i)
  })

  it('inserts more rows at once than one statement takes', async () => {
    const records = await freshRecords()
    const rows = Array.from({ length: 1_234 }, (_, at) => organization(String(at).padStart(4, '0')))
    await records.transaction(async (statements) => statements.insert('organizations', columns, rows))
    expect(await names(records)).toHaveLength(1_234)
  })

  it('never reads what is not committed', async () => {
    const records = await freshRecords()
    await records.transaction(async (statements) => {
      await statements.insert('organizations', columns, [organization('a')])
      expect(await names(records)).toEqual([])
    })
    expect(await names(records)).toEqual(['a'])
  })

  it('keeps transactions apart that run at the same time, through either face', async () => {
    const openings = await freshOpenings(testDatabaseUrl ? 2 : 1)
    await openings[0]!.transaction(async (statements) =>
      statements.insert('organizations', columns, [organization('a')]),
    )
    const lock = openings[0]!.kind === 'postgres' ? ' for update' : ''
    // Reads, waits for nothing but other promises, then writes what it read plus one: lost updates would show.
    const addOne = (records: Records) =>
      records.transaction(async (statements) => {
        const [row] = await statements.all(`select credits from organizations where id = $1${lock}`, ['a'])
        await Promise.resolve()
        await statements.run('update organizations set credits = $1 where id = $2', [
          Number(row!['credits']) + 1,
          'a',
        ])
      })
    const addOneThere = ({ db }: Records) =>
      db
        .updateTable('organizations')
        .set((column) => ({ credits: column('credits', '+', 1) }))
        .where('id', '=', 'a')
        .execute()
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 4 === 3 ? addOneThere : addOne)(openings[at % openings.length]!),
      ),
    )
    expect(await openings.at(-1)!.read('select credits from organizations', [])).toMatchObject([
      { credits: 40 },
    ])
  })

  it('outlives a database that drops connections in use', async ({ skip }) => {
    const [records, other] = await freshOpenings(2)
    if (records!.kind !== 'postgres') skip('only a database elsewhere can drop a connection')
    const dropped = records!.transaction(async (statements) => {
      const [{ pid } = { pid: 0 }] = await statements.all('select pg_backend_pid() as pid', [])
      await sql`select pg_terminate_backend(${pid})`.execute(other!.db)
      await sleep(200)
      await statements.run('select 1', [])
    })
    await expect(dropped).rejects.toThrow()
    expect(await names(records!)).toEqual([])
  })
})

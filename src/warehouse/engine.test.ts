import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/published.ts'
import { Failure } from '../errors.ts'
import {
  flag,
  float,
  i16,
  i32,
  i64,
  missing,
  openEngine,
  text,
  texts,
  u16,
  u32,
  u64,
  u64s,
  u8,
  type Engine,
  type EngineSettings,
} from './engine.ts'

const opened: Engine[] = []
const open = async (path = ':memory:', settings?: EngineSettings) => {
  const engine = await openEngine(path, settings)
  opened.push(engine)
  return engine
}
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

const endless =
  'select count(*) as n from range(1000000000) as a (x), range(1000000) as b (y) where x * y % 7 = 3'

describe('the engine', () => {
  it('binds every kind of value with the type of the column it meets', async () => {
    const engine = await open()
    const kinds = [
      [u8(200), 'utinyint', 200],
      [u16(60_000), 'usmallint', 60_000],
      [u32(4_000_000_000), 'uinteger', 4_000_000_000],
      [u64(2n ** 63n), 'ubigint', 2n ** 63n],
      [i16(-5), 'smallint', -5],
      [i32(-70_000), 'integer', -70_000],
      [i64(-5), 'bigint', -5n],
      [float(0.25), 'double', 0.25],
      [flag(true), 'boolean', true],
      [text("O'Hara; drop table x"), 'varchar', "O'Hara; drop table x"],
    ] as const
    for (const [value, type, expected] of kinds) {
      const [row] = await engine.rows<{ type: string; value: unknown }>(
        'select typeof($1) as type, $1 as value',
        [value],
      )
      expect(row).toEqual({ type: type.toUpperCase(), value: expected })
    }
    for (const kind of ['text', 'number', 'date'] as const)
      expect(await engine.rows('select $1 as value', [missing(kind)])).toEqual([{ value: null }])
    expect(
      await engine.rows('select x from range(5) as t (x) where list_contains($1, x::ubigint) order by x', [
        u64s([1, 3n, 9]),
      ]),
    ).toEqual([{ x: 1n }, { x: 3n }])
    expect(await engine.rows('select len($1) as n, $1[2] as second', [texts(['a', "b'"])])).toEqual([
      { n: 2n, second: "b'" },
    ])
  })

  it('streams a large result in pieces, every row once and in order', async () => {
    const engine = await open()
    let expected = 0n
    let pieces = 0
    for await (const [column = []] of engine.columns('select x from range(100000) as t (x) order by x')) {
      pieces++
      expect(column[0]).toBe(expected)
      expect(column.every((value) => value === expected++)).toBe(true)
    }
    expect(expected).toBe(100_000n)
    expect(pieces).toBeGreaterThan(10)
  })

  it('gives the same answer with one thread and with several, and in little memory', async () => {
    const sql =
      'select x % 97 as k, count(*) as n, sum(x)::bigint as s from range(300000) as t (x) group by k order by k'
    const answers = await Promise.all(
      [{ threads: 1 }, { threads: 4 }, { threads: 2, memoryLimit: '64MB' }].map(async (settings) =>
        (await open(':memory:', settings)).rows(sql),
      ),
    )
    expect(answers[0]).toHaveLength(97)
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('stops the running query, not only the wait for it, and leaves the others alone', async () => {
    const engine = await open(':memory:', { threads: 2 })
    const stop = new AbortController()
    const stopped = engine.rows(endless, [], { signal: stop.signal })
    const other = engine.rows('select 1 as one')
    setTimeout(() => stop.abort(new Failure('request_timeout', 'The client left.')), 30)
    await expect(stopped).rejects.toMatchObject({ code: 'request_timeout' })
    expect(await other).toEqual([{ one: 1 }])
    // The threads are free again: a computation would have them busy for years.
    const busy = process.cpuUsage()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const { user, system } = process.cpuUsage(busy)
    expect((user + system) / 1_000).toBeLessThan(250)
    expect(await engine.rows('select 2 as two')).toEqual([{ two: 2 }])
  })

  it('says that time is up where the signal does not say why', async () => {
    const engine = await open()
    await expect(engine.rows(endless, [], { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
      code: 'query_timeout',
    })
    const never = AbortSignal.abort(new Failure('answer_timeout'))
    await expect(engine.rows('select 1', [], { signal: never })).rejects.toMatchObject({
      code: 'answer_timeout',
    })
  })

  it('goes on after a statement that is wrong', async () => {
    const engine = await open()
    await expect(engine.rows('select nothing from nowhere')).rejects.toThrow(/nowhere/)
    await expect(engine.rows('select $1', [text('a'), text('b')])).rejects.toThrow()
    expect(await engine.rows('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('writes nothing to a database that it opened for reading', async () => {
    const folder = temporaryFolder('engine')
    try {
      const path = join(folder, 'some.duckdb')
      const writer = await openEngine(path)
      await writer.run('create table words as select * from (values (1), (2)) as t (x)')
      await writer.close()
      const reader = await open(path, { readOnly: true })
      await expect(reader.run('insert into words values (3)')).rejects.toThrow(/read-only/i)
      expect(await reader.rows('select count(*) as n from words')).toEqual([{ n: 2n }])
      const second = await open(path, { readOnly: true })
      expect(await second.rows('select sum(x)::integer as s from words')).toEqual([{ s: 3 }])
    } finally {
      for (const engine of opened.splice(0)) await engine.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

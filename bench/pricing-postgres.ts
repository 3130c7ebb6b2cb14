import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Pool, types } from 'pg'
import { openEngine } from '../src/warehouse/engine.ts'
import { made, type Made } from './pricing-made.ts'
import type { Peer } from './pricing-peer.ts'
import { marketSql, providerSql } from './pricing-sql.ts'

const bigintType = 20

/**
 * The flat entries in PostgreSQL (at RATEBOOK_TEST_DATABASE_URL, see scripts/postgres.sh), in code order, with an index for
 * each kind of question. Its time includes the flattening.
 */
export async function postgresPeer(database: string, folder: string, native: Made): Promise<Peer> {
  const url = process.env['RATEBOOK_TEST_DATABASE_URL']
  if (!url) throw new Error('Start PostgreSQL first: scripts/postgres.sh run node bench/pricing.ts …')
  types.setTypeParser(bigintType, Number)
  const pool = new Pool({ connectionString: url, options: '-c work_mem=512MB -c maintenance_work_mem=1GB' })
  pool.on('error', (error) => console.error(error))
  const { rows: known } = await pool.query<{ is: boolean }>("select to_regclass('flat') is not null as is")
  const facts = join(folder, 'postgres.json')
  if (!known[0]!.is) rmSync(facts, { force: true })
  const loaded = await made(facts, () => load(pool, url, database, folder))
  return {
    name: 'flat PostgreSQL',
    seconds: native.seconds + loaded.seconds,
    bytes: loaded.bytes,
    async market(question) {
      const groups = question.request.groupBy?.length ?? 0
      const answer = await pool.query<Record<string, unknown>>(marketSql(question, 'flat', 'postgres'))
      return answer.rows.flatMap((row) => Object.values(row).slice(groups).map(Number))
    },
    async provider(question) {
      return (await pool.query(providerSql(question, 'flat'))).rows.length
    },
    close: () => pool.end(),
  }
}

async function load(pool: Pool, url: string, database: string, folder: string): Promise<Made> {
  const csv = join(folder, 'flat.csv')
  const engine = await openEngine(database, { readOnly: true })
  await engine.run(`copy (from flat) to '${csv}' (header false)`)
  await engine.close()
  const started = performance.now()
  await pool.query(`create unlogged table flat (code text, payer text, state text, taxonomy text, npi bigint, tin integer,
    billing_class text, negotiated_type text, service_codes text, modifiers text, rate numeric(18,4))`)
  const psql = spawn('psql', [url, '-qc', 'copy flat from stdin with (format csv)'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const exit = once(psql, 'exit')
  await pipeline(createReadStream(csv), psql.stdin)
  const [status] = (await exit) as [number]
  if (status !== 0) throw new Error(`psql ended with ${status}`)
  rmSync(csv)
  await pool.query('create index on flat (code, payer, state, taxonomy) include (rate, npi, negotiated_type)')
  await pool.query('create index on flat (npi, code)')
  await pool.query('vacuum analyze flat')
  const { rows } = await pool.query<{ bytes: number }>("select pg_total_relation_size('flat') as bytes")
  return { seconds: (performance.now() - started) / 1_000, bytes: rows[0]!.bytes }
}

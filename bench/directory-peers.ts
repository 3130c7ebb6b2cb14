import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { folded } from '../src/search/words.ts'
import { population } from './directory-corpus.ts'

/** Something else that finds providers by name: names of the first ten, best first. */
export interface Peer {
  readonly name: string
  /** How long it took to make ready. */
  readonly buildSeconds: number
  search(text: string, states: readonly string[] | undefined): Promise<{ npi: number; name: string }[]>
  close(): Promise<void>
}

/** SQLite's full-text index as it comes: all words, ranked by bm25; no slips, no spacing, no abbreviations. */
export function plainFts(folder: string, size: number, seed: number): Peer {
  const start = performance.now()
  const path = join(folder, 'plain-fts.sqlite')
  rmSync(path, { force: true })
  const db = new DatabaseSync(path)
  db.exec(`pragma journal_mode = off; pragma synchronous = off;
    create virtual table providers using fts5(name, other, npi, state unindexed, prefix = '2 3'); begin`)
  const insert = db.prepare('insert into providers values (?, ?, ?, ?)')
  for (const { name, others, npi, state } of population(size, seed))
    insert.run(name, others.join(' '), String(npi), state)
  db.exec('commit')
  const find = db.prepare(
    'select npi, name from providers where providers match ? and (? is null or state = ?) order by rank limit 10',
  )
  return {
    name: 'SQLite FTS5 with bm25',
    buildSeconds: (performance.now() - start) / 1_000,
    async search(text, states) {
      const typed = folded(text).split(' ')
      const asked = typed.map((word, at) => (at === typed.length - 1 ? `"${word}"*` : `"${word}"`)).join(' ')
      const state = states?.[0] ?? null
      return find
        .all(asked, state, state)
        .map((row) => ({ npi: Number(row['npi']), name: String(row['name']) }))
    },
    async close() {
      db.close()
      rmSync(path, { force: true })
    },
  }
}

/** PostgreSQL with pg_trgm, in a cluster of its own on loopback; undefined where PostgreSQL is not installed. */
export async function trigrams(folder: string, size: number, seed: number): Promise<Peer | undefined> {
  const cluster = join(folder, 'postgres')
  const script = join(import.meta.dirname, '../scripts/postgres.sh')
  rmSync(cluster, { recursive: true, force: true })
  const started = spawnSync(script, ['start', cluster], { encoding: 'utf8' })
  if (started.status !== 0) {
    console.log(`PostgreSQL is left out: ${started.stderr.trim()}`)
    return undefined
  }
  const client = new Client(started.stdout.trim())
  await client.connect()
  // As a careful user would set it: memory for building the index, and an index that fits the cache.
  await client.query("set maintenance_work_mem = '512MB'")
  const start = performance.now()
  await client.query('create extension pg_trgm')
  await client.query('create table providers(npi bigint, name text, state text, payers int)')
  let rows: [number[], string[], string[], number[]] = [[], [], [], []]
  const flush = async () => {
    await client.query(
      'insert into providers select * from unnest($1::bigint[], $2::text[], $3::text[], $4::int[])',
      rows,
    )
    rows = [[], [], [], []]
  }
  for (const { npi, name, state, payers } of population(size, seed)) {
    rows[0].push(npi)
    rows[1].push(folded(name))
    rows[2].push(state)
    rows[3].push(payers.length)
    if (rows[0].length === 20_000) await flush()
  }
  await flush()
  await client.query('create index on providers using gin (name gin_trgm_ops)')
  await client.query('analyze providers')
  return {
    name: 'PostgreSQL pg_trgm',
    buildSeconds: (performance.now() - start) / 1_000,
    async search(text, states) {
      const found = await client.query<{ npi: string; name: string }>(
        `select npi, name from providers where name % $1 and ($2::text is null or state = $2)
         order by similarity(name, $1) desc, payers desc, npi limit 10`,
        [folded(text), states?.[0] ?? null],
      )
      return found.rows.map(({ npi, name }) => ({ npi: Number(npi), name }))
    },
    async close() {
      await client.end()
      spawnSync(script, ['stop', cluster])
    },
  }
}

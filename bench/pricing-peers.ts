import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine, type Engine } from '../src/warehouse/engine.ts'
import { exportFlat } from './pricing-flat.ts'
import { made, type Made } from './pricing-made.ts'
import type { Peer, PeerData } from './pricing-peer.ts'
import { postgresPeer } from './pricing-postgres.ts'
import { marketSql, providerSql } from './pricing-sql.ts'

/** Makes, or opens again, the peers asked for by name, all from one flat export of our own entries. */
export async function makePeers(names: readonly string[], data: PeerData): Promise<Peer[]> {
  if (names.length === 0) return []
  const { folder } = data
  const database = join(folder, 'flat.duckdb')
  const native = await made(join(folder, 'flat.duckdb.json'), async () => {
    rmSync(database, { force: true })
    const started = performance.now()
    const engine = await openEngine(database, { memoryLimit: '6GB' })
    await exportFlat(engine, data)
    await engine.run('checkpoint')
    await engine.close()
    return { seconds: (performance.now() - started) / 1_000, bytes: statSync(database).size }
  })
  const peers: Peer[] = []
  if (names.includes('duckdb'))
    peers.push(sqlPeer('flat native DuckDB', await openEngine(database, { readOnly: true }), 'flat', native))
  if (names.includes('parquet')) {
    const file = join(folder, 'flat.parquet')
    const parquet = await made(join(folder, 'flat.parquet.json'), async () => {
      const started = performance.now()
      const engine = await openEngine(database, { readOnly: true, memoryLimit: '6GB' })
      await engine.run(
        `copy (from flat) to '${file}' (format parquet, compression zstd, row_group_size 122880)`,
      )
      await engine.close()
      return {
        seconds: native.seconds + (performance.now() - started) / 1_000,
        bytes: statSync(file).size,
      }
    })
    peers.push(sqlPeer('flat Parquet (DuckDB)', await openEngine(':memory:'), `'${file}'`, parquet))
  }
  if (names.includes('postgres')) peers.push(await postgresPeer(database, folder, native))
  return peers
}

function sqlPeer(name: string, engine: Engine, table: string, facts: Made): Peer {
  return {
    ...facts,
    name,
    async market(question) {
      const groups = question.request.groupBy?.length ?? 0
      const rows = await engine.rows(marketSql(question, table))
      return rows.flatMap((row) => Object.values(row).slice(groups).map(Number))
    },
    async provider(question) {
      return (await engine.rows(providerSql(question, table))).length
    },
    close: () => engine.close(),
  }
}

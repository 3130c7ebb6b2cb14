import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine, type Engine } from '../src/warehouse/engine.ts'
import type { ProviderAttributes } from '../src/warehouse/provider-attributes.ts'
import type { Snapshot } from '../src/warehouse/rates.ts'
import type { Scale } from './pricing-data.ts'
import { exportFlat } from './pricing-flat.ts'
import type { MarketQuestion, ProviderQuestion } from './pricing-questions.ts'

/** Another way to keep and ask the same data, set up as a careful user would. */
export interface Peer {
  readonly name: string
  readonly seconds: number
  readonly bytes: number
  /** Values of the answer in our row order. */
  market(question: MarketQuestion): Promise<number[]>
  /** How many rows the answer has. */
  provider(question: ProviderQuestion): Promise<number>
  close(): Promise<void>
}

export interface PeerData {
  readonly folder: string
  readonly snapshot: Snapshot
  readonly scale: Scale
  readonly attributes: ProviderAttributes
}

const quoted = (texts: readonly (string | number)[]) =>
  texts.map((text) => (typeof text === 'number' ? text : `'${text}'`)).join()

const expressions: Record<string, string> = {
  avg_rate: 'avg(rate)',
  median_rate: 'quantile_cont(rate, 0.5)',
  min_rate: 'min(rate)',
  max_rate: 'max(rate)',
  percentile_25: 'quantile_cont(rate, 0.25)',
  percentile_75: 'quantile_cont(rate, 0.75)',
  num_entries: 'count(*)',
  num_distinct_npis: 'count(distinct npi)',
}
const fields: Record<string, string> = { payer: 'payer', billingCode: 'code', billingClass: 'billing_class' }

/** The question over a flat table of entries, one row each. ClickHouse writes its quantiles differently. */
export function marketSql(
  { request }: MarketQuestion,
  table: string,
  dialect: 'duckdb' | 'clickhouse',
): string {
  const { filters, metrics, groupBy = [] } = request
  const columns = groupBy.map((field) => fields[field]!)
  const statistics = metrics.aggregations.map((name) => {
    const expression = expressions[name]!
    return dialect === 'clickhouse'
      ? expression
          .replace(/quantile_cont\(rate, ([\d.]+)\)/, 'quantileExactInclusive($1)(rate)')
          .replace('count(distinct npi)', 'uniqExact(npi)')
      : expression
  })
  return `select ${[...columns, ...statistics].join(', ')} from ${table}
    where code in (${quoted(filters.billingCodeAndTypes.map(({ code }) => code))}) and payer in (${quoted(filters.payers)})
      and state in (${quoted(filters.states)}) and taxonomy in (${quoted(filters.taxonomyCodes)})
      and negotiated_type in ('negotiated', 'fee schedule', 'derived')
    group by ${columns.join()} order by ${columns.join()}`
}

export function providerSql({ request }: ProviderQuestion, table: string): string {
  const { providers, billingCodeAndTypes, payers } = request
  return `select distinct npi, payer, code, billing_class, rate from ${table}
    where code in (${quoted(billingCodeAndTypes.map(({ code }) => code))}) and payer in (${quoted(payers)}) and npi in (${quoted(providers.npis!)})
    order by all`
}

/** Makes the peers asked for by name, all from one flat export of our own entries. */
export async function makePeers(names: readonly string[], data: PeerData): Promise<Peer[]> {
  if (names.length === 0) return []
  const database = join(data.folder, 'flat.duckdb')
  rmSync(database, { force: true })
  const started = performance.now()
  const engine = await openEngine(database, { memoryLimit: '8GB' })
  await exportFlat(engine, data)
  const seconds = (performance.now() - started) / 1_000
  await engine.run('checkpoint')
  const peers: Peer[] = []
  if (names.includes('parquet')) {
    const file = join(data.folder, 'flat.parquet')
    const since = performance.now()
    await engine.run(
      `copy (from flat) to '${file}' (format parquet, compression zstd, row_group_size 122880)`,
    )
    const own = await openEngine(':memory:')
    const more = (performance.now() - since) / 1_000
    peers.push(sqlPeer('flat Parquet (DuckDB)', own, `'${file}'`, seconds + more, statSync(file).size))
  }
  if (names.includes('duckdb')) {
    await engine.close()
    const own = await openEngine(database, { readOnly: true })
    peers.unshift(sqlPeer('flat native DuckDB', own, 'flat', seconds, sizeOf(database)))
  } else await engine.close()
  return peers
}

export const sizeOf = (path: string): number => {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  return stat.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : stat.size
}

function sqlPeer(name: string, engine: Engine, table: string, seconds: number, bytes: number): Peer {
  return {
    name,
    seconds,
    bytes,
    async market(question) {
      const groups = question.request.groupBy?.length ?? 0
      const rows = await engine.rows(marketSql(question, table, 'duckdb'))
      return rows.flatMap((row) => Object.values(row).slice(groups).map(Number))
    },
    async provider(question) {
      return (await engine.rows(providerSql(question, table))).length
    },
    close: () => engine.close(),
  }
}

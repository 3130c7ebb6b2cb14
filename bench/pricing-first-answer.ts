import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { benchmarks, type BenchmarksRequest } from '../src/pricing/benchmarks.ts'
import { openEngine } from '../src/warehouse/engine.ts'
import { ProviderAttributes } from '../src/warehouse/provider-attributes.ts'
import { openRates } from '../src/warehouse/rates.ts'
import { generatedFile } from './ingest-files.ts'
import { states, taxonomies } from './pricing-data.ts'

/**
 * The time from a payer's file to the first benchmark: `ratebook ingest` and a question, against DuckDB as a careful user would
 * set it up: read_json with the columns named, every entry once, joined to the directory, sorted, written to Parquet, asked.
 * node bench/pricing-first-answer.ts [--megabytes 4] [--folder /tmp/bench]
 */
const { values: given } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '4' },
    folder: { type: 'string', default: '/tmp/ratebook-bench/first-answer' },
  },
})
const { folder } = given
mkdirSync(folder, { recursive: true })
const file = join(folder, `payer-${given.megabytes}.json.gz`)
const bytes = Number(given.megabytes) * 1e6
await generatedFile(file, 'references', bytes, bytes)

interface PayerFile {
  readonly provider_references: readonly { readonly provider_groups: readonly { readonly npi: number[] }[] }[]
}
const text = gunzipSync(readFileSync(file))
const { provider_references: references } = JSON.parse(text.toString()) as PayerFile
const npis = [
  ...new Set(references.flatMap(({ provider_groups: groups }) => groups.flatMap(({ npi }) => npi))),
].sort((a, b) => a - b)
const stateOf = (npi: number) => states[npi % states.length]!
const taxonomyOf = (npi: number) => taxonomies[npi % taxonomies.length]!
const attributes = new ProviderAttributes('bench')
for (const npi of npis)
  attributes.add({
    npi,
    state: stateOf(npi),
    taxonomy: taxonomyOf(npi),
    entityType: 'individual',
    zip: '33101',
  })

const code = '10007'
const asked = { states: states.slice(3, 9), taxonomyCodes: taxonomies.slice(0, 50) }
const request: BenchmarksRequest = {
  filters: {
    states: asked.states as BenchmarksRequest['filters']['states'],
    taxonomyCodes: asked.taxonomyCodes,
    payers: ['Aetna'],
    billingCodeAndTypes: [{ type: 'CPT', code }],
  },
  metrics: { aggregations: ['num_entries', 'median_rate', 'num_distinct_npis'] },
  groupBy: ['billingClass'],
}
const seconds = (since: number) => (performance.now() - since) / 1_000

const data = join(folder, 'data')
rmSync(data, { recursive: true, force: true })
let since = performance.now()
execFileSync(
  process.execPath,
  [
    join(import.meta.dirname, '..', 'bin', 'ratebook.js'),
    'ingest',
    file,
    '--payer',
    'Aetna',
    '--month',
    '2026-05',
  ],
  { env: { ...process.env, RATEBOOK_DATA: data }, stdio: ['ignore', 'ignore', 'inherit'] },
)
const ingested = seconds(since)
const rates = openRates(join(data, 'rates'))
const snapshot = await rates.current()
const ours = (await benchmarks({ snapshot, attributes }, request)).map(({ value }) => value)
const oursSeconds = seconds(since)
const [build] = snapshot.builds
const { entries, prices } = build!.summary.counts
rates.close()

const parquet = join(folder, 'flat.parquet')
const database = join(folder, 'peer.duckdb')
for (const old of [parquet, database]) rmSync(old, { force: true })
const engine = await openEngine(database, { memoryLimit: '6GB' })
const words = (list: readonly string[]) => `[${list.map((word) => `'${word}'`).join()}]`
await engine.run(`create table providers as
  select npi, ${words(states)}[1 + npi % ${states.length}] as state, ${words(taxonomies)}[1 + npi % ${taxonomies.length}] as taxonomy
  from (select unnest([${npis.join()}]) as npi)`)
since = performance.now()
await engine.run(`create table doc as select * from read_json('${file}', maximum_object_size = ${text.length + 1_000}, columns = {
  provider_references: 'STRUCT(provider_group_id BIGINT, provider_groups STRUCT(npi BIGINT[], tin STRUCT("type" VARCHAR, "value" VARCHAR))[])[]',
  in_network: 'STRUCT(billing_code_type VARCHAR, billing_code VARCHAR, negotiated_rates STRUCT(provider_references BIGINT[], negotiated_prices STRUCT(negotiated_type VARCHAR, negotiated_rate DECIMAL(18,4), service_code VARCHAR[], billing_class VARCHAR, setting VARCHAR, billing_code_modifier VARCHAR[])[])[])[]'})`)
const read = seconds(since)
await engine.run(`create table members as
  select id, g.tin.value as tin, unnest(g.npi) as npi
  from (select r.provider_group_id as id, unnest(r.provider_groups) as g from (select unnest(provider_references) as r from doc))`)
await engine.run(`create table prices as
  select type, code, p.negotiated_type, p.negotiated_rate, p.billing_class, p.setting, refs,
    array_to_string(p.service_code, ' ') as service_code, array_to_string(p.billing_code_modifier, ' ') as billing_code_modifier
  from (select type, code, n.provider_references as refs, unnest(n.negotiated_prices) as p from (select i.billing_code_type as type, i.billing_code as code, unnest(i.negotiated_rates) as n from (select unnest(in_network) as i from doc)))`)
// Slices of codes, because a distinct over all entries at once does not fit into memory.
await engine.run(`create table flat (type varchar, code varchar, state varchar, taxonomy varchar, npi bigint, tin varchar,
  billing_class varchar, setting varchar, negotiated_type varchar, service_code varchar, billing_code_modifier varchar, rate decimal(18,4))`)
for (const last of ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  await engine.run(`insert into flat
    select distinct type, code, state, taxonomy, npi, tin, billing_class, setting, negotiated_type, service_code, billing_code_modifier, negotiated_rate
    from (select *, unnest(refs) as id from prices where code[-1] = '${last}') join members using (id) join providers using (npi)`)
await engine.run(
  `copy (from flat order by code, state, taxonomy) to '${parquet}' (format parquet, compression zstd)`,
)
await engine.close()
const asker = await openEngine(':memory:')
const quoted = (list: readonly string[]) => list.map((word) => `'${word}'`).join()
const rows =
  await asker.rows(`select count(*) as n, quantile_cont(rate, 0.5) as median, count(distinct npi) as npis from '${parquet}'
  where code = '${code}' and state in (${quoted(asked.states)}) and taxonomy in (${quoted(asked.taxonomyCodes)})
    and negotiated_type in ('negotiated', 'fee schedule', 'derived')
  group by billing_class order by billing_class`)
const theirs = rows.flatMap((row) => Object.values(row).map(Number))
const theirSeconds = seconds(since)
await asker.close()
const agrees =
  theirs.length === ours.length && theirs.every((value, at) => Math.abs(value - ours[at]!) < 0.01)
console.log(
  `${given.megabytes} MB of JSON (${(statSync(file).size / 1e6).toFixed(1)} MB gzipped), ${prices} prices, ${entries} entries; the answers ${agrees ? 'agree' : `DIFFER: ${ours.join()} and ${theirs.join()}`}`,
)
console.log(
  `ours: ${oursSeconds.toFixed(1)} s to the first answer, of which ingesting ${ingested.toFixed(1)} s`,
)
console.log(
  `DuckDB: ${theirSeconds.toFixed(1)} s to the first answer, of which reading the JSON ${read.toFixed(1)} s; ${(theirSeconds / oursSeconds).toFixed(1)} times ours; Parquet ${(statSync(parquet).size / build!.summary.bytes).toFixed(1)} times our size`,
)

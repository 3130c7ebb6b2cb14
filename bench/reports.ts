import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createOrganization } from '../src/accounts/organizations.ts'
import { Failure } from '../src/errors.ts'
import { JobWorker } from '../src/jobs/worker.ts'
import { SavedContractModelConfig } from '../src/operations/contract-model.ts'
import type { ReportQuery } from '../src/operations/report-query.ts'
import { Pricing } from '../src/pricing/pricing.ts'
import { openSqlite } from '../src/records/sqlite.ts'
import { migrate } from '../src/records/migrate.ts'
import type { ReportCall } from '../src/reports/report-call.ts'
import { Reports } from '../src/reports/reports.ts'
import type { SourceMonth } from '../src/vocabulary/period.ts'
import { buildMonth, type BuiltMonth } from '../src/warehouse/build-month.ts'
import { publishBuilds } from '../src/warehouse/manifest.ts'
import { openRates } from '../src/warehouse/rates.ts'
import { codeText, directoryOf, payerNames, states, writePayerStage, type Scale } from './pricing-data.ts'

/**
 * Builds reports of growing size over generated rates and looks at them from every side: time, memory, and how long the event loop was held up.
 * node bench/reports.ts [--rows 500000,5000000] [--folder /tmp/bench] [--prepare]
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '500000,5000000' },
    folder: { type: 'string', default: '/tmp/ratebook-bench-reports' },
    rounds: { type: 'string', default: '7' },
    prepare: { type: 'boolean', default: false },
  },
})
const scale: Scale = { prices: 500_000, setSize: 20, providers: 300_000, payers: 5, codes: 500 }
const rates = join(given.folder, 'rates')
const payers = payerNames(scale.payers)

if (!existsSync(join(rates, 'manifest.json'))) {
  mkdirSync(rates, { recursive: true })
  const builds: BuiltMonth[] = []
  for (const [index, payer] of payers.entries()) {
    const stage = join(given.folder, 'stage')
    writePayerStage(stage, scale, index)
    const sources = [{ stage, digest: `payer ${index}`, plans: ['PPO', 'HMO'], networks: ['Choice'] }]
    builds.push(await buildMonth({ payer, month: 202605 as SourceMonth, sources, ratesFolder: rates }))
    rmSync(stage, { recursive: true, force: true })
  }
  await publishBuilds(rates, builds)
  const entries = builds.reduce((sum, { counts }) => sum + counts.entries, 0)
  console.log(`${entries} entries of ${scale.payers} payers and ${scale.codes} codes`)
}
if (given.prepare) process.exit(0)

const attributes = directoryOf(scale)
const store = openRates(rates, { cacheBytes: 64 << 20 })
const pricing = new Pricing(
  store,
  {
    attributes: async () => attributes,
    medicare: async () => ({ locality: () => 1, amount: ({ code }) => Number(code) * 100 }),
  },
  { secret: 'x'.repeat(32), limits: { codesMost: 1_000, queryMs: 600_000 } },
)
rmSync(join(given.folder, 'records.sqlite'), { force: true })
const records = openSqlite(join(given.folder, 'records.sqlite'))
await migrate(records)
const reports = new Reports(
  {
    records,
    pricing,
    names: {
      npis: async (npis) => new Map(npis.map((npi) => [npi, `Provider ${npi}, MD`])),
      tins: async (tins) => new Map(tins.map((tin) => [tin, `Group practice ${tin} LLC`])),
    },
    look: () => worker.look(),
  },
  {
    folder: join(given.folder, 'reports'),
    rowsMost: 20_000_000,
    memoryMb: 512,
    threads: 2,
    queryMs: 600_000,
    secret: 'x'.repeat(32),
  },
)
const worker = new JobWorker(records, reports.handlers)
worker.start()
const { id: organizationId } = await createOrganization(records, 'Bench', 1, 'bench', Date.now())
const call: ReportCall = { caller: { organizationId, userId: null, keyId: null } }

const market = (codes: number): ReportQuery =>
  ({
    states,
    payers,
    billingCodeAndTypes: Array.from({ length: codes }, (_, code) => ({ type: 'CPT', code: codeText(code) })),
  }) as ReportQuery
const whole = await pricing.entryCounts(market(scale.codes), { organization: organizationId })
const perCode = whole.reduce((sum, { entries }) => sum + entries, 0) / scale.codes

const p50 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!
async function timed(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  const deadline = performance.now() + 15_000
  while (times.length < Number(given.rounds) && (times.length === 0 || performance.now() < deadline)) {
    const since = performance.now()
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return `refused: ${error.code}`
    }
    times.push(performance.now() - since)
  }
  return `${times[0]!.toFixed(0)} / ${p50(times).toFixed(0)}`
}

const columns: string[][] = []
for (const wanted of given.rows.split(',').map(Number)) {
  const query = market(Math.min(scale.codes, Math.max(1, Math.round(wanted / perCode))))
  let highest = 0
  const sampling = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const cpu = process.cpuUsage()
  const since = performance.now()
  const { id } = await reports.create({ name: `${wanted} rows`, query }, call)
  let report = (await reports.read(id, call)).report
  while (report.status === 'queued' || report.status === 'running') {
    await new Promise((resume) => setTimeout(resume, 20))
    report = (await reports.read(id, call)).report
  }
  const seconds = (performance.now() - since) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(sampling)
  delay.disable()
  if (report.status !== 'ready') throw new Error(report.error ?? 'not built')
  const [{ build }] = (await records.read('select build from reports where id = $1', [id])) as [
    { build: string },
  ]
  const file = statSync(join(given.folder, 'reports', id, build, 'rows.duckdb')).size

  const page = { pagination: { pageSize: 100 } }
  const eastside = { op: 'AND' as const, filters: [{ op: 'EQUAL' as const, field: 'state', value: 'fl' }] }
  const config = SavedContractModelConfig.parse({
    yourTins: [{ value: 100_000_001 }],
    isBestRateChosen: true,
    isOutlierRemoved: true,
  })
  const rows = (more: object) => () => reports.rows({ id, rateAggregation: 'none', ...page, ...more }, call)
  // A rate that no page before has asked for, so that nothing kept helps.
  let bound = 0
  const above = () => ({
    op: 'AND' as const,
    filters: [
      ...eastside.filters,
      { op: 'GREATER_THAN' as const, field: 'negotiated_rate', value: (bound += 0.01) },
    ],
  })
  columns.push([
    report.rowCount!.toLocaleString('en-US'),
    `${seconds.toFixed(1)} s (CPU ${((user + system) / 1e6).toFixed(1)} s)`,
    `${(highest / 1e6).toFixed(0)} MB`,
    `${(file / 1e6).toFixed(0)} MB, ${(file / report.rowCount!).toFixed(1)} bytes a row`,
    `${(delay.percentile(99) / 1e6).toFixed(0)} / ${(delay.max / 1e6).toFixed(0)} ms`,
    await timed(rows({})),
    await timed(rows({ sorts: [{ id: 'negotiated_rate', desc: true }] })),
    await timed(() => rows({ filter: above() })()),
    await timed(
      rows({
        aggregatedColumns: ['npi', 'state', 'zip', 'taxonomy_code', 'entity_type'],
        rateAggregation: 'median',
      }),
    ),
    await timed(() =>
      reports.percentiles(
        {
          id,
          unit: 'dollars',
          groupBy: ['payer', 'billing_code'],
          percentiles: [50],
          measure: 'negotiated_rate',
        },
        call,
      ),
    ),
    await timed(() => reports.weightedContract({ id, unit: 'dollars', config }, call)),
  ])
}
const names = [
  'rows',
  'built in',
  'most memory of the process',
  'file',
  'event loop held up, p99 / most, while building',
  'first page, first time / p50, ms',
  'first page by falling rate',
  'first page of a new filter',
  'collapsed by provider',
  'percentiles by payer and code',
  'weighted contract, best rates without outliers',
]
for (const [at, name] of names.entries())
  console.log(`| ${name} | ${columns.map((column) => column[at]).join(' | ')} |`)
await worker.stop()
await reports.close()
store.close()
await records.close()
rmSync(join(given.folder, 'reports'), { recursive: true, force: true })

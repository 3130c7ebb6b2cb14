import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SourceMonth } from '../src/vocabulary/period.ts'
import { buildMonth, type BuiltMonth } from '../src/warehouse/build-month.ts'
import { publishBuilds } from '../src/warehouse/manifest.ts'
import { openRates } from '../src/warehouse/rates.ts'
import { benchmarks } from '../src/pricing/benchmarks.ts'
import { providerRates } from '../src/pricing/provider-rates.ts'
import { directoryOf, payerNames, writePayerStage, type Scale } from './pricing-data.ts'
import { load } from './pricing-load.ts'
import { makePeers, type Peer } from './pricing-peers.ts'
import {
  marketQuestions,
  providerQuestions,
  withoutDistinct,
  type MarketQuestion,
} from './pricing-questions.ts'

/**
 * Generates published rates at scale, asks the questions of docs/benchmarks.md, and does the same with careful set-ups of other engines.
 * node bench/pricing.ts --prices 4000000 --set-size 20 [--peers duckdb,parquet] [--folder /tmp/bench] [--keep]
 */
const { values: given } = parseArgs({
  options: {
    prices: { type: 'string', default: '400000' },
    'set-size': { type: 'string', default: '20' },
    providers: { type: 'string', default: '1000000' },
    peers: { type: 'string', default: 'duckdb,parquet' },
    folder: { type: 'string', default: '/tmp/ratebook-bench' },
    rounds: { type: 'string', default: '15' },
    clients: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
  },
})
const scale: Scale = {
  prices: Number(given.prices),
  setSize: Number(given['set-size']),
  providers: Number(given.providers),
  payers: 20,
  codes: 3_000,
}
const rounds = Number(given.rounds)
const month = 202605 as SourceMonth
const folder = join(given.folder, `${scale.prices}-${scale.setSize}`)
const rates = join(folder, 'rates')
mkdirSync(rates, { recursive: true })

const seconds = (since: number) => (performance.now() - since) / 1_000
const p50 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!
const shown = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))

let since = performance.now()
const attributes = directoryOf(scale)
const builds: BuiltMonth[] = []
let buildSeconds = 0
for (const [index, payer] of payerNames(scale.payers).entries()) {
  const stage = join(folder, 'stage')
  rmSync(stage, { recursive: true, force: true })
  writePayerStage(stage, scale, index)
  const started = performance.now()
  builds.push(
    await buildMonth({
      payer,
      month,
      sources: [
        { stage, digest: `payer ${index} ${scale.prices} ${scale.setSize}`, plans: ['PPO'], networks: [] },
      ],
      ratesFolder: rates,
    }),
  )
  buildSeconds += seconds(started)
  rmSync(stage, { recursive: true, force: true })
}
await publishBuilds(rates, builds)
const sum = (pick: (build: BuiltMonth) => number) => builds.reduce((total, build) => total + pick(build), 0)
const entries = sum(({ counts }) => counts.entries)
const bytes = sum((build) => build.bytes)
console.log(
  `${scale.prices} prices, mean set size ${scale.setSize}: ${entries} entries, generated and built in ${seconds(since).toFixed(0)} s, of which building ${buildSeconds.toFixed(1)} s (${Math.round(sum(({ counts }) => counts.pricesPublished) / buildSeconds)} prices/s)`,
)
console.log(
  `size: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / sum(({ counts }) => counts.prices)).toFixed(1)} bytes a price, ${(bytes / entries).toFixed(2)} bytes an entry`,
)

const store = openRates(rates, { cacheBytes: 4 * 2 ** 30 })
const snapshot = await store.current()
const sources = { snapshot, attributes }

since = performance.now()
await benchmarks(sources, marketQuestions(scale)[0]!.request)
console.log(`first answer after opening: ${(seconds(since) * 1_000).toFixed(0)} ms`)
for (const build of snapshot.builds) {
  attributes.join(snapshot.cache.providers(build))
}

const peers: Peer[] = await makePeers(given.peers.split(',').filter(Boolean), {
  folder,
  snapshot,
  scale,
  attributes,
})
for (const peer of peers)
  console.log(`peer ${peer.name}: made in ${peer.seconds.toFixed(0)} s, ${(peer.bytes / 1e6).toFixed(1)} MB`)

/** Times a question; with `fresh`, without the decoded blocks of earlier ones. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const deadline = performance.now() + 60_000
  for (let round = 0; round < rounds && (round < 3 || performance.now() < deadline); round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return p50(times)
}

const lines: string[][] = [
  ['question', 'ours', 'ours, blocks not in memory', ...peers.map(({ name }) => name)],
]
async function market(name: string, question: MarketQuestion): Promise<void> {
  const ours = await timed(() => benchmarks(sources, question.request))
  const fresh = await timed(() => {
    snapshot.cache.forgetPrices()
    return benchmarks(sources, question.request)
  })
  const expected = (await benchmarks(sources, question.request)).map(({ value }) => value)
  const theirs: string[] = []
  for (const peer of peers) {
    const answer = await peer.market(question)
    const agrees =
      answer.length === expected.length && answer.every((value, at) => Math.abs(value - expected[at]!) < 0.01)
    theirs.push(`${shown(await timed(() => peer.market(question)))}${agrees ? '' : ' (differs)'}`)
  }
  lines.push([name, shown(ours), shown(fresh), ...theirs])
}
for (const question of marketQuestions(scale)) {
  await market(`${question.name}, distinct counts`, question)
  await market(`${question.name}, without`, withoutDistinct(question))
}
for (const question of providerQuestions(scale)) {
  const ours = await timed(() => providerRates(sources, question.request))
  const fresh = await timed(() => {
    snapshot.cache.forgetPrices()
    return providerRates(sources, question.request)
  })
  const { rows } = await providerRates(sources, question.request)
  const theirs: string[] = []
  for (const peer of peers) {
    const count = await peer.provider(question)
    theirs.push(
      `${shown(await timed(() => peer.provider(question)))}${count === rows.length ? '' : ' (differs)'}`,
    )
  }
  lines.push([`${question.name} (${rows.length} rows)`, shown(ours), shown(fresh), ...theirs])
}
console.log('p50 in ms')
for (const line of lines) console.log(`| ${line.join(' | ')} |`)
console.log(`resident memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)
if (Number(given.clients) > 0)
  await load(store, attributes, scale, { clients: Number(given.clients), seconds: Number(given.seconds) })
store.close()
for (const peer of peers) await peer.close()
if (!given.keep && existsSync(folder)) rmSync(folder, { recursive: true, force: true })

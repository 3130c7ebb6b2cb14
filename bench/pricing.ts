import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openRates } from '../src/warehouse/rates.ts'
import { benchmarks } from '../src/pricing/benchmarks.ts'
import { providerRates } from '../src/pricing/provider-rates.ts'
import { directoryOf, type Scale } from './pricing-data.ts'
import { madeRates } from './pricing-made.ts'
import { makePeers } from './pricing-peers.ts'
import {
  codesAsked,
  marketQuestions,
  providerQuestions,
  withoutDistinct,
  type MarketQuestion,
} from './pricing-questions.ts'

/**
 * Generates published rates at scale, asks the questions of docs/benchmarks-pricing.md, and does the same with careful set-ups of other engines.
 * node bench/pricing.ts --prices 4000000 --set-size 20 [--peers duckdb,parquet,postgres] [--folder /tmp/bench] [--keep] [--make]
 * `--keep` leaves what was made for the next run, which then only asks; `--make` makes and asks nothing.
 * `--only-asked` gives the peers the codes that are asked for and no others: a slice, for sizes whose flat form is out of reach.
 */
const { values: given } = parseArgs({
  options: {
    prices: { type: 'string', default: '400000' },
    'set-size': { type: 'string', default: '20' },
    providers: { type: 'string', default: '1000000' },
    peers: { type: 'string', default: 'duckdb,parquet' },
    folder: { type: 'string', default: '/tmp/ratebook-bench' },
    rounds: { type: 'string', default: '15' },
    keep: { type: 'boolean', default: false },
    make: { type: 'boolean', default: false },
    'only-asked': { type: 'boolean', default: false },
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
const folder = join(given.folder, `${scale.prices}-${scale.setSize}`)
mkdirSync(folder, { recursive: true })

const millions = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const shown = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))

const rates = await madeRates(folder, scale)
console.log(
  `${scale.prices} prices, mean set size ${scale.setSize}: ${rates.entries} entries, built in ${rates.seconds.toFixed(1)} s (${Math.round(rates.pricesPublished / rates.seconds)} prices/s)`,
)
console.log(
  `size: ${millions(rates.bytes)}, ${(rates.bytes / rates.prices).toFixed(1)} bytes a price, ${(rates.bytes / rates.entries).toFixed(2)} bytes an entry`,
)

const attributes = directoryOf(scale)
const store = openRates(join(folder, 'rates'), { cacheBytes: 4 * 2 ** 30 })
const snapshot = await store.current()
const sources = { snapshot, attributes }
const names = given.peers.split(',').filter(Boolean)
const onlyCodes = given['only-asked'] ? codesAsked(scale, snapshot) : undefined
const peers = await makePeers(names, { folder, snapshot, scale, attributes, onlyCodes })
if (onlyCodes) console.log(`the peers hold ${onlyCodes.length} of ${scale.codes} codes`)
for (const { name, seconds, bytes } of peers)
  console.log(
    `peer ${name}: made in ${seconds.toFixed(0)} s, ${millions(bytes)}, ${(bytes / rates.bytes).toFixed(1)} times ours`,
  )

/** The middle of some runs' times: on the clock, and on the processor, which other work of the machine does not lengthen. */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const clock: number[] = []
  const cpu: number[] = []
  const deadline = performance.now() + 6_000
  for (let round = 0; round < rounds && (round < 3 || performance.now() < deadline); round++) {
    const used = process.cpuUsage()
    const started = performance.now()
    await work()
    clock.push(performance.now() - started)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1_000)
  }
  const middle = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  return { ms: middle(clock), cpuMs: middle(cpu) }
}

const lines: string[][] = [
  ['question', 'ours', 'of it CPU', 'ours, from disk', ...peers.map(({ name }) => name), 'best peer / ours'],
]
interface Asked {
  readonly name: string
  readonly ours: () => Promise<unknown>
  readonly theirs: readonly { readonly ask: () => Promise<unknown>; readonly agrees: boolean }[]
}
async function compare({ name, ours, theirs }: Asked): Promise<void> {
  const warm = await timed(ours)
  const cold = await timed(() => {
    snapshot.cache.forgetPrices()
    return ours()
  })
  const times: number[] = []
  for (const { ask } of theirs) times.push((await timed(ask)).ms)
  lines.push([
    name,
    shown(warm.ms),
    shown(warm.cpuMs),
    shown(cold.ms),
    ...times.map((ms, at) => `${shown(ms)}${theirs[at]!.agrees ? '' : ' (differs)'}`),
    times.length > 0 ? (Math.min(...times) / warm.ms).toFixed(1) : '',
  ])
}

async function market(name: string, question: MarketQuestion): Promise<void> {
  const expected = (await benchmarks(sources, question.request)).map(({ value }) => value)
  const theirs = []
  for (const peer of peers) {
    const answer = await peer.market(question)
    const agrees =
      answer.length === expected.length && answer.every((value, at) => Math.abs(value - expected[at]!) < 0.01)
    theirs.push({ ask: () => peer.market(question), agrees })
  }
  await compare({ name, ours: () => benchmarks(sources, question.request), theirs })
}

if (!given.make) {
  const since = performance.now()
  await benchmarks(sources, marketQuestions(scale)[0]!.request)
  console.log(`first answer after opening: ${(performance.now() - since).toFixed(0)} ms`)
  for (const build of snapshot.builds) attributes.join(snapshot.cache.providers(build))
  for (const question of marketQuestions(scale)) {
    await market(`${question.name}, distinct counts`, question)
    await market(`${question.name}, without`, withoutDistinct(question))
  }
  for (const question of providerQuestions(scale, snapshot)) {
    const { rows } = await providerRates(sources, question.request)
    const theirs = []
    for (const peer of peers)
      theirs.push({
        ask: () => peer.provider(question),
        agrees: (await peer.provider(question)) === rows.length,
      })
    const ours = () => providerRates(sources, question.request)
    await compare({ name: `${question.name} (${rows.length} rows)`, ours, theirs })
  }
  console.log('p50 in ms')
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)
  console.log(`resident memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)
}
store.close()
for (const peer of peers) await peer.close()
if (!given.keep && !given.make) rmSync(folder, { recursive: true, force: true })

import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { npiSearch as npiSearchOperation } from '../src/operations/providers.ts'
import { Pool } from '../src/search/pool.ts'
import { writeProviders } from './directory-files.ts'
import { plainFts, trigrams, type Peer } from './directory-peers.ts'
import { queries, queryClasses, type Query } from './directory-queries.ts'

/**
 * How well and how fast providers are found: `node bench/directory.ts [--size 200000] [--folder /tmp/…] [--peers no]`.
 * Builds an index of a made population in a process of its own, asks two thousand questions whose answers are known
 * through the worker threads that serve them, alone and eight at a time, and asks two peers the same.
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '200000' },
    folder: { type: 'string' },
    peers: { type: 'string', default: 'yes' },
    keep: { type: 'string', default: 'no' },
  },
})
const size = Number(values.size)
const folder = values.folder ?? join(tmpdir(), `ratebook-directory-${size}`)

interface Found {
  readonly npi: number
  readonly name: string
  readonly others: string
  readonly tins: string
}

const ms = (value: number) => value.toFixed(2).padStart(8)
const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

function isHit(query: Query, found: readonly Found[]): boolean {
  if (found.some((one) => query.isMeant(one))) return true
  return (
    found.length >= 10 && query.isAsGood !== undefined && found.every((one) => query.isAsGood?.(one) === true)
  )
}

if (!existsSync(join(folder, 'providers.duckdb'))) {
  const start = performance.now()
  await writeProviders(folder, size)
  console.log(`made ${size} providers in ${((performance.now() - start) / 1_000).toFixed(0)} s`)
}
rmSync(join(folder, 'index'), { recursive: true, force: true })
const build = execFileSync(process.execPath, [join(import.meta.dirname, 'directory-build.ts'), folder], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
console.log('build', build.trim())

const asked = queries(size)
const before = process.memoryUsage().rss
const pool = await Pool.open(
  { worker: new URL('../src/providers/worker.ts', import.meta.url), threads: 2, waitingMax: 1_000 },
  join(folder, 'index'),
)

async function ask({ text, states, taxonomyCodes }: Query): Promise<Found[]> {
  const request = npiSearchOperation.request.parse({
    searchTerm: text.slice(0, 40),
    states,
    taxonomyCodes,
    limit: 10,
  })
  const found = (await pool.ask({ name: 'npiSearch', request })) as Record<string, string>[]
  return found.map((one) => ({
    npi: Number(one['value']),
    name: one['displayName'] ?? '',
    others: one['otherName'] ?? '',
    tins: one['tins'] ?? '',
  }))
}

// The first round warms caches and code; the second is measured.
for (const query of asked) await ask(query)
const alone: number[] = []
console.log('class            recall@10      p50      p99  (ms, one at a time)')
for (const kind of queryClasses) {
  const times: number[] = []
  let hits = 0
  const ofKind = asked.filter((query) => query.kind === kind)
  for (const query of ofKind) {
    const start = performance.now()
    const found = await ask(query)
    times.push(performance.now() - start)
    if (isHit(query, found)) hits++
  }
  alone.push(...times)
  console.log(
    `${kind.padEnd(16)} ${(hits / ofKind.length).toFixed(3).padStart(9)} ${ms(at(times, 0.5))} ${ms(at(times, 0.99))}`,
  )
}
console.log(`all alone                  ${ms(at(alone, 0.5))} ${ms(at(alone, 0.99))}`)

const delay = monitorEventLoopDelay({ resolution: 1 })
const together: number[] = []
const start = performance.now()
delay.enable()
let next = 0
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let query = asked[next++]; query !== undefined; query = asked[next++]) {
      const begun = performance.now()
      await ask(query)
      together.push(performance.now() - begun)
    }
  }),
)
delay.disable()
const perSecond = together.length / ((performance.now() - start) / 1_000)
console.log(
  `eight at a time            ${ms(at(together, 0.5))} ${ms(at(together, 0.99))}  ${perSecond.toFixed(0)}/s, event loop p99 ${ms(delay.percentile(99) / 1e6)}`,
)
const rss = process.memoryUsage().rss
console.log(
  `memory to serve: ${(rss / 1e6).toFixed(0)} MB, ${((rss - before) / 1e6).toFixed(0)} MB of it for the search`,
)
await pool.close()

async function peer(opened: Peer | undefined): Promise<void> {
  if (opened === undefined) return
  console.log(`${opened.name}: built in ${opened.buildSeconds.toFixed(0)} s`)
  // A peer answers one question in ten: it shows the ratio, and the slow ones would take hours.
  for (const kind of queryClasses) {
    const ofKind = asked.filter((query) => query.kind === kind).filter((_, place) => place % 10 === 0)
    const times: number[] = []
    let hits = 0
    for (const query of ofKind) {
      const begun = performance.now()
      const found = await opened.search(query.text, query.states)
      times.push(performance.now() - begun)
      if (
        isHit(
          query,
          found.map((one) => ({ ...one, others: '', tins: '' })),
        )
      )
        hits++
    }
    console.log(
      `${kind.padEnd(16)} ${(hits / ofKind.length).toFixed(3).padStart(9)} ${ms(at(times, 0.5))} ${ms(at(times, 0.99))}`,
    )
  }
  await opened.close()
}
if (values.peers === 'yes') {
  await peer(plainFts(folder, size))
  await peer(await trigrams(folder, size))
}
if (values.keep !== 'yes') rmSync(folder, { recursive: true, force: true })

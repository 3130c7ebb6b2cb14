import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { npiSearch as npiSearchOperation } from '../src/operations/providers.ts'
import { Pool } from '../src/search/pool.ts'
import { sampleIn, writeProviders } from './directory-files.ts'
import { plainFts, trigrams, type Peer } from './directory-peers.ts'
import { queries, queryClasses, type Query } from './directory-queries.ts'

/**
 * How well and how fast providers are found. In phases, each of which can be run alone over the same folder:
 *   node bench/directory.ts --size 8000000 --folder F --phases generate,build,query,serve,fts,trigrams
 * `generate` makes a population (`--seed`); `build` its index in a process of its own; `query` asks two thousand
 * questions whose answers are known (`--query-seed`) through the worker threads that serve them, alone and eight at a
 * time; `serve` asks them in a fresh process to see its memory; the last two ask one in ten of peers.
 * `--misses yes` prints what was not found, and what was slow.
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '200000' },
    folder: { type: 'string' },
    phases: { type: 'string', default: 'generate,build,query,serve,fts,trigrams' },
    seed: { type: 'string', default: '7' },
    'query-seed': { type: 'string', default: '11' },
    'peer-share': { type: 'string', default: '10' },
    misses: { type: 'string', default: 'no' },
  },
})
const size = Number(values.size)
const seed = Number(values.seed)
const folder = values.folder ?? join(tmpdir(), `ratebook-directory-${size}-${seed}`)
const phases = values.phases.split(',')
const index = join(folder, 'index')

interface Found {
  readonly npi: number
  readonly name: string
  readonly others: string
  readonly tins: string
}

const ms = (value: number) => value.toFixed(2).padStart(8)
const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
const ownProcess = (file: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, ['--max-old-space-size=320', join(import.meta.dirname, file), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()

function isHit(query: Query, found: readonly Found[]): boolean {
  if (found.some((one) => query.isMeant(one))) return true
  return (
    found.length >= 10 && query.isAsGood !== undefined && found.every((one) => query.isAsGood?.(one) === true)
  )
}

const requestOf = ({ text, states, taxonomyCodes }: Query) =>
  npiSearchOperation.request.parse({ searchTerm: text.slice(0, 40), states, taxonomyCodes, limit: 10 })

/** Asks questions one by one and prints, for each class, how many were found and how long it took. */
async function askAll(
  asked: readonly Query[],
  ask: (query: Query) => Promise<readonly Found[]>,
): Promise<number[]> {
  const all: number[] = []
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
      else if (values.misses === 'yes')
        console.log(`  missed: ${query.text} (${query.meant}) → ${found.map(({ name }) => name).join(' | ')}`)
      if (values.misses === 'yes' && (times.at(-1) ?? 0) > 15)
        console.log(`  slow: ${ms(times.at(-1) ?? 0)} ${query.text} ${JSON.stringify(query.states ?? [])}`)
    }
    all.push(...times)
    console.log(
      `${kind.padEnd(16)} ${(hits / ofKind.length).toFixed(3).padStart(9)} ${ms(at(times, 0.5))} ${ms(at(times, 0.99))}`,
    )
  }
  console.log(`all                        ${ms(at(all, 0.5))} ${ms(at(all, 0.99))}`)
  return all
}

async function queryPhase(asked: readonly Query[]): Promise<void> {
  const worker = new URL('../src/providers/worker.ts', import.meta.url)
  const pool = await Pool.open({ worker, threads: 2, waitingMax: 1_000 }, index)
  const ask = async (query: Query): Promise<Found[]> => {
    const found = (await pool.ask({ name: 'npiSearch', request: requestOf(query) })) as Record<
      string,
      string
    >[]
    return found.map((one) => ({
      npi: Number(one['value']),
      name: one['displayName'] ?? '',
      others: one['otherName'] ?? '',
      tins: one['tins'] ?? '',
    }))
  }
  // The first round warms caches and code; the second is measured.
  for (const query of asked) await ask(query)
  await askAll(asked, ask)
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
  await pool.close()
}

async function peerPhase(opened: Peer | undefined, asked: readonly Query[]): Promise<void> {
  if (opened === undefined) return
  console.log(`${opened.name}: built in ${opened.buildSeconds.toFixed(0)} s`)
  // A peer answers one question in some: it shows the ratio, and the slow ones would take hours.
  const share = Number(values['peer-share'])
  await askAll(
    asked.filter((_, place) => place % share === 0),
    async ({ text, states }) =>
      (await opened.search(text, states)).map((one) => ({ ...one, others: '', tins: '' })),
  )
  await opened.close()
}

if (phases.includes('generate') && !existsSync(join(folder, 'sample.json'))) {
  const start = performance.now()
  await writeProviders(folder, size, seed)
  console.log(`made ${size} providers in ${((performance.now() - start) / 1_000).toFixed(0)} s`)
}
if (phases.includes('build')) {
  rmSync(index, { recursive: true, force: true })
  console.log('build', ownProcess('directory-build.ts', folder))
}
const asked = queries(sampleIn(folder), Number(values['query-seed']))
if (phases.includes('query')) await queryPhase(asked)
if (phases.includes('serve')) {
  const questions = join(folder, 'questions.json')
  writeFileSync(questions, JSON.stringify(asked.map(requestOf)))
  console.log('serve', ownProcess('directory-serve.ts', index, questions))
}
if (phases.includes('fts')) await peerPhase(plainFts(folder, size, seed), asked)
if (phases.includes('trigrams')) await peerPhase(await trigrams(folder, size, seed), asked)

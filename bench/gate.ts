/**
 * What the gate costs: requests a second and p99 of a metered call (key check, validation, debit, usage row)
 * against the same route and answer on bare Fastify. Servers and load run in processes of their own; the two are
 * measured in turns, and the medians compared. Afterwards the books must add up to the last credit.
 *
 *   node bench/gate.ts [--seconds 30] [--repeats 3] [--connections 64]
 *   RATEBOOK_TEST_DATABASE_URL=postgres://… node bench/gate.ts     the same with records in PostgreSQL
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { parseArgs, promisify } from 'node:util'
import { signUp } from '../src/accounts/users.ts'
import { readSettings } from '../src/config.ts'
import { openRecords } from '../src/records/open.ts'
import { startGateServer, unlimited } from './support/gate-servers.ts'
import { bookErrors, gateSums } from './support/gate-sums.ts'
import { freshStore } from './support/store.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    repeats: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    profile: { type: 'string' },
  },
})
const seconds = Number(given.seconds)
const connections = Number(given.connections)
const autocannon = createRequire(import.meta.url).resolve('autocannon')
const goal = 0.5

interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly answered: number
  readonly failed: number
}

async function load(url: string, forSeconds: number, apiKey?: string): Promise<Load> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      autocannon,
      '--json',
      `--connections=${connections}`,
      `--duration=${forSeconds}`,
      '--method=POST',
      '--headers=content-type=application/json',
      ...(apiKey ? [`--headers=authorization=Bearer ${apiKey}`] : []),
      '--body={"payer":"Aetna"}',
      `${url}/api/v1/payer/plans`,
    ],
    { maxBuffer: 1 << 24 },
  )
  const told = JSON.parse(stdout) as Record<'requests' | 'latency', Record<string, number>> &
    Record<'2xx' | 'non2xx' | 'errors' | 'timeouts', number>
  return {
    perSecond: told.requests['average']!,
    p50: told.latency['p50']!,
    p99: told.latency['p99']!,
    answered: told['2xx'],
    failed: told.non2xx + told.errors + told.timeouts,
  }
}

const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const total = (loads: readonly Load[], what: 'answered' | 'failed') =>
  loads.reduce((sum, load) => sum + load[what], 0)

const store = await freshStore()
const env = { ...unlimited, ...store.env }
const records = await openRecords(readSettings(env))
const { apiKey } = await signUp(
  records,
  { email: 'bench@example.org', password: 'a long password', organization: 'Bench' },
  1_000_000_000,
)

const metered = await startGateServer(
  'metered',
  env,
  given.profile ? ['--cpu-prof', `--cpu-prof-dir=${given.profile}`] : [],
)
const bare = await startGateServer('bare')
const runs = { metered: [] as Load[], bare: [] as Load[] }
const warmUp = { metered: await load(metered.url, 3, apiKey), bare: await load(bare.url, 3) }
metered.process.send('warm')
bare.process.send('warm')
for (let repeat = 0; repeat < Number(given.repeats); repeat++) {
  runs.metered.push(await load(metered.url, seconds, apiKey))
  runs.bare.push(await load(bare.url, seconds))
}
const use = { metered: await metered.stop(), bare: await bare.stop() }
const answered = {
  metered: total(runs.metered, 'answered'),
  bare: total(runs.bare, 'answered'),
}
// Processor time tells what a call costs even where other work shares the machine.
const cpuUs = { metered: use.metered.cpuUs / answered.metered, bare: use.bare.cpuUs / answered.bare }

for (const kind of ['bare', 'metered'] as const)
  console.log(
    `${kind.padEnd(8)} ${median(runs[kind].map(({ perSecond }) => perSecond))
      .toFixed(0)
      .padStart(7)} requests/s` +
      `  p50 ${median(runs[kind].map(({ p50 }) => p50))} ms  p99 ${median(runs[kind].map(({ p99 }) => p99))} ms` +
      `  ${cpuUs[kind].toFixed(0)} µs of processor a call  peak RSS ${use[kind].peakRssMb.toFixed(0)} MB` +
      `  (runs: ${runs[kind].map(({ perSecond }) => perSecond.toFixed(0)).join(', ')})`,
  )
const ratio =
  median(runs.metered.map(({ perSecond }) => perSecond)) / median(runs.bare.map(({ perSecond }) => perSecond))
console.log(
  `ratio    ${ratio.toFixed(3)} (goal: at least ${goal}); by processor time ${(cpuUs.bare / cpuUs.metered).toFixed(3)}; on ${records.kind}`,
)

const failed = total([warmUp.metered, warmUp.bare, ...runs.metered, ...runs.bare], 'failed')
const sums = await gateSums(records)
const errors = bookErrors(sums)
const paid = sums.reduce((sum, { paidCalls }) => sum + paidCalls, 0)
// A run ends with calls under way: they are paid and answered, but nobody reads the answer any more.
const unread = connections * (runs.metered.length + 1)
const read = warmUp.metered.answered + answered.metered
if (paid < read || paid > read + unread) errors.push(`${read} answers were read, ${paid} calls were paid`)
if (failed > 0) errors.push(`${failed} requests failed`)
console.log(
  errors.length === 0
    ? `books    add up: ${paid} calls paid, ${read} answers read, ${sums[0]!.credits} credits left of ${sums[0]!.granted}`
    : `books    DO NOT ADD UP: ${errors.join('; ')}`,
)
await records.close()
await store.remove()
process.exitCode = errors.length > 0 || ratio < goal ? 1 : 0

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Agent, fetch } from 'undici'
import { taxonomies } from '../src/vocabulary/taxonomy.ts'
import { codeText, randomFrom, taxonomies as made, type Scale } from './pricing-data.ts'
import { madeRates } from './pricing-made.ts'
import { marketQuestions } from './pricing-questions.ts'

/**
 * Many clients at once over HTTP, each asking narrow, medium and wide questions about codes of its own choice, one after the other:
 * answers, errors, p50 and p99 of each kind, and the server's memory after each round.
 * node bench/pricing-load.ts --prices 4000000 [--clients 32] [--seconds 60] [--rounds 2] [--folder /tmp/bench] [--mix 0.7,0.25,0.05]
 */
const { values: given } = parseArgs({
  options: {
    prices: { type: 'string', default: '400000' },
    'set-size': { type: 'string', default: '20' },
    folder: { type: 'string', default: '/tmp/ratebook-bench' },
    clients: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '2' },
    mix: { type: 'string', default: '0.7,0.25,0.05' },
  },
})
const scale: Scale = {
  prices: Number(given.prices),
  setSize: Number(given['set-size']),
  providers: 1_000_000,
  payers: 20,
  codes: 3_000,
}
const folder = join(given.folder, `${scale.prices}-${scale.setSize}`)
await madeRates(folder, scale)
const server = fork(
  join(import.meta.dirname, 'pricing-server.ts'),
  [join(folder, 'rates'), given.prices, given['set-size']],
  { execArgv: ['--expose-gc'] },
)
const [{ baseUrl, keys }] = (await once(server, 'message')) as [{ baseUrl: string; keys: string[] }]
const memory = async () => {
  server.send('memory')
  const [usage] = (await once(server, 'message')) as [NodeJS.MemoryUsage]
  const mb = (bytes: number) => Math.round(bytes / 1e6)
  return `resident ${mb(usage.rss)} MB, heap ${mb(usage.heapUsed)} MB, buffers ${mb(usage.arrayBuffers)} MB`
}

const real = taxonomies.slice(0, made.length).map(({ code }) => code)
const questions = marketQuestions(scale, real)
const [narrow = 0, medium = 0] = given.mix.split(',').map(Number)
const dispatcher = new Agent({ connections: Number(given.clients), pipelining: 1 })

async function client(number: number, round: number, end: number, told: Told): Promise<void> {
  const random = randomFrom(round * 1_000 + number + 1)
  while (performance.now() < end) {
    const pick = random()
    const { name, request } = questions[pick < narrow ? 0 : pick < narrow + medium ? 1 : 2]!
    const codes = request.filters.billingCodeAndTypes.map(({ type }) => ({
      type,
      code: codeText(Math.floor(random() * scale.codes)),
    }))
    const started = performance.now()
    const response = await fetch(`${baseUrl}/api/v1/market/benchmarks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[number % keys.length]!}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...request, filters: { ...request.filters, billingCodeAndTypes: codes } }),
      dispatcher,
    })
    const text = await response.text()
    if (response.status !== 200 || !text.startsWith('[')) told.errors.push(`${response.status} ${text}`)
    told.times.get(name)!.push(performance.now() - started)
  }
}
interface Told {
  readonly times: Map<string, number[]>
  readonly errors: string[]
}

console.log(`${scale.prices} prices, sets of ${scale.setSize}; before: ${await memory()}`)
for (let round = 1; round <= Number(given.rounds); round++) {
  const told: Told = { times: new Map(questions.map(({ name }) => [name, []])), errors: [] }
  const end = performance.now() + Number(given.seconds) * 1_000
  await Promise.all(
    Array.from({ length: Number(given.clients) }, (_, number) => client(number, round, end, told)),
  )
  console.log(
    `round ${round}: ${given.clients} clients for ${given.seconds} s: ${told.errors.length} errors${told.errors.length > 0 ? ` (${told.errors[0]!.slice(0, 200)})` : ''}; ${await memory()}`,
  )
  for (const [name, times] of told.times) {
    const sorted = times.sort((a, b) => a - b)
    const at = (part: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
    console.log(
      `  ${name}: ${sorted.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`,
    )
  }
}
server.send('close')
await once(server, 'exit')
await dispatcher.close()

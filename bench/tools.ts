/**
 * What a tool call costs above the same REST call: one server, the same answer behind both doors, measured in turns.
 * node bench/tools.ts [seconds per measurement] [rows of the answer]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createKey } from '../src/accounts/api-keys.ts'
import { createOrganization } from '../src/accounts/organizations.ts'
import { readSettings } from '../src/config.ts'
import { buildServer } from '../src/http/server.ts'
import { openService } from '../src/service.ts'

const seconds = Number(process.argv[2] ?? 3)
const rows = Number(process.argv[3] ?? 20)
const turns = 3
const revision = '2026-07-28'

const question = {
  filters: {
    states: ['FL'],
    taxonomyCodes: ['207RC0000X'],
    payers: ['Aetna', 'Cigna'],
    billingCodeAndTypes: [{ code: '93306', type: 'CPT' }],
  },
  metrics: { aggregations: ['percentile_25', 'percentile_50', 'percentile_75'] },
  groupBy: ['payer', 'billingCode'],
}
const tool = 'search_market_percentile_negotiated_rates'
const answer = Array.from({ length: rows }, (_, at) => ({
  metrics: 'percentile_50',
  value: 100 + at,
  payer: 'Aetna',
  billingCode: String(90_000 + at),
}))

const folder = mkdtempSync(join(tmpdir(), 'ratebook-bench-'))
const service = await openService(
  readSettings({
    RATEBOOK_DATA: folder,
    RATEBOOK_DEMO: 'off',
    RATEBOOK_LOG_LEVEL: 'silent',
    RATEBOOK_RATE_PER_SECOND: '1000000',
    RATEBOOK_RATE_BURST: '1000000',
    RATEBOOK_MAX_EVENT_LOOP_DELAY_MS: '0',
  }),
)
const app = await buildServer({
  ...service,
  answers: { ...service.answers, marketBenchmarks: async () => answer },
})
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
service.address.baseUrl = baseUrl
const organization = await createOrganization(service.records, 'Bench', 100_000_000, 'bench')
const { apiKey } = await createKey(service.records, organization.id, 'Bench')

const headers = {
  authorization: `Bearer ${apiKey}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const call = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const doors = {
  REST: { url: `${baseUrl}/api/v1/market/benchmarks`, headers, body: JSON.stringify(question) },
  [`tool ${revision}`]: {
    url: `${baseUrl}/api/v1/open/mcp`,
    headers: {
      ...headers,
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: JSON.stringify(
      call({
        name: tool,
        arguments: question,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
    ),
  },
  'tool 2025-11-25': {
    url: `${baseUrl}/api/v1/open/mcp`,
    headers: { ...headers, 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify(call({ name: tool, arguments: question })),
  },
}

interface Measured {
  readonly latencies: number[]
  readonly rates: number[]
  /** CPU of this process (server and load together) for one call, in ms. */
  readonly cpu: number[]
}
const measured = Object.fromEntries(
  Object.keys(doors).map((name) => [name, { latencies: [], rates: [], cpu: [] } as Measured]),
)
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

for (const [name, { url, headers: sent, body }] of Object.entries(doors)) {
  const response = await fetch(url, { method: 'POST', headers: sent, body })
  const text = await response.text()
  if (response.status !== 200 || !text.includes('percentile_50'))
    throw new Error(`${name}: ${response.status} ${text}`)
}
for (let turn = 0; turn < turns; turn++)
  for (const [name, door] of Object.entries(doors)) {
    const one = await autocannon({ ...door, method: 'POST', connections: 1, duration: seconds })
    const before = process.cpuUsage()
    const many = await autocannon({ ...door, method: 'POST', connections: 16, duration: seconds })
    const { user, system } = process.cpuUsage(before)
    if (many.non2xx > 0 || many.errors > 0)
      throw new Error(`${name}: ${many.non2xx} refused, ${many.errors} failed`)
    const into = measured[name]!
    into.latencies.push((one.duration * 1_000) / one.requests.total)
    into.rates.push(many.requests.average)
    into.cpu.push((user + system) / 1_000 / many.requests.total)
  }

const rest = measured['REST']!
console.log(`${rows} rows, ${turns} turns of ${seconds} s, medians`)
for (const [name, { latencies, rates, cpu }] of Object.entries(measured))
  console.log(
    [
      name.padEnd(16),
      `mean latency ${median(latencies).toFixed(2)} ms (${(median(latencies) / median(rest.latencies)).toFixed(2)}x)`,
      `16 at once ${median(rates).toFixed(0)}/s (${(median(rest.rates) / median(rates)).toFixed(2)}x)`,
      `CPU ${median(cpu).toFixed(2)} ms (${(median(cpu) / median(rest.cpu)).toFixed(2)}x)`,
    ].join('  '),
  )
await app.close()
await service.close()
rmSync(folder, { recursive: true, force: true })

import { readFileSync } from 'node:fs'
import { Pool } from '../src/search/pool.ts'

/** Opens an index as a server does, asks every question of a file once, and prints how much memory it holds. */
const [folder = '', file = ''] = process.argv.slice(2)
const requests = JSON.parse(readFileSync(file, 'utf8')) as unknown[]
const worker = new URL('../src/providers/worker.ts', import.meta.url)
const pool = await Pool.open({ worker, threads: 2, waitingMax: 1_000 }, folder)
const start = process.cpuUsage()
for (const request of requests) await pool.ask({ name: 'npiSearch', request })
const { user, system } = process.cpuUsage(start)
/** Memory of this process by kind, in MB: its own pages, and pages of files (programs) that it shares with the page cache. */
const resident = Object.fromEntries(
  [...readFileSync('/proc/self/status', 'utf8').matchAll(/^(Rss\w+):\s+(\d+) kB/gm)].map(
    ([, name = '', kb]) => [name, Math.round(Number(kb) / 1_000)],
  ),
)
console.log(
  JSON.stringify({
    rssMb: process.memoryUsage().rss / 1e6,
    ...resident,
    cpuMsPerQuestion: (user + system) / 1_000 / requests.length,
  }),
)
await pool.close()

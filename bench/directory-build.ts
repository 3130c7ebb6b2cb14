import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIndex } from '../src/providers/build-index.ts'
import { listedIn } from './directory-files.ts'

/** Builds the index of a made population in a process of its own, so that its memory can be read. Prints a line of JSON. */
const [folder = ''] = process.argv.slice(2)
const start = performance.now()
const index = join(folder, 'index')
const built = await buildIndex(
  index,
  { providersFile: join(folder, 'providers.duckdb'), listed: listedIn(folder) },
  ({ part, rows }) => {
    const { rss, heapUsed, heapTotal, arrayBuffers } = process.memoryUsage()
    const mb = (bytes: number) => Math.round(bytes / 1e6)
    console.error(
      `${part} ${rows}: rss ${mb(rss)} MB, heap ${mb(heapUsed)} of ${mb(heapTotal)}, buffers ${mb(arrayBuffers)}`,
    )
  },
)
writeFileSync(join(index, 'index.json'), JSON.stringify({ format: 1, id: 'bench', ...built }))
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
console.log(
  JSON.stringify({
    seconds: (performance.now() - start) / 1_000,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    maxRssMb: maxRSS / 1_024,
    counts: built.counts,
  }),
)

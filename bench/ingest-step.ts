/** One measurement of bench/ingest.ts, in a process of its own; prints a line of JSON about itself. */
import { createReadStream, globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { SourceMonth } from '../src/vocabulary/period.ts'

const [what = '', ...args] = process.argv.slice(2)
const bytesOf = (pattern: string) => globSync(pattern).reduce((sum, path) => sum + statSync(path).size, 0)

/** When what a step needs was loaded. */
let loadedAt = 0

const unpacked = (path: string) =>
  createReadStream(path, { highWaterMark: 1 << 18 }).pipe(createGunzip({ chunkSize: 1 << 18 }))

async function done(): Promise<Record<string, unknown>> {
  const [path = '', target = ''] = args
  if (what === 'ingest') {
    const { ingest } = await import('../src/ingestion/ingest.ts')
    loadedAt = performance.now()
    const month = 202605 as SourceMonth
    const threads = Number(args[2] ?? 2)
    const { months } = await ingest({ ratesFolder: target, sources: [path], payer: 'Aetna', month, threads })
    return { ...months[0]?.counts, buildBytes: months[0]?.bytes }
  }
  if (what === 'validate') {
    const { validated } = await import('../src/ingestion/validate.ts')
    loadedAt = performance.now()
    const [file] = await validated({ sources: [path], threads: 1 })
    return { verdict: file?.verdict }
  }
  if (what === 'read') {
    // As the threads of an ingest do it: one comes up while the other loads its code.
    const { prepareInflating } = await import('../src/ingestion/inflate/inflated.ts')
    prepareInflating()
    const { prepareReaderModule } = await import('../src/ingestion/reader/reader-module.ts')
    prepareReaderModule()
    const { readSource } = await import('../src/ingestion/read-source.ts')
    const { httpClient } = await import('../src/files/http-client.ts')
    loadedAt = performance.now()
    await readSource(httpClient(), { address: path, from: path, work: target })
    return {}
  }
  if (what === 'zlib') {
    let bytes = 0
    for await (const chunk of unpacked(path)) bytes += (chunk as Buffer).length
    return { bytes }
  }
  if (what === 'stream-json') {
    const { parser } = await import('stream-json')
    let tokens = 0
    // Its quickest way: whole values only, taken as events.
    const tokenStream = unpacked(path).pipe(parser.asStream({ streamValues: false }))
    tokenStream.on('data', () => tokens++)
    await finished(tokenStream)
    return { tokens }
  }
  if (what === 'parquet') return parquet(path, target, Number(args[2]))
  throw new Error(`no step ${what}`)
}

const flatEntriesMost = 20_000_000

/** Sizes as Parquet. Flattening hundreds of millions of entries takes hours: beyond a bound, some codes stand for all. */
async function parquet(
  ratesFolder: string,
  folder: string,
  entries: number,
): Promise<Record<string, unknown>> {
  const { exportMonths } = await import('../src/ingestion/export.ts')
  const { openEngine } = await import('../src/warehouse/engine.ts')
  rmSync(folder, { recursive: true, force: true })
  await exportMonths({ ratesFolder, folder })
  const engine = await openEngine(':memory:', { memoryLimit: '2GB' })
  const table = (name: string) => `'${join(folder, '*', '*', `${name}.parquet`)}'`
  const flat = join(folder, 'flat.parquet')
  await engine.run(`copy (
    select p.* exclude (provider_set), g.tin, g.npi
    from ${table('prices')} p join ${table('provider_sets')} s using (provider_set) join ${table('provider_groups')} g using (provider_group)
    where hash(p.billing_code) % ${Math.ceil(entries / flatEntriesMost)} = 0
  ) to '${flat}' (format parquet, compression zstd)`)
  const [{ n } = { n: 1n }] = await engine.rows<{ n: bigint }>(`select count(*) as n from '${flat}'`)
  await engine.close()
  const sizes = {
    flatBytesPerEntry: statSync(flat).size / Number(n),
    exportBytes: bytesOf(join(folder, '*', '*', '*.parquet')),
  }
  rmSync(folder, { recursive: true, force: true })
  return sizes
}

const says = await done()
const used = process.resourceUsage()
const cpuMs = (used.userCPUTime + used.systemCPUTime) / 1_000
const workMs = loadedAt > 0 ? { workMs: performance.now() - loadedAt } : {}
console.log(JSON.stringify({ ...says, ...workMs, cpuMs, rssBytes: used.maxRSS * 1_024 }))

/** One measurement of bench/ingest.ts, in a process of its own; prints a line of JSON about itself. */
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceMonth } from '../src/vocabulary/period.ts'

const [what = '', ...args] = process.argv.slice(2)
const bytesOf = (pattern: string) => globSync(pattern).reduce((sum, path) => sum + statSync(path).size, 0)

async function done(): Promise<Record<string, unknown>> {
  if (what === 'ingest') {
    const { ingest } = await import('../src/ingestion/run.ts')
    const [path = '', ratesFolder = '', threads = '2'] = args
    const { months } = await ingest({
      ratesFolder,
      sources: [path],
      payer: 'Aetna',
      month: 202605 as SourceMonth,
      threads: Number(threads),
    })
    const [month] = months
    return { ...month?.counts, buildBytes: month?.bytes }
  }
  if (what === 'validate') {
    const { validated } = await import('../src/ingestion/validate.ts')
    const [file] = await validated({ sources: [args[0] ?? ''], threads: 1 })
    return { verdict: file?.verdict }
  }
  if (what === 'read') {
    const { prepareInflating } = await import('../src/ingestion/inflate/inflated.ts')
    prepareInflating()
    const { readSource } = await import('../src/ingestion/read-source.ts')
    const { httpClient } = await import('../src/ingestion/http-client.ts')
    const [path = '', work = ''] = args
    await readSource(httpClient(), { address: path, from: path, work })
    return {}
  }
  if (what === 'parquet') return parquet(args[0] ?? '', args[1] ?? '', Number(args[2]))
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
console.log(JSON.stringify({ ...says, cpuMs, rssBytes: used.maxRSS * 1_024 }))

/**
 * How fast a payer's file becomes columns, a verdict, and published rates, against decompression alone, in one run:
 *   node bench/ingest.ts FOLDER [--size 0.2,2,8] [--shape references,inline,references-last,unique] [--distinct 2]
 *                        [--files a.json.gz,…] [--peers] [--parquet] [--only read,validate,ingest]
 * FOLDER keeps the generated files; sizes are GB of JSON, of which `--distinct` GB differ (a larger file repeats them).
 * Each measurement is a process of its own, so that its peak of memory is its own. A ratio is against `gunzip -c > /dev/null`;
 * "without start" leaves out what the process took until its code was loaded. Peers are slow: they are for 0.2 GB.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedFile, type Shape } from './ingest-files.ts'
import { measured, shell, type Measure } from './ingest-measure.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '' },
    shape: { type: 'string', default: 'references,inline,references-last,unique' },
    distinct: { type: 'string', default: '2' },
    files: { type: 'string', default: '' },
    only: { type: 'string', default: 'read,validate,ingest' },
    threads: { type: 'string', default: '2' },
    peers: { type: 'boolean', default: false },
    parquet: { type: 'boolean', default: false },
  },
})
const listed = (text: string) => text.split(',').filter((part) => part !== '')
const folder = resolve(positionals[0] ?? '/tmp/ratebook-bench')
const rates = join(folder, 'rates')
const step = join(import.meta.dirname, 'ingest-step.ts')
const has = (command: string) => spawnSync('which', [command]).status === 0
mkdirSync(folder, { recursive: true })
// As bin/ratebook.js does it.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

/** Seconds and megabytes by what was measured, of each file: how they grow with size is told at the end. */
const results: { shape: string; size: number; what: string; ratio: number; rssMb: number }[] = []

async function one(name: string, path: string, shape = '', size = 0): Promise<void> {
  // Once before, so that every measurement finds the file in memory.
  spawnSync('cat', [path], { stdio: ['ignore', 'ignore', 'ignore'] })
  const gunzip = await shell(`gunzip -c '${path}' > /dev/null`)
  const zlib = await measured([step, 'zlib', path])
  const bytes = Number(zlib.says.bytes)
  const packed = statSync(path).size
  console.log(`\n${name}: ${(packed / 1e6).toFixed(1)} MB packed, ${(bytes / 1e6).toFixed(0)} MB of JSON`)
  const line = (what: string, measure: Measure, more = '') => {
    const { ms, cpuMs, rssBytes, workMs } = measure
    const ratio = gunzip.ms / ms
    const started = workMs ? ` (${(gunzip.ms / workMs).toFixed(2)} without start)` : ''
    const peak = rssBytes ? `, peak ${(rssBytes / 1e6).toFixed(0)} MB` : ''
    console.log(
      `  ${what.padEnd(20)} ${(ms / 1_000).toFixed(2).padStart(7)} s ${(bytes / ms / 1_000).toFixed(0).padStart(5)} MB/s` +
        `  ${ratio.toFixed(2).padStart(5)} x gunzip${started}; processor ${(cpuMs / 1_000).toFixed(2)} s${peak} ${more}`,
    )
    if (shape) results.push({ shape, size, what, ratio, rssMb: rssBytes / 1e6 })
  }
  line('gunzip -c', gunzip)
  line('node:zlib', zlib)
  if (has('igzip')) line('igzip -dc', await shell(`igzip -dc '${path}' > /dev/null`))
  const only = listed(values.only)
  if (only.includes('read'))
    line('read to columns', await measured([step, 'read', path, join(folder, 'stage')]))
  rmSync(join(folder, 'stage'), { recursive: true, force: true })
  if (only.includes('validate')) line('validate', await measured([step, 'validate', path]))
  if (only.includes('ingest')) await published(path, line)
  if (values.peers) await peers(path, line)
}

async function published(path: string, line: (what: string, measure: Measure, more?: string) => void) {
  rmSync(rates, { recursive: true, force: true })
  const ingest = await measured([step, 'ingest', path, rates, values.threads])
  const { prices = 1, entries = 1, buildBytes = 0, pricesPublished } = ingest.says as Record<string, number>
  line('ingest to published', ingest, `${pricesPublished} prices, ${entries} entries`)
  console.log(
    `  published: ${(buildBytes / prices).toFixed(2)} bytes a price, ${(buildBytes / entries).toFixed(4)} bytes an entry`,
  )
  // A file whose references lie elsewhere has no entry here, and nothing to flatten.
  if (values.parquet && entries > 0) {
    const { says } = await measured([step, 'parquet', rates, join(folder, 'parquet'), String(entries)])
    const { flatBytesPerEntry = 0, exportBytes = 0 } = says as Record<string, number>
    console.log(
      `  the same as flattened Parquet: ${flatBytesPerEntry.toFixed(4)} bytes an entry (${((flatBytesPerEntry * entries) / buildBytes).toFixed(0)} x published); exported, not flattened: ${(exportBytes / prices).toFixed(2)} bytes a price`,
    )
  }
  rmSync(rates, { recursive: true, force: true })
}

async function peers(path: string, line: (what: string, measure: Measure) => void): Promise<void> {
  line('stream-json', await measured([step, 'stream-json', path]))
  if (has('jq'))
    line('jq --stream', await shell(`gunzip -c '${path}' | jq -c --stream 'select(false)' > /dev/null`))
}

for (const path of listed(values.files)) await one(basename(path), path)
for (const size of listed(values.size).map(Number))
  for (const shape of listed(values.shape) as Shape[]) {
    const path = join(folder, `2026-05-01_${shape}-${size}.json.gz`)
    await generatedFile(path, shape, size * 1e9, Number(values.distinct) * 1e9)
    await one(`${shape}, ${size} GB`, path, shape, size)
  }

const growth = Map.groupBy(results, ({ shape, what }) => `${shape}, ${what}`)
for (const [what, rows] of growth)
  if (rows.length > 1)
    console.log(
      `${what}: ${rows.map(({ size, ratio, rssMb }) => `${size} GB ${ratio.toFixed(2)} x${rssMb ? ` ${rssMb.toFixed(0)} MB` : ''}`).join(' -> ')}`,
    )

/**
 * The whole way from a gzipped file to published and queryable rates, against decompression alone, in one run:
 *   node bench/ingest.ts FOLDER [GB…] [--shapes references,inline,…] [--files a.json.gz,…] [--peers] [--parquet]
 * FOLDER keeps the generated files. Each measurement is a process of its own, so that peaks of memory are its own.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedFile, type Shape } from './ingest-files.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    shapes: { type: 'string', default: 'references,inline' },
    files: { type: 'string', default: '' },
    threads: { type: 'string', default: '2' },
    peers: { type: 'boolean', default: false },
    parquet: { type: 'boolean', default: false },
  },
})
const folder = resolve(positionals[0] ?? '/tmp/ratebook-bench')
const sizes = positionals.slice(1).map(Number)
mkdirSync(folder, { recursive: true })

interface Measure {
  readonly ms: number
  /** Processor time of all its threads: what a busy machine does not stretch. */
  readonly cpuMs: number
  readonly rssBytes: number
  readonly says: Record<string, unknown>
}

/** Runs a process to its end; the last line it prints is JSON about itself. */
async function measured(command: string, args: readonly string[]): Promise<Measure> {
  const startedAt = performance.now()
  const running = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  running.stdout.on('data', (chunk: Buffer) => (out = (out + chunk.toString()).slice(-4_096)))
  const [code] = (await once(running, 'close')) as [number | null]
  const ms = performance.now() - startedAt
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  const says = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>
  return { ms, cpuMs: Number(says.cpuMs ?? 0), rssBytes: Number(says.rssBytes ?? 0), says }
}

/** Runs a shell command whose processor time bash counts. */
const shell = (command: string) =>
  measured('bash', [
    '-c',
    `TIMEFORMAT='%U %S'; used=$( { time { ${command}; } ; } 2>&1 ); echo "$used" | awk '{ printf "{\\"cpuMs\\":%d}\\n", ($1 + $2) * 1000 }'`,
  ])

const inflate = `const { createReadStream } = require('node:fs'); const { createGunzip } = require('node:zlib')
let bytes = 0
createReadStream(process.argv[1], { highWaterMark: 262144 }).pipe(createGunzip({ chunkSize: 262144 }))
  .on('data', (chunk) => (bytes += chunk.length)).on('end', () => { const used = process.resourceUsage(); console.log(JSON.stringify({ bytes, cpuMs: (used.userCPUTime + used.systemCPUTime) / 1000, rssBytes: used.maxRSS * 1024 })) })`

const step = join(import.meta.dirname, 'ingest-step.ts')

async function one(name: string, path: string): Promise<void> {
  // Once before, so that every measurement finds the file in memory.
  spawnSync('cat', [path], { stdio: ['ignore', 'ignore', 'ignore'] })
  const gunzip = await shell(`gunzip -c '${path}' > /dev/null`)
  const zlib = await measured(process.execPath, ['-e', inflate, path])
  const bytes = Number(zlib.says.bytes)
  const against = ({ ms }: Measure) => (gunzip.ms / ms).toFixed(2)
  const rss = ({ rssBytes }: Measure) => (rssBytes ? `${(rssBytes / 1e6).toFixed(0)} MB` : '')
  const line = (what: string, measure: Measure, more = '') => {
    const seconds = `${(measure.ms / 1_000).toFixed(2).padStart(7)} s ${(bytes / measure.ms / 1_000).toFixed(0).padStart(5)} MB/s`
    const times = `${against(measure).padStart(5)} x gunzip; processor ${(measure.cpuMs / 1_000).toFixed(2).padStart(6)} s ${(gunzip.cpuMs / measure.cpuMs).toFixed(2)} x`
    console.log(`${name.padEnd(26)} ${what.padEnd(20)} ${seconds} ${times} ${rss(measure)} ${more}`)
  }
  console.log(
    `\n${name}: ${(statSync(path).size / 1e6).toFixed(1)} MB packed, ${(bytes / 1e6).toFixed(0)} MB of JSON`,
  )
  line('gunzip -c', gunzip)
  line('node:zlib', zlib)
  const validate = await measured(process.execPath, [step, 'validate', path])
  line('validate', validate)
  const rates = join(folder, 'rates')
  rmSync(rates, { recursive: true, force: true })
  const read = await measured(process.execPath, [step, 'read', path, join(folder, 'stage')])
  line('read to columns', read)
  const ingest = await measured(process.execPath, [step, 'ingest', path, rates, values.threads])
  const { prices, entries, buildBytes, pricesPublished } = ingest.says as Record<string, number>
  line('ingest to published', ingest, `${pricesPublished} prices, ${entries} entries`)
  console.log(
    `${name.padEnd(26)} published: ${((buildBytes ?? 0) / (prices ?? 1)).toFixed(2)} bytes a price, ${((buildBytes ?? 0) / (entries ?? 1)).toFixed(4)} bytes an entry`,
  )
  if (values.parquet) {
    const flat = await measured(process.execPath, [
      step,
      'parquet',
      rates,
      join(folder, 'parquet'),
      String(entries),
    ])
    const { flatBytesPerEntry, exportBytes } = flat.says as Record<string, number>
    console.log(
      `${name.padEnd(26)} the same as flattened Parquet: ${(flatBytesPerEntry ?? 0).toFixed(4)} bytes an entry (${(((flatBytesPerEntry ?? 0) * (entries ?? 0)) / (buildBytes ?? 1)).toFixed(1)} x published); exported, not flattened: ${((exportBytes ?? 0) / (prices ?? 1)).toFixed(2)} bytes a price`,
    )
  }
  if (values.peers) {
    const jq = await shell(`gunzip -c '${path}' | jq -c --stream 'select(false)' > /dev/null`)
    line('jq --stream', jq)
  }
  rmSync(rates, { recursive: true, force: true })
  rmSync(join(folder, 'stage'), { recursive: true, force: true })
}

for (const path of values.files.split(',').filter((file) => file !== ''))
  await one(basename(path).slice(0, 26), path)
for (const size of sizes)
  for (const shape of values.shapes.split(',') as Shape[]) {
    const path = join(folder, `2026-05-01_${shape.replaceAll(' ', '-')}-${size}.json.gz`)
    await generatedFile(path, shape, size * 1e9)
    await one(`${shape}, ${size} GB`, path)
  }

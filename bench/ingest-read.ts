import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { readFile } from '../src/ingestion/reader/reader.ts'
import { validate } from '../src/ingestion/reader/validate.ts'
import { shapes, writePayerFile, type Shape } from './payer-file.ts'

/**
 * How fast a payer's file is read: gunzip and node:zlib to nothing, our reader to staged columns, our validation, and others,
 * on the same file in the same run.
 *
 *     node bench/ingest-read.ts [--sizes 0.2,2,8] [--shapes references,inline] [--rounds 3] [--files a.json.gz,b.json.gz]
 *
 * Sizes are GB of JSON. Speeds are of JSON bytes; `ratio` is against gunzip. Each measurement is a process of its own.
 */
const folder = process.env.RATEBOOK_BENCH ?? join(tmpdir(), 'ratebook-bench')

const unpacked = (path: string) =>
  createReadStream(path, { highWaterMark: 1 << 18 }).pipe(createGunzip({ chunkSize: 1 << 18 }))

const children: Record<string, (path: string) => Promise<number>> = {
  async zlib(path) {
    let bytes = 0
    for await (const chunk of unpacked(path)) bytes += (chunk as Buffer).length
    return bytes
  },
  async read(path) {
    const stage = join(folder, `stage-${process.pid}`)
    const file = await readFile(unpacked(path), stage)
    rmSync(stage, { recursive: true })
    return file.counts.prices
  },
  async 'read, plain TypeScript'(path) {
    const stage = join(folder, `stage-${process.pid}`)
    const file = await readFile(unpacked(path), stage, { plain: true })
    rmSync(stage, { recursive: true })
    return file.counts.prices
  },
  async validate(path) {
    return (await validate(unpacked(path))).counts.prices
  },
  async 'stream-json'(path) {
    const name = 'stream-json'
    const { parser } = (await import(name)) as { parser: () => NodeJS.ReadWriteStream }
    let tokens = 0
    for await (const token of unpacked(path).pipe(parser())) if (token) tokens++
    return tokens
  },
}

interface Measure {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMb: number
}

async function measured(command: string, args: string[]): Promise<Measure | undefined> {
  const started = performance.now()
  const child = spawn(
    '/usr/bin/env',
    ['bash', '-c', 'exec 3>&1; TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null', command, ...args],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) return undefined
  const [user = 0, system = 0] = (said.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { seconds, cpuSeconds: user + system, peakMb: Number(/peak (\d+)/.exec(said)?.[1] ?? 0) }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function compare(path: string, bytes: number, rounds: number, small: boolean) {
  const self = import.meta.filename
  const contenders: [string, string, string[]][] = [
    ['gunzip', 'gunzip', ['-c', path]],
    ['node:zlib', process.execPath, [self, '--child', 'zlib', path]],
    ['read', process.execPath, [self, '--child', 'read', path]],
    ['read, plain TypeScript', process.execPath, [self, '--child', 'read, plain TypeScript', path]],
    ['validate', process.execPath, [self, '--child', 'validate', path]],
  ]
  if (small) {
    contenders.push(['stream-json', process.execPath, [self, '--child', 'stream-json', path]])
    contenders.push(['jq', 'bash', ['-c', `gunzip -c '${path}' | jq '.in_network | length'`]])
  }
  let gunzip: Measure | undefined
  for (const [name, command, args] of contenders) {
    const rows: Measure[] = []
    for (let round = 0; round < (name === 'stream-json' || name === 'jq' ? 1 : rounds); round++) {
      const row = await measured(command, args)
      if (row) rows.push(row)
    }
    if (rows.length === 0) {
      console.log(`  ${name.padEnd(24)} not available`)
      continue
    }
    const seconds = median(rows.map((row) => row.seconds))
    const cpuSeconds = median(rows.map((row) => row.cpuSeconds))
    const peakMb = Math.max(...rows.map((row) => row.peakMb))
    gunzip ??= { seconds, cpuSeconds, peakMb }
    console.log(
      `  ${name.padEnd(24)} ${seconds.toFixed(2).padStart(8)} s ${(bytes / 1e6 / seconds).toFixed(0).padStart(6)} MB/s   ratio ${(gunzip.seconds / seconds).toFixed(2).padStart(5)}   cpu ${cpuSeconds.toFixed(2).padStart(7)} s${peakMb > 0 ? `   peak ${peakMb} MB` : ''}`,
    )
  }
}

function option(name: string, otherwise: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}

async function main() {
  mkdirSync(folder, { recursive: true })
  const rounds = Number(option('rounds', '3'))
  const files = option('files', '')
  if (files !== '') {
    for (const path of files.split(',')) {
      const bytes = Number(spawnSync('bash', ['-c', `gunzip -c '${path}' | wc -c`]).stdout.toString())
      console.log(
        `${path}: ${(bytes / 1e6).toFixed(0)} MB of JSON, ${(statSync(path).size / 1e6).toFixed(1)} MB gzipped`,
      )
      await compare(path, bytes, rounds, false)
    }
    return
  }
  for (const size of option('sizes', '0.05').split(',').map(Number)) {
    for (const shape of option('shapes', shapes.join(',')).split(',') as Shape[]) {
      const path = join(folder, `${shape}-${size}.json.gz`)
      const bytes = Math.round(size * 1e9)
      if (!existsSync(path)) await writePayerFile(path, shape, bytes)
      console.log(`${shape}, ${size} GB of JSON, ${(statSync(path).size / 1e6).toFixed(1)} MB gzipped`)
      await compare(path, bytes, rounds, size <= 0.05)
    }
  }
}

if (process.argv[2] === '--child') {
  await children[process.argv[3]!]!(process.argv[4]!)
  console.error(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)}`)
} else await main()

/**
 * Rows per second of `ratebook load nppes` on a generated main file, against `wc -l` and DuckDB's CSV reader alone on
 * the same file, with CPU seconds and peak memory of each. Rows: first argument, default 2,000,000 (about 2.4 GB).
 *   node bench/directory-load.ts [rows] [folder]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { loadNppes } from '../src/directory/nppes.ts'
import { writeNppes } from './nppes-rows.ts'

const [mode, ...given] = process.argv.slice(2)

/** What this process used: seconds of CPU tell on a busy machine what the clock does not. */
function used(): string {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return `${((userCPUTime + systemCPUTime) / 1e6).toFixed(1).padStart(7)} CPU s   peak ${Math.round(maxRSS / 1024)} MB`
}

async function readerAlone(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' })
  const connection = await instance.connect()
  // Every column is asked for: counting alone would skip the parsing of values.
  await connection.run(
    `select min(columns(*)) from read_csv('${file}', header = true, all_varchar = true, quote = '"', escape = '"')`,
  )
}

async function load(folder: string, file: string): Promise<void> {
  const report = await loadNppes(folder, [file])
  if (report.findings.some(({ weight }) => weight === 'problem')) console.log(report.findings)
}

/** One measured run in a process of its own, so that its peak memory is its own. */
function measured(name: string, rows: number, args: readonly string[]): void {
  const started = performance.now()
  const run = spawnSync(process.execPath, [import.meta.filename, ...args], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  line(name, rows, (performance.now() - started) / 1000, run.stdout.trimEnd())
}

function line(name: string, rows: number, seconds: number, memory: string): void {
  const rate = Math.round(rows / seconds).toLocaleString('en-US')
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(1).padStart(7)} s ${rate.padStart(12)} rows/s   ${memory}`,
  )
}

if (mode === '--reader') {
  await readerAlone(given[0] ?? '')
  console.log(used())
} else if (mode === '--load') {
  await load(given[0] ?? '', given[1] ?? '')
  console.log(used())
} else {
  const rows = Number(mode ?? 2_000_000)
  const folder = given[0] ?? join(tmpdir(), 'ratebook-directory-load')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `npidata-${rows}.csv`)
  if (!existsSync(file)) await writeNppes(file, rows)
  console.log(`${rows.toLocaleString('en-US')} rows, ${(statSync(file).size / 1e9).toFixed(2)} GB`)
  execFileSync('wc', ['-l', file])
  const started = performance.now()
  execFileSync('wc', ['-l', file])
  line('wc -l', rows, (performance.now() - started) / 1000, '')
  measured('DuckDB reader, all columns', rows, ['--reader', file])
  const data = join(folder, 'data')
  rmSync(data, { recursive: true, force: true })
  measured('ratebook load, first', rows, ['--load', data, file])
  const week = join(folder, 'week.csv')
  await writeNppes(week, 20_000, rows - 10_000)
  measured('ratebook load, weekly 20,000', rows, ['--load', data, week])
  console.log(`stored ${(sizeOf(data) / 1e6).toFixed(0)} MB`)
  rmSync(data, { recursive: true, force: true })
}

function sizeOf(folder: string): number {
  return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
}

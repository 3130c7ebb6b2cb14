import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { demoMonths, demoPayers } from '../../src/demo/payers.ts'
import { writePayerMonth } from '../../src/demo/payer-files.ts'
import { demoWorld } from '../../src/demo/providers.ts'
import { Random } from '../../src/demo/random.ts'
import { readManifest } from '../../src/warehouse/manifest.ts'

const child = join(import.meta.dirname, 'ingest-child.ts')

export interface KillReport {
  /** Published files and their digests after an undisturbed ingest. */
  readonly expected: Readonly<Record<string, string>>
  /** The same after all the kills and a last run to the end. */
  readonly found: Readonly<Record<string, string>>
  /** Kills that hit before the ingest was over. */
  readonly kills: number
  /** What was published after each kill: months named by the manifest. */
  readonly publishedAfterKills: readonly number[]
  /** What a manifest named after a kill that was not whole on disk. */
  readonly broken: readonly string[]
}

/** Ingests a demo payer's two months, killed without warning `rounds` times at random moments, and then to the end. */
export async function ingestUnderKills(folder: string, rounds: number, seed: string): Promise<KillReport> {
  const world = demoWorld()
  const [, payer] = demoPayers
  if (payer === undefined) throw new Error('no payer')
  const sources: string[] = []
  for (const month of demoMonths.slice(0, 2)) sources.push(await writePayerMonth(folder, world, payer, month))

  const calm = join(folder, 'calm')
  const startedAt = performance.now()
  await toTheEnd([calm, ...sources])
  const wholeMs = performance.now() - startedAt

  const random = new Random(seed)
  const rates = join(folder, 'killed')
  let kills = 0
  const publishedAfterKills: number[] = []
  const broken: string[] = []
  for (let round = 0; round < rounds; round++) {
    // Now and then from the beginning, so that every phase is hit again.
    if (round % 5 === 4) rmSync(rates, { recursive: true, force: true })
    const running = spawn(process.execPath, [child, rates, ...sources], { stdio: 'ignore' })
    const over = once(running, 'exit')
    await Promise.race([over, wait(random.next() * wholeMs)])
    if (running.exitCode === null) kills++
    running.kill('SIGKILL')
    await over
    const { builds } = await readManifest(rates)
    publishedAfterKills.push(builds.length)
    for (const { build } of builds)
      if (!existsSync(join(rates, 'builds', build, 'build.json'))) broken.push(`round ${round}: ${build}`)
  }
  await toTheEnd([rates, ...sources])
  return {
    expected: await published(calm),
    found: await published(rates),
    kills,
    publishedAfterKills,
    broken,
  }
}

async function toTheEnd(args: readonly string[]): Promise<void> {
  const running = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let says = ''
  running.stderr.on('data', (chunk: Buffer) => (says += chunk.toString()))
  const [code] = (await once(running, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the ingest ended with ${code}: ${says}`)
}

/** Every file of every published build, by name and digest. */
async function published(rates: string): Promise<Record<string, string>> {
  const { builds } = await readManifest(rates)
  const files: Record<string, string> = {}
  for (const { build } of builds)
    for (const name of readdirSync(join(rates, 'builds', build)).sort())
      files[`${build}/${name}`] = createHash('sha256')
        .update(readFileSync(join(rates, 'builds', build, name)))
        .digest('hex')
  return files
}

import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import type { BuiltMonth } from './build-month.ts'
import { buildFiles } from './build-layout.ts'
import { makeFolder, replaceFile } from '../files/durable-files.ts'
import { isAlive } from '../files/living.ts'
import { order } from './terms.ts'

/** What is published: one build per payer and month. Replaced whole; readers hold the one they opened. */
export interface Manifest {
  readonly format: 1
  /** Names this state of the data. Later states sort after earlier ones. */
  readonly snapshot: string
  readonly publishedAt: string
  /** The snapshot that this one replaced, which a rollback returns to. */
  readonly previous?: string
  readonly builds: readonly BuiltMonth[]
}

const manifestFile = 'manifest.json'
const nothing: Manifest = { format: 1, snapshot: 'empty', publishedAt: '', builds: [] }

/** The present manifest; an empty one where nothing was ever published. */
export async function readManifest(rates: string): Promise<Manifest> {
  return readFileIfAny(join(rates, manifestFile)) ?? nothing
}

/** A manifest that was current once, while it is kept. */
export async function readSnapshot(rates: string, snapshot: string): Promise<Manifest | undefined> {
  if (!/^[\w-]+$/.test(snapshot)) return undefined
  return readFileIfAny(join(rates, 'snapshots', `${snapshot}.json`))
}

/** Every kept snapshot, newest first. */
export async function snapshots(rates: string): Promise<Manifest[]> {
  const folder = join(rates, 'snapshots')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names
    .sort((a, b) => order(b, a))
    .map((name) => readFileIfAny(join(folder, name)))
    .filter((manifest) => manifest !== undefined)
}

/** Makes builds visible, all at once. Each replaces the build of its payer and month. */
export async function publishBuilds(rates: string, builds: readonly BuiltMonth[]): Promise<Manifest> {
  for (const { build } of builds)
    if (!existsSync(join(rates, 'builds', build, buildFiles.summary)))
      throw new Error(`There is no finished build ${build} to publish.`)
  return change(rates, (before) => {
    const replaced = new Set(builds.map(keyOf))
    return { builds: [...before.builds.filter((build) => !replaced.has(keyOf(build))), ...builds] }
  })
}

/** Takes a payer's month out of what is published. */
export async function dropMonth(rates: string, payer: string, month: SourceMonth): Promise<Manifest> {
  return change(rates, (before) => {
    const builds = before.builds.filter((build) => build.payer !== payer || build.month !== month)
    if (builds.length === before.builds.length)
      throw new Failure('not_found', `${payer} has no published month ${month}.`)
    return { builds }
  })
}

/** Makes the builds of an earlier snapshot current again; without a name, those before the last change. */
export async function rollback(rates: string, snapshot?: string): Promise<Manifest> {
  return change(rates, async (before) => {
    const to = snapshot ?? before.previous
    const manifest =
      to === undefined ? undefined : to === nothing.snapshot ? nothing : await readSnapshot(rates, to)
    if (!manifest)
      throw new Failure('not_found', `There is no snapshot ${to ?? 'before this one'} to go back to.`)
    for (const { build } of manifest.builds)
      if (!existsSync(join(rates, 'builds', build, buildFiles.summary)))
        throw new Failure('conflict', `Snapshot ${to} names build ${build}, which has been collected.`)
    return { builds: manifest.builds, previous: manifest.previous }
  })
}

export interface CollectOptions {
  /** How long a replaced snapshot stays readable: as long as cursors made on it may live. */
  readonly keepMs?: number
  readonly now?: number
}

const dayMs = 86_400_000

/** Removes snapshots that nobody can hold any more, and builds that no kept snapshot names. */
export async function collectOldBuilds(
  rates: string,
  { keepMs = dayMs, now = Date.now() }: CollectOptions = {},
): Promise<{ removed: string[] }> {
  return locked(rates, async () => {
    const current = await readManifest(rates)
    const held = heldSnapshots(rates)
    const kept: Manifest[] = [current]
    // A snapshot was replaced when the next newer one was published.
    let replacedAt = Infinity
    for (const manifest of await snapshots(rates)) {
      const stays =
        manifest.snapshot === current.snapshot || held.has(manifest.snapshot) || now - replacedAt < keepMs
      if (stays) kept.push(manifest)
      else rmSync(join(rates, 'snapshots', `${manifest.snapshot}.json`), { force: true })
      replacedAt = Date.parse(manifest.publishedAt)
    }
    const named = new Set(kept.flatMap(({ builds }) => builds.map(({ build }) => build)))
    const folder = join(rates, 'builds')
    const removed: string[] = []
    for (const build of existsSync(folder) ? readdirSync(folder) : []) {
      const owner = /^partial-.*-(\d+)$/.exec(build)?.[1]
      // A finished build that no manifest names yet may be about to be published.
      const waiting = owner ? isAlive(Number(owner)) : now - statSync(join(folder, build)).mtimeMs < keepMs
      if (named.has(build) || waiting) continue
      rmSync(join(folder, build), { recursive: true, force: true })
      removed.push(build)
    }
    return { removed }
  })
}

/** Marks a snapshot as in use by this process, until released. */
export function holdSnapshot(rates: string, snapshot: string): () => void {
  const folder = join(rates, 'holds')
  makeFolder(folder)
  const path = join(folder, `${process.pid}-${snapshot}`)
  writeFileSync(path, '')
  return () => rmSync(path, { force: true })
}

function heldSnapshots(rates: string): Set<string> {
  const folder = join(rates, 'holds')
  const held = new Set<string>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid, snapshot] = /^(\d+)-(.+)$/.exec(name) ?? []
    if (pid && snapshot && isAlive(Number(pid))) held.add(snapshot)
    else rmSync(join(folder, name), { force: true })
  }
  return held
}

async function change(
  rates: string,
  next: (
    before: Manifest,
  ) =>
    | (Pick<Manifest, 'builds'> & { previous?: string | undefined })
    | Promise<Pick<Manifest, 'builds'> & { previous?: string | undefined }>,
): Promise<Manifest> {
  makeFolder(join(rates, 'snapshots'))
  return locked(rates, async () => {
    const before = await readManifest(rates)
    const changed = await next(before)
    const { builds } = changed
    const previous = 'previous' in changed ? changed.previous : before.snapshot
    const sorted = [...builds].sort((a, b) => order(a.payer, b.payer) || a.month - b.month)
    const publishedAt = new Date(
      Math.max(Date.now(), (Date.parse(before.publishedAt) || 0) + 1),
    ).toISOString()
    const manifest: Manifest = {
      format: 1,
      snapshot: snapshotId(publishedAt, sorted),
      publishedAt,
      ...(previous !== undefined && { previous }),
      builds: sorted,
    }
    const text = JSON.stringify(manifest, null, 1)
    replaceFile(join(rates, 'snapshots', `${manifest.snapshot}.json`), text)
    replaceFile(join(rates, manifestFile), text)
    return manifest
  })
}

const keyOf = ({ payer, month }: BuiltMonth) => `${month} ${payer}`

function snapshotId(publishedAt: string, builds: readonly BuiltMonth[]): string {
  const hash = createHash('sha256').update(JSON.stringify([publishedAt, builds.map(({ build }) => build)]))
  return `${publishedAt.replaceAll(/[-:.Z]/g, '')}-${hash.digest('hex').slice(0, 8)}`
}

function readFileIfAny(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const lockWaitMs = 60_000

/** One process at a time changes what is published. A lock whose owner has died is taken over. */
async function locked<Result>(rates: string, work: () => Promise<Result>): Promise<Result> {
  makeFolder(rates)
  const path = join(rates, 'manifest.lock')
  for (const since = Date.now(); !tookLock(path); await setTimeout(25))
    if (Date.now() - since > lockWaitMs)
      throw new Failure('conflict', 'Another process has been publishing for a minute.')
  try {
    return await work()
  } finally {
    unlinkSync(path)
  }
}

function tookLock(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx')
    writeFileSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const age = ageOf(path)
    const owner = age === undefined ? NaN : Number(readIfAny(path))
    // An empty lock is being written this instant, unless it is old.
    if (age !== undefined && (owner ? !isAlive(owner) : age > 5_000)) rmSync(path, { force: true })
    return false
  }
}

function ageOf(path: string): number | undefined {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return undefined
  }
}

function readIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { lockIfFree } from '../files/lock.ts'
import { readManifest } from '../warehouse/manifest.ts'
import { currentBuild, directoryOf, indexFolder, json, publishIndex } from './pointer.ts'
import type { BuiltIndex } from './build-index.ts'
import type { IndexDescription } from './records.ts'

/** What the build thread is handed. */
export interface BuildOrder {
  readonly folder: string
  readonly providersFile: string | undefined
  readonly hospitalsFile: string | undefined
  /** Folders of the builds that say which payer lists whom. */
  readonly rateBuilds: readonly string[]
}

/** What the build thread reports. */
export type BuildReport =
  | { readonly kind: 'progress'; readonly part: string; readonly rows: number }
  | { readonly kind: 'built'; readonly built: BuiltIndex }

export interface RefreshOptions {
  readonly progress?: (done: { readonly part: string; readonly rows: number }) => void
}

interface DirectoryPointer {
  readonly datasets: Readonly<Partial<Record<string, { readonly build: string; readonly file: string }>>>
}

/** Raised when the layout of an index or the words it is made of change. */
const indexFormat = 3
/** A bound makes the collector tidy up in time; nine million providers need about half of it. */
const heapMb = 384
const lockWaitMs = 250

/**
 * Makes the index anew if the directory or the published rates changed since it was made, and publishes it.
 * Safe to call at any time from any process: one builds, the others wait and find the work done.
 * Returns the name of the build that is current afterwards; undefined while no directory is loaded.
 */
export async function refreshIndex(
  dataFolder: string,
  options: RefreshOptions = {},
): Promise<string | undefined> {
  for (;;) {
    const wanted = await wantedIndex(dataFolder)
    if (wanted === undefined) return undefined
    if ((await currentBuild(dataFolder)) === wanted.build) return wanted.build
    // Published TINs can be found before any reference file was loaded.
    await mkdir(directoryOf(dataFolder), { recursive: true })
    const lock = lockIfFree(directoryOf(dataFolder), 'search')
    if (lock === undefined) {
      await setTimeout(lockWaitMs)
      continue
    }
    try {
      await makeIndex(dataFolder, wanted, options)
      return wanted.build
    } finally {
      lock.release()
    }
  }
}

interface Wanted {
  readonly build: string
  readonly providers: string | undefined
  readonly hospitals: string | undefined
  readonly listed: readonly string[]
  readonly order: Omit<BuildOrder, 'folder'>
}

/** The index that the present data call for. Its name follows from what it is made of. */
async function wantedIndex(dataFolder: string): Promise<Wanted | undefined> {
  const pointer = await json<DirectoryPointer>(join(directoryOf(dataFolder), 'current.json'))
  const rates = join(dataFolder, 'rates')
  const newest = new Map<string, { month: number; build: string }>()
  for (const { payer, month, build } of (await readManifest(rates)).builds)
    if ((newest.get(payer)?.month ?? 0) < month) newest.set(payer, { month, build })
  const listed = [...newest.values()].map(({ build }) => build).sort()
  const { providers, hospitals } = pointer?.datasets ?? {}
  if (providers === undefined && hospitals === undefined && listed.length === 0) return undefined
  const made = JSON.stringify([indexFormat, providers?.build, hospitals?.build, listed])
  const id = createHash('sha256').update(made).digest('hex').slice(0, 12)
  const file = (dataset: { readonly file: string } | undefined) =>
    dataset === undefined ? undefined : join(directoryOf(dataFolder), dataset.file)
  return {
    build: `search-${id}`,
    providers: providers?.build,
    hospitals: hospitals?.build,
    listed,
    order: {
      providersFile: file(providers),
      hospitalsFile: file(hospitals),
      rateBuilds: listed.map((build) => join(rates, 'builds', build)),
    },
  }
}

async function makeIndex(dataFolder: string, wanted: Wanted, options: RefreshOptions): Promise<void> {
  const before = await currentBuild(dataFolder)
  if (before === wanted.build) return
  const folder = indexFolder(dataFolder, wanted.build)
  if (!existsSync(join(folder, 'index.json'))) {
    const partial = `${folder}.partial-${process.pid}`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { recursive: true })
    try {
      const built = await buildAside({ folder: partial, ...wanted.order }, options)
      const description: IndexDescription = {
        format: indexFormat,
        id: wanted.build,
        madeAt: new Date().toISOString(),
        providers: wanted.providers,
        hospitals: wanted.hospitals,
        listed: wanted.listed,
        ...built,
      }
      await writeFile(join(partial, 'index.json'), JSON.stringify(description), { flush: true })
      await rm(folder, { recursive: true, force: true })
      await rename(partial, folder)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  }
  await publishIndex(dataFolder, wanted.build)
  await removeOld(dataFolder, new Set([wanted.build, before ?? '']))
}

/** Builds in a thread of its own: minutes of work that the event loop must not feel. */
function buildAside(order: BuildOrder, { progress }: RefreshOptions): Promise<BuiltIndex> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    worker.on('message', (report: BuildReport) => {
      if (report.kind === 'built') resolve(report.built)
      else progress?.(report)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the index builder ended before it was done')))
  })
}

/** The index before this one stays for those who hold it; older ones and what a killed build left go. */
async function removeOld(dataFolder: string, keep: ReadonlySet<string>): Promise<void> {
  const builds = join(directoryOf(dataFolder), 'builds')
  for (const name of await readdir(builds))
    if (name.startsWith('search-') && !keep.has(name))
      await rm(join(builds, name), { recursive: true, force: true })
}

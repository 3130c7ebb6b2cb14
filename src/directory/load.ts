import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../errors.ts'
import { isUrl } from '../files/address.ts'
import { takeLock } from '../files/lock.ts'
import { Findings, type Finding } from './findings.ts'
import {
  directoryFolder,
  makeFolders,
  workFolder,
  type BuildSource,
  type DatasetEntry,
  type DatasetName,
} from './pointer.ts'
import type { Progress } from './progress.ts'
import { isDownload, localFile, publishedName } from './source.ts'
import { unpacked, type ReferenceFile } from './unpack.ts'

/** What a load took, found and published. */
export interface LoadReport {
  readonly dataset: DatasetName
  readonly build: string
  /** False where every source was loaded before. */
  readonly changed: boolean
  readonly rows: number
  /** The sources of this load (a build may hold more, from earlier loads). */
  readonly sources: readonly BuildSource[]
  readonly findings: readonly Finding[]
  readonly counts: Readonly<Record<string, number>>
  readonly seconds: number
}

/** What a loader of one dataset is handed. */
export interface Load {
  readonly folder: string
  readonly work: string
  readonly findings: Findings
  readonly progress: Progress
  /** The sources' files, unpacked one at a time; each is gone when the next is asked for. */
  files(): AsyncGenerator<ReferenceFile>
}

export interface Loaded {
  readonly entry: DatasetEntry
  readonly changed: boolean
  readonly sources: readonly BuildSource[]
  readonly counts?: Readonly<Record<string, number>>
}

export interface LoadOptions {
  readonly progress?: Progress
}

/** Runs a loader over sources under the directory's lock and reports. Nothing is visible to readers until it publishes. */
export async function runLoad(
  dataFolder: string,
  dataset: DatasetName,
  sources: readonly string[],
  { progress = () => undefined }: LoadOptions,
  loader: (load: Load) => Promise<Loaded>,
): Promise<LoadReport> {
  const started = performance.now()
  const folder = directoryFolder(dataFolder)
  await makeFolders(folder)
  const findings = new Findings()
  const work = workFolder(folder)
  // Two loaders that publish at once would each forget the other's build.
  const lock = takeLock(folder, 'loading', 'a load into this data folder')
  try {
    await clear(work, (name) => !isDownload(name))
    const files = () => filesOf(sources, work, findings, progress)
    const {
      entry,
      changed,
      sources: taken,
      counts = {},
    } = await loader({ folder, work, findings, progress, files })
    await clear(work, () => true)
    return {
      dataset,
      build: entry.build,
      changed,
      rows: entry.rows,
      sources: taken,
      findings: findings.list,
      counts,
      seconds: Math.round(performance.now() - started) / 1000,
    }
  } finally {
    lock.release()
  }
}

/** Removes what a load left behind that was killed; nobody else works here while the lock is held. */
async function clear(work: string, goes: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(work))
    if (goes(name)) await rm(join(work, name), { recursive: true, force: true })
}

async function* filesOf(
  sources: readonly string[],
  work: string,
  findings: Findings,
  progress: Progress,
): AsyncGenerator<ReferenceFile> {
  for (const source of sources) {
    for (const path of await pathsOf(source)) {
      const local = await localFile(path, work, progress)
      const name = publishedName(basename(local))
      for await (const file of unpacked(local, work, findings, progress, local === path ? undefined : name)) {
        try {
          yield file
        } finally {
          if (file.temporary) await rm(file.path, { force: true })
        }
      }
    }
  }
}

/** The files of a folder in name order, or the source itself. */
async function pathsOf(source: string): Promise<string[]> {
  if (isUrl(source)) return [source]
  const facts = await stat(source).catch(() => undefined)
  if (facts === undefined) throw new Failure('invalid_request', `There is no file ${source}.`)
  if (!facts.isDirectory()) return [source]
  const entries = await readdir(source, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** A source that no reader of the dataset knows. */
export function noteUnknown(findings: Findings, file: ReferenceFile, expected: string): void {
  findings.problem(
    file.name,
    `the headings are none that are known here (${expected}); the file was not taken`,
  )
}

const problemsTold = 10

/** A load of which nothing could be used is the caller's mistake. */
export function nothingTaken(findings: Findings): Failure {
  const problems = findings.list.map(({ file, column, says }) => ({
    path: column === undefined ? file : `${file}, ${column}`,
    message: says,
  }))
  const told = problems.slice(0, problemsTold).map(({ path, message }) => `\n  ${path}: ${message}`)
  return new Failure(
    'invalid_request',
    `None of the sources could be loaded; nothing was changed.${told.join('')}`,
    {
      problems,
    },
  )
}

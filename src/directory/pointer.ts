import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile } from '../files/kept-file.ts'

/** One publisher's file that went into a build. */
export interface BuildSource {
  readonly name: string
  readonly kind: string
  /** SHA-256 of the unpacked content. */
  readonly digest: string
  readonly rows: number
}

/** What `current.json` says about one dataset. */
export interface DatasetEntry {
  readonly build: string
  /** Path of the data file, from the directory folder. */
  readonly file: string
  readonly origin: 'official' | 'demo'
  readonly loadedAt: string
  readonly rows: number
  readonly sources: readonly BuildSource[]
}

export type DatasetName = 'providers' | 'hospitals' | 'taxonomy' | 'medicare'

/** The pointer: which immutable build of each dataset is current. */
export interface DirectoryPointer {
  readonly format: 1
  readonly publishedAt: string
  readonly datasets: Readonly<Partial<Record<DatasetName, DatasetEntry>>>
}

export const directoryFolder = (dataFolder: string) => join(dataFolder, 'directory')
export const buildsFolder = (folder: string) => join(folder, 'builds')
export const workFolder = (folder: string) => join(folder, 'work')

const pointerFile = (folder: string) => join(folder, 'current.json')

/** What is current; no datasets where nothing was loaded yet. */
export async function readPointer(folder: string): Promise<DirectoryPointer> {
  try {
    return JSON.parse(await readFile(pointerFile(folder), 'utf8')) as DirectoryPointer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { format: 1, publishedAt: '', datasets: {} }
  }
}

/**
 * Makes a finished build the current one: a reader sees the old directory or the new one and nothing between. The build before stays for those who hold it.
 */
export async function publishDataset(folder: string, name: DatasetName, entry: DatasetEntry): Promise<void> {
  const pointer = await readPointer(folder)
  const before = pointer.datasets[name]
  const next: DirectoryPointer = {
    format: 1,
    publishedAt: entry.loadedAt,
    datasets: { ...pointer.datasets, [name]: entry },
  }
  await keepFile(pointerFile(folder), `${JSON.stringify(next, undefined, 2)}\n`)
  await removeOldBuilds(folder, name, new Set([entry.build, before?.build ?? '']))
}

async function removeOldBuilds(folder: string, name: DatasetName, keep: ReadonlySet<string>): Promise<void> {
  const builds = buildsFolder(folder)
  if (!existsSync(builds)) return
  for (const build of await readdir(builds))
    if (build.startsWith(`${name}-`) && !keep.has(build))
      await rm(join(builds, build), { recursive: true, force: true })
}

/** Makes the folders of a directory that is loaded for the first time. */
export async function makeFolders(folder: string): Promise<void> {
  await mkdir(buildsFolder(folder), { recursive: true })
  await mkdir(workFolder(folder), { recursive: true })
}

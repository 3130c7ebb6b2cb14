import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile } from '../files/kept-file.ts'

/**
 * Which index is current. The index has a pointer of its own beside the directory's `current.json`: it is made from
 * the directory and from published rates, by whichever process notices a change first, and must not be in the way of
 * the loader that writes the other.
 */
interface IndexPointer {
  readonly format: 1
  readonly build: string
}

export const directoryOf = (dataFolder: string) => join(dataFolder, 'directory')
export const indexFolder = (dataFolder: string, build: string) =>
  join(directoryOf(dataFolder), 'builds', build)
const pointerFile = (dataFolder: string) => join(directoryOf(dataFolder), 'search.json')

/** The name of the current index's build; undefined before the first. */
export async function currentBuild(dataFolder: string): Promise<string | undefined> {
  return (await json<IndexPointer>(pointerFile(dataFolder)))?.build
}

/** The folder of the current index. */
export async function currentIndex(dataFolder: string): Promise<string | undefined> {
  const build = await currentBuild(dataFolder)
  return build === undefined ? undefined : indexFolder(dataFolder, build)
}

/** Makes a finished build the current one: readers see the old pointer or the new one, never something between. */
export async function publishIndex(dataFolder: string, build: string): Promise<void> {
  const pointer: IndexPointer = { format: 1, build }
  await keepFile(pointerFile(dataFolder), `${JSON.stringify(pointer)}\n`)
}

/** A JSON file's content; undefined where there is no such file. */
export async function json<Content>(path: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

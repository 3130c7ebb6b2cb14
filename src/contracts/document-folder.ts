import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile } from '../files/kept-file.ts'

/** Where the files of one contract lie. */
export const documentFolder = (dataFolder: string, organizationId: string, id: string) =>
  join(dataFolder, 'contracts', organizationId, id)

export const documentPath = (folder: string) => join(folder, 'document')

/** Keeps a file of a contract for its owner's eyes: it is whole on the disk, or not there at all. */
export async function keepDocument(folder: string, name: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await keepFile(join(folder, name), bytes, 0o600)
}

export const forgetFolder = (folder: string) => rm(folder, { recursive: true, force: true })

/** The text of a contract, page by page, as the extractor read it. */
export async function keptText(folder: string): Promise<string[]> {
  return JSON.parse(await readFile(join(folder, 'text.json'), 'utf8')) as string[]
}

export const keepText = (folder: string, pages: readonly string[]) =>
  keepDocument(folder, 'text.json', JSON.stringify(pages))

export async function openDocument(folder: string) {
  const { size } = await stat(documentPath(folder))
  return { bytes: size, stream: createReadStream(documentPath(folder)) }
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile } from '../files/kept-file.ts'

export const contractsFolder = (dataFolder: string) => join(dataFolder, 'contracts')

/** Where the files of one contract lie. */
export const documentFolder = (dataFolder: string, organizationId: string, id: string) =>
  join(contractsFolder(dataFolder), organizationId, id)

export const documentPath = (folder: string) => join(folder, 'document')

/** A file that is whole on the disk. */
export interface KeptFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Keeps a document as it arrives, for its owner's eyes: it is whole on the disk, or not there at all. */
export async function keepDocument(
  folder: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<KeptFile> {
  await mkdir(folder, { recursive: true })
  const path = documentPath(folder)
  const hash = createHash('sha256')
  let bytes = 0
  const counted = async function* () {
    for await (const piece of pieces) {
      bytes += piece.length
      hash.update(piece)
      yield piece
    }
  }
  await keepFile(path, counted(), ownerOnly)
  return { path, bytes, sha256: hash.digest('hex') }
}

const ownerOnly = 0o600

export const forgetFolder = (folder: string) => rm(folder, { recursive: true, force: true })

/** The text of a contract, page by page, as the extractor read it. */
export async function keptText(folder: string): Promise<string[]> {
  return JSON.parse(await readFile(join(folder, 'text.json'), 'utf8')) as string[]
}

export const keepText = (folder: string, pages: readonly string[]) =>
  keepFile(join(folder, 'text.json'), JSON.stringify(pages), ownerOnly)

export async function openDocument(folder: string) {
  const { size } = await stat(documentPath(folder))
  return { bytes: size, stream: createReadStream(documentPath(folder)) }
}

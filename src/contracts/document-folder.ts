import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

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

/** Keeps a file as it arrives, so that it is whole on the disk or not there at all. */
export async function keepFile(
  folder: string,
  name: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<KeptFile> {
  await mkdir(folder, { recursive: true })
  const part = join(folder, `${name}.part-${process.pid}`)
  const path = join(folder, name)
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(part, 'w', 0o600)
  try {
    for await (const piece of pieces) {
      bytes += piece.length
      hash.update(piece)
      await file.writeFile(piece)
    }
    await file.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await file.close()
  }
  await rename(part, path)
  const parent = await open(folder)
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

export const forgetFolder = (folder: string) => rm(folder, { recursive: true, force: true })

/** The text of a contract, page by page, as the extractor read it. */
export async function keptText(folder: string): Promise<string[]> {
  return JSON.parse(await readFile(join(folder, 'text.json'), 'utf8')) as string[]
}

export const keepText = (folder: string, pages: readonly string[]) =>
  keepFile(folder, 'text.json', [Buffer.from(JSON.stringify(pages))])

export async function openDocument(folder: string) {
  const { size } = await stat(documentPath(folder))
  return { bytes: size, stream: createReadStream(documentPath(folder)) }
}

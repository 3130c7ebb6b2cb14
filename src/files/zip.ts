import type { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'

export interface ZipEntry {
  readonly name: string
  readonly packedBytes: number
  readonly bytes: () => AsyncIterable<Uint8Array>
}

/** The files of a zip archive on disk, in the order of its directory; an Error in their place where the archive is damaged. */
export async function* zipEntries(path: string): AsyncGenerator<ZipEntry | Error, void> {
  let zip: ZipFile
  try {
    zip = await opened(path)
  } catch (error) {
    yield error as Error
    return
  }
  try {
    for (;;) {
      const entry = await nextEntry(zip).catch((error: unknown) => error as Error)
      if (entry === undefined) return
      if (entry instanceof Error) return yield entry
      // Folders, and what macOS adds beside each file.
      if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue
      yield {
        name: entry.fileName,
        packedBytes: entry.compressedSize,
        bytes: () => entryBytes(zip, entry),
      }
    }
  } finally {
    zip.close()
  }
}

async function opened(path: string): Promise<ZipFile> {
  const { open } = await import('yauzl')
  return new Promise<ZipFile>((resolve, reject) => {
    // Sizes in a directory may lie; the bytes that come out are counted by the caller.
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) => {
      if (error) reject(error)
      else resolve(zip)
    })
  })
}

const nextEntry = (zip: ZipFile) =>
  new Promise<Entry | undefined>((resolve, reject) => {
    const settle = (deed: () => void) => {
      zip.removeAllListeners('entry').removeAllListeners('end').removeAllListeners('error')
      deed()
    }
    zip.on('entry', (entry: Entry) => settle(() => resolve(entry)))
    zip.on('end', () => settle(() => resolve(undefined)))
    zip.on('error', (error: Error) => settle(() => reject(error)))
    zip.readEntry()
  })

async function* entryBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => {
      if (error) reject(error)
      else resolve(opened)
    })
  })
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } finally {
    stream.destroy()
  }
}

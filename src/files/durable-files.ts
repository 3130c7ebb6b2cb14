import {
  closeSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const synced = promisify(fsync)

/** A file written front to back, its bytes safe on disk when it is closed. */
export class DurableFile {
  size = 0
  private readonly descriptor: number

  constructor(path: string) {
    this.descriptor = openSync(path, 'w')
  }

  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.descriptor, bytes, done)
    this.size += bytes.length
  }

  close(): void {
    fsyncSync(this.descriptor)
    closeSync(this.descriptor)
  }

  /** Closes the file while other work goes on; its bytes are safe when the promise is fulfilled. */
  async closed(): Promise<void> {
    try {
      await synced(this.descriptor)
    } finally {
      closeSync(this.descriptor)
    }
  }
}

/** Writes a file whose text is safe on disk when this returns. */
export function writeDurably(path: string, text: string): void {
  const file = new DurableFile(path)
  file.write(Buffer.from(text))
  file.close()
}

/** Replaces a file whole: readers see the old text or the new, never a part, also after a crash. */
export function replaceFile(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`
  const descriptor = openSync(beside, 'w')
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(beside, path)
  syncFolder(dirname(path))
}

/** Makes renames and new names in a folder last. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
}

import { readSync } from 'node:fs'

/** Fills the buffer from the file, however many reads it takes. */
export function readFully(descriptor: number, bytes: Uint8Array, position: number): number {
  let done = 0
  while (done < bytes.length) {
    const got = readSync(descriptor, bytes, done, bytes.length - done, position + done)
    if (got === 0) break
    done += got
  }
  return done
}

import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Puts a file in its place whole: readers see the old content or the new, never a part, also after a crash. Waits for the
 * disk without holding up the event loop; what builds in threads of its own uses durable-files.ts.
 */
export async function keepFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode = 0o666,
): Promise<void> {
  const beside = `${path}.${process.pid}.new`
  const file = await open(beside, 'w', mode)
  try {
    await file.writeFile(content)
    await file.sync()
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  } finally {
    await file.close()
  }
  await rename(beside, path)
  await synced(dirname(path))
}

/** Whether a file is on its way into its place, or was when its process died. */
export const isUnfinished = (name: string) => /\.\d+\.new$/.test(name)

/** Makes what was written to a file, or the names in a folder, last. */
export async function synced(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../errors.ts'

/** Runs one loader at a time in a directory: two that publish at once would each forget the other's build. */
export async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, 'loading.lock')
  await take(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(String(process.pid))
      await file.close()
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (isAlive(holder)) break
    // The loader that made this lock died; its build was never published.
    await rm(path, { force: true })
  }
  throw new Failure(
    'conflict',
    `Another load is running in this data folder. Wait for it, or remove ${path}.`,
  )
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder =
  process.env['RATEBOOK_REAL_DATA'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data')

/** Path of a real public file; undefined (and a word on the console) where this machine has none. */
export function realData(path: string): string | undefined {
  const file = join(folder, path)
  if (existsSync(file)) return file
  console.warn(`skipped: no real data at ${path} (set RATEBOOK_REAL_DATA)`)
  return undefined
}

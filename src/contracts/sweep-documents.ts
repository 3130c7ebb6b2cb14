import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isUnfinished } from '../files/kept-file.ts'
import type { Records } from '../records/records.ts'
import { contractsFolder, forgetFolder } from './document-folder.ts'

// Far longer than a request may take to arrive, so that an upload of another process is let be.
const abandonedMs = 3_600_000

/**
 * Removes what a killed process left behind: documents that no contract has, and files that were never finished.
 * Those of deleted contracts stay. Returns what it removed.
 */
export async function sweepDocuments(records: Records, dataFolder: string, now: number): Promise<string[]> {
  const root = contractsFolder(dataFolder)
  const isAbandoned = async (path: string) => {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    return mtimeMs < now - abandonedMs
  }
  const removed: string[] = []
  for (const organization of await namesIn(root))
    for (const id of await namesIn(join(root, organization))) {
      const folder = join(root, organization, id)
      const files = await namesIn(folder)
      const [row] = await records.read('select id from contracts where id = $1 and organization_id = $2', [
        id,
        organization,
      ])
      if (!row && (await isAbandoned(folder))) {
        await forgetFolder(folder)
        removed.push(join(organization, id))
      }
      for (const file of row ? files.filter(isUnfinished) : []) {
        if (!(await isAbandoned(join(folder, file)))) continue
        await rm(join(folder, file), { force: true })
        removed.push(join(organization, id, file))
      }
    }
  return removed
}

/** What is in a folder and named by us; nothing where it is none. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => /^[\w.-]+$/.test(name))
}

import { refreshIndex } from '../providers/refresh.ts'

/**
 * Brings the search index up to date with what a command changed. The server follows by itself.
 * Without a provider directory there is nothing to find, and nothing is done.
 */
export async function refreshDirectory(dataFolder: string): Promise<void> {
  await refreshIndex(dataFolder)
}

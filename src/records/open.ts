import { join } from 'node:path'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { Records } from './records.ts'
import { openSqlite } from './sqlite.ts'

export interface RecordsSettings {
  readonly RATEBOOK_DATA: string
  readonly RATEBOOK_DATABASE_URL?: string | undefined
  readonly RATEBOOK_DATABASE_POOL: number
}

/** Opens the row store that the settings name and brings it up to date. */
export async function openRecords(
  settings: RecordsSettings,
  onIdleError?: (error: Error) => void,
): Promise<Records> {
  const url = settings.RATEBOOK_DATABASE_URL
  const records = url
    ? openPostgres(url, settings.RATEBOOK_DATABASE_POOL, onIdleError)
    : openSqlite(join(settings.RATEBOOK_DATA, 'records.sqlite'))
  try {
    await migrate(records)
  } catch (error) {
    await records.close()
    throw error
  }
  return records
}

import type { Kysely } from 'kysely'
import type { Records } from './records.ts'
import type { Tables } from './tables.ts'

/** One step forward. There are none back: a release that must be undone restores a backup. */
export interface Migration {
  readonly name: string
  up(db: Kysely<Tables>, kind: Records['kind']): Promise<void>
}

import { Command } from 'commander'
import { readSettings } from '../config.ts'
import { migrate } from '../records/migrate.ts'
import { openPostgres } from '../records/postgres.ts'
import { openSqlite } from '../records/sqlite.ts'
import { join } from 'node:path'

/** `ratebook migrate`: brings the records store up to date without starting the server. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the records store up to date (the server does this by itself at start)')
    .action(async () => {
      const settings = readSettings(process.env)
      const records = settings.RATEBOOK_DATABASE_URL
        ? openPostgres(settings.RATEBOOK_DATABASE_URL, 1)
        : openSqlite(join(settings.RATEBOOK_DATA, 'records.sqlite'))
      try {
        const done = await migrate(records)
        console.log(done.length === 0 ? 'The records store is up to date.' : `Applied ${done.join(', ')}.`)
      } finally {
        await records.close()
      }
    })
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '../errors.ts'

/** A lock that is held; the system lets it go when the process dies, however it dies. */
export interface Lock {
  release(): void
}

/**
 * Takes the lock on a piece of work, or says who has it. SQLite's own file lock does the work:
 * unlike a file with a process number in it, it cannot be left behind by a killed process.
 */
export function takeLock(ratesFolder: string, name: string, what: string): Lock {
  const folder = join(ratesFolder, 'locks')
  mkdirSync(folder, { recursive: true })
  const holder = join(folder, `${name}.holder`)
  const database = new DatabaseSync(join(folder, `${name}.lock`))
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
  } catch (error) {
    database.close()
    throw new Failure('conflict', `Another process${holderOf(holder)} is working on ${what}.`, {
      cause: error,
    })
  }
  writeFileSync(holder, String(process.pid))
  return {
    release() {
      if (!database.isOpen) return
      database.exec('rollback')
      database.close()
    },
  }
}

function holderOf(path: string): string {
  try {
    return ` (${readFileSync(path, 'utf8')})`
  } catch {
    return ''
  }
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '../errors.ts'

/** A lock that is held; the system lets it go when the process dies, however it dies. */
export interface Lock {
  release(): void
}

/**
 * Takes the lock on a piece of work in a folder, or says who has it. SQLite's own file lock does the work:
 * unlike a file with a process number in it, it cannot be left behind by a killed process.
 */
export function takeLock(folder: string, name: string, what: string): Lock {
  const lock = lockIfFree(folder, name)
  if (lock === undefined)
    throw new Failure('conflict', `Another process${holderOf(folder, name)} is working on ${what}.`)
  return lock
}

/** The lock on a piece of work; undefined while another has it. */
export function lockIfFree(folder: string, name: string): Lock | undefined {
  mkdirSync(join(folder, 'locks'), { recursive: true })
  const database = new DatabaseSync(join(folder, 'locks', `${name}.lock`))
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== busy) throw error
    return undefined
  }
  held.add(database)
  writeFileSync(holderFile(folder, name), String(process.pid))
  return {
    release() {
      if (!held.delete(database)) return
      database.exec('rollback')
      database.close()
    },
  }
}

const busy = 5

/** A database that nobody refers to is closed when memory is collected, and its lock with it. */
const held = new Set<DatabaseSync>()

const holderFile = (folder: string, name: string) => join(folder, 'locks', `${name}.holder`)

function holderOf(folder: string, name: string): string {
  try {
    return ` (${readFileSync(holderFile(folder, name), 'utf8')})`
  } catch {
    return ''
  }
}

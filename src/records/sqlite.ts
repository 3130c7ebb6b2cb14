import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely'
import type { Records, Row, Statements, Value } from './records.ts'
import type { Tables } from './tables.ts'

// Another process (a command beside the server) may hold the write lock for the length of a transaction.
const busyMs = 10_000

/** Opens the embedded row store. Every commit is on the disk before it is acknowledged. */
export function openSqlite(path: string): Records {
  mkdirSync(dirname(path), { recursive: true })
  const writer = new DatabaseSync(path, { timeout: busyMs })
  writer.exec('pragma journal_mode = wal')
  writer.exec('pragma synchronous = full')
  writer.exec('pragma foreign_keys = on')
  // A reader of its own sees committed rows only, also while a transaction is open on the writer.
  const reader = new DatabaseSync(path, { timeout: busyMs, readOnly: true })

  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyFace(writer) }) })
  const written = preparedOn(writer)
  const readFrom = preparedOn(reader)

  const statements: Statements = {
    all: (text, values) => written(text).all(...values) as Row[],
    run: (text, values) => void written(text).run(...values),
    insert(table, columns, rows) {
      const places = columns.map((_, at) => `$${at + 1}`).join(', ')
      const insert = written(`insert into ${table} (${columns.join(', ')}) values (${places})`)
      for (const row of rows) insert.run(...row)
    },
  }

  return {
    kind: 'sqlite',
    db,
    read: (text, values) => readFrom(text).all(...values) as Row[],
    // Kysely's one connection is the lock: nobody else is inside a transaction on this handle while we are.
    transaction: (work) =>
      db.connection().execute(async () => {
        writer.exec('begin immediate')
        try {
          const result = await work(statements)
          writer.exec('commit')
          return result
        } catch (error) {
          // A full disk ends the transaction by itself; a second rollback would hide the reason.
          if (writer.isTransaction) writer.exec('rollback')
          throw error
        }
      }),
    async close() {
      await db.destroy()
      if (reader.isOpen) reader.close()
      if (writer.isOpen) writer.close()
    },
  }
}

/** A cache of prepared statements; the texts are few and fixed. */
function preparedOn(database: DatabaseSync): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>()
  return (text) => {
    let statement = prepared.get(text)
    if (!statement) {
      statement = database.prepare(text.replaceAll(/\$(\d+)/g, '?$1'))
      prepared.set(text, statement)
    }
    return statement
  }
}

/** What Kysely expects of a driver, over Node's own SQLite. */
function kyselyFace(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(text) {
      // A deferred transaction that reads first cannot wait for the write lock; an immediate one can.
      const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
      const values = (parameters: readonly unknown[]) => parameters as Value[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      }
    },
  }
}

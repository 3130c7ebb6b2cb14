import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { ledgerSteps } from './ledger-tables.ts'

type Values = SQLInputValue[]

/** The book of what was ingested: files, plans, counts, findings, months, runs. Several processes may hold it open. */
export class Ledger {
  #database: DatabaseSync
  #statements = new Map<string, StatementSync>()
  #depth = 0

  constructor(path: string) {
    this.#database = new DatabaseSync(path)
    this.#database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 10000; pragma foreign_keys = on',
    )
    this.whole(() => {
      const taken = this.row<{ user_version: number }>('pragma user_version')?.user_version ?? 0
      for (const step of ledgerSteps.slice(taken)) this.#database.exec(step)
      if (taken < ledgerSteps.length) this.#database.exec(`pragma user_version = ${ledgerSteps.length}`)
    })
  }

  rows<Row>(sql: string, ...values: Values): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the caller knows what its statement answers
  row<Row>(sql: string, ...values: Values): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  run(sql: string, ...values: Values): void {
    this.#statement(sql).run(...values)
  }

  /** The id of a row that is there afterwards, whether or not it was before. */
  id(insert: string, select: string, ...values: Values): number {
    const before = this.row<{ id: number }>(select, ...values)
    if (before) return before.id
    this.run(insert, ...values)
    return this.row<{ id: number }>(select, ...values)?.id ?? 0
  }

  /** Runs a deed whole or not at all. Nested deeds belong to the outer one. */
  whole<Result>(deed: () => Result): Result {
    if (this.#depth > 0) return deed()
    this.#database.exec('begin immediate')
    this.#depth++
    try {
      const result = deed()
      this.#database.exec('commit')
      return result
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    } finally {
      this.#depth--
    }
  }

  close(): void {
    this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const made = this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

/** Opens the ledger of a data folder's `rates/`, and makes it where there is none. */
export function openLedger(ratesFolder: string): Ledger {
  mkdirSync(ratesFolder, { recursive: true })
  return new Ledger(join(ratesFolder, 'ledger.sqlite'))
}

import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

/** Hand-written statements, with `$1`, `$2`… for values in both databases. */
export interface Statements {
  all(text: string, values: readonly Value[]): Promise<Row[]> | Row[]
  run(text: string, values: readonly Value[]): Promise<void> | void
  /** Adds rows in one go. */
  insert(
    table: keyof Tables,
    columns: readonly string[],
    rows: readonly (readonly Value[])[],
  ): Promise<void> | void
}

/** The row store: accounts, keys, credits, usage. SQLite in the data folder, or PostgreSQL. */
export interface Records {
  readonly kind: 'sqlite' | 'postgres'
  /** For everything that is not on the path of every call. */
  readonly db: Kysely<Tables>
  /** Reads committed rows; for the path of every call. */
  read(text: string, values: readonly Value[]): Promise<Row[]> | Row[]
  /** One durable transaction: all of it or none. It may run again after a conflict, so it must not act outside. */
  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

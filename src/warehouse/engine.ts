import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBInstance,
  INTEGER,
  LIST,
  SMALLINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
  listValue,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { Failure } from '../errors.ts'

/** A bound value with the exact type of the column it meets: a cast on the column would defeat zone-map pruning. */
export interface Value {
  readonly type: DuckDBType
  readonly value: DuckDBValue
}

export const u8 = (value: number): Value => ({ type: UTINYINT, value })
export const u16 = (value: number): Value => ({ type: USMALLINT, value })
export const u32 = (value: number): Value => ({ type: UINTEGER, value })
export const u64 = (value: number | bigint): Value => ({ type: UBIGINT, value: BigInt(value) })
export const i16 = (value: number): Value => ({ type: SMALLINT, value })
export const i32 = (value: number): Value => ({ type: INTEGER, value })
export const i64 = (value: number | bigint): Value => ({ type: BIGINT, value: BigInt(value) })
export const float = (value: number): Value => ({ type: DOUBLE, value })
export const flag = (value: boolean): Value => ({ type: BOOLEAN, value })
export const text = (value: string): Value => ({ type: VARCHAR, value })
export const texts = (values: readonly string[]): Value => ({
  type: LIST(VARCHAR),
  value: listValue([...values]),
})
export const u64s = (values: readonly (number | bigint)[]): Value => ({
  type: LIST(UBIGINT),
  value: listValue(values.map(BigInt)),
})
export const u32s = (values: readonly number[]): Value => ({
  type: LIST(UINTEGER),
  value: listValue([...values]),
})
export const missing = (type: 'text' | 'date' | 'number'): Value => ({
  type: type === 'text' ? VARCHAR : type === 'date' ? DATE : DOUBLE,
  value: null,
})

export interface QueryOptions {
  /** Stops the engine, not only the wait for it. */
  readonly signal?: AbortSignal | undefined
}

export interface EngineSettings {
  readonly readOnly?: boolean
  readonly threads?: number
  /** As DuckDB writes it: `512MB`. */
  readonly memoryLimit?: string
}

/** Columns of some rows, in the order of the select list. */
export type ColumnChunk = readonly (readonly unknown[])[]

/** A DuckDB database: SQL in, rows out, every value bound. Used for reference tables and exports; published prices live in blocks (see build.ts). */
export interface Engine {
  /** Runs a query to its end and answers all rows. */
  rows<Row = Record<string, unknown>>(
    sql: string,
    values?: readonly Value[],
    options?: QueryOptions,
  ): Promise<Row[]>
  /** Streams a large result, some thousand rows at a time, column by column. */
  columns(sql: string, values?: readonly Value[], options?: QueryOptions): AsyncIterable<ColumnChunk>
  run(sql: string, values?: readonly Value[], options?: QueryOptions): Promise<void>
  /** Fills a table that exists; the types are those of its columns. */
  appender(table: string, types: readonly AppendedType[]): Promise<Appender>
  close(): Promise<void>
}

/** Types that can be appended: numbers as typed arrays hold them, and text (null = none). */
export type AppendedType = 'u32' | 'f64' | 'text'
const appendedTypes: Record<AppendedType, DuckDBType> = { u32: UINTEGER, f64: DOUBLE, text: VARCHAR }

/** Rows on their way into a table. They are there for certain once it is closed. */
export interface Appender {
  /** Adds the first `rows` values of each column. */
  add(columns: readonly ArrayLike<string | number | null>[], rows: number): void
  close(): void
}

const chunkRows = 2_048
// The engine writes what it gathered on our thread: often, so that each time is short.
const flushedRows = 16 * chunkRows

/** Opens a database file, or `:memory:`. */
export async function openEngine(path: string, settings: EngineSettings = {}): Promise<Engine> {
  const instance = await DuckDBInstance.create(path, {
    ...(settings.readOnly && { access_mode: 'READ_ONLY' }),
    ...(settings.threads && { threads: String(settings.threads) }),
    ...(settings.memoryLimit && { memory_limit: settings.memoryLimit }),
  })
  const idle: DuckDBConnection[] = []

  async function* chunks(sql: string, values: readonly Value[], { signal }: QueryOptions) {
    signal?.throwIfAborted()
    // One connection per running query: interrupting one leaves the others alone.
    const connection = idle.pop() ?? (await instance.connect())
    const interrupt = () => connection.interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
    try {
      const statement = await connection.prepare(sql)
      try {
        for (const [index, { value, type }] of values.entries()) statement.bindValue(index + 1, value, type)
        const result = await statement.stream()
        for (;;) {
          const chunk = await result.fetchChunk()
          if (!chunk || chunk.rowCount === 0) return
          yield { names: result.deduplicatedColumnNames(), chunk }
          signal?.throwIfAborted()
        }
      } finally {
        statement.destroySync()
      }
    } catch (error) {
      if (signal?.aborted) throw stopReason(signal)
      throw error
    } finally {
      signal?.removeEventListener('abort', interrupt)
      idle.push(connection)
    }
  }

  return {
    async rows<Row>(sql: string, values: readonly Value[] = [], options: QueryOptions = {}) {
      const rows: Row[] = []
      for await (const { names, chunk } of chunks(sql, values, options))
        for (const row of chunk.getRowObjects(names) as Row[]) rows.push(row)
      return rows
    },
    async *columns(sql, values = [], options = {}) {
      for await (const { chunk } of chunks(sql, values, options)) yield chunk.getColumns()
    },
    async run(sql, values = [], options = {}) {
      for await (const _ of chunks(sql, values, options));
    },
    async appender(table, types) {
      const connection = await instance.connect()
      const appender = await connection.createAppender(table)
      const duckTypes = types.map((type) => appendedTypes[type])
      let gathered = 0
      return {
        add(columns, rows) {
          for (let from = 0; from < rows; from += chunkRows) {
            const count = Math.min(chunkRows, rows - from)
            const chunk = DuckDBDataChunk.create(duckTypes, count)
            for (const [at, column] of columns.entries()) {
              const vector = chunk.getColumnVector(at)
              for (let row = 0; row < count; row++) vector.setItem(row, column[from + row] ?? null)
              vector.flush()
            }
            appender.appendDataChunk(chunk)
            gathered += count
            if (gathered < flushedRows) continue
            appender.flushSync()
            gathered = 0
          }
        },
        close() {
          appender.closeSync()
          connection.closeSync()
        },
      }
    },
    async close() {
      for (const connection of idle.splice(0)) connection.closeSync()
      instance.closeSync()
    },
  }
}

/** What a stopped query throws: the failure that the signal carries, or a time-out. */
export function stopReason(signal: AbortSignal): unknown {
  return signal.reason instanceof Failure
    ? signal.reason
    : new Failure('query_timeout', undefined, { cause: signal.reason })
}

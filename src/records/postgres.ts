import { Kysely, PostgresDialect } from 'kysely'
import { type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types as pgTypes } from 'pg'
import type { Records, Row, Statements, Value } from './records.ts'
import type { Tables } from './tables.ts'

// Our whole numbers (milliseconds, credits, row ids) stay far below 2^53.
const types: CustomTypesConfig = {
  getTypeParser: ((oid: Parameters<typeof pgTypes.getTypeParser>[0], format: 'text' = 'text') =>
    oid === pgTypes.builtins.INT8
      ? Number
      : pgTypes.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
}

const serializationFailure = '40001'
const deadlock = '40P01'
const tries = 5

/** Opens the row store in PostgreSQL. */
export function openPostgres(
  url: string,
  poolSize: number,
  onIdleError: (error: Error) => void = () => {},
): Records {
  const pool = new Pool({ connectionString: url, max: poolSize, types })
  // Without a listener, a server that restarts would end our process with it.
  pool.on('error', onIdleError)
  // The pool listens to idle connections only. One that drops in use fails its query too, which is where we hear of it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

  return {
    kind: 'postgres',
    db,
    read: async (text, values) => (await pool.query<Row>(prepared(text, values))).rows,
    async transaction(work) {
      for (let tried = 1; ; tried++) {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query('begin')
          const result = await work(statementsOf(client))
          await client.query('commit')
          return result
        } catch (error) {
          await client.query('rollback').catch((gone: Error) => (broken = gone))
          if (tried >= tries || !mayRunAgain(error)) throw error
        } finally {
          client.release(broken)
        }
      }
    },
    close: () => db.destroy(),
  }
}

const mayRunAgain = (error: unknown) =>
  error instanceof DatabaseError && (error.code === serializationFailure || error.code === deadlock)

// A name makes the server keep the plan; our texts are few and fixed.
const names = new Map<string, string>()
function prepared(text: string, values: readonly Value[]) {
  let name = names.get(text)
  if (!name) names.set(text, (name = `ratebook_${names.size}`))
  return { name, text, values: [...values] }
}

const rowsPerInsert = 500

function statementsOf(client: PoolClient): Statements {
  return {
    all: async (text, values) => (await client.query<Row>(prepared(text, values))).rows,
    async run(text, values) {
      await client.query(prepared(text, values))
    },
    async insert(table, columns, rows) {
      for (let from = 0; from < rows.length; from += rowsPerInsert) {
        const part = rows.slice(from, from + rowsPerInsert)
        const places = part.map(
          (row, at) => `(${row.map((_, column) => `$${at * columns.length + column + 1}`).join(', ')})`,
        )
        await client.query(
          `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`,
          part.flat(),
        )
      }
    },
  }
}

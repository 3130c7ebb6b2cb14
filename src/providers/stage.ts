import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { valueMark } from '../search/columns.ts'
import type { Listed } from './listed.ts'

/** What an index is made of. A part that is not loaded is left out. */
export interface Sources {
  readonly providersFile?: string | undefined
  readonly hospitalsFile?: string | undefined
  readonly listed: AsyncIterable<Listed> | Iterable<Listed>
}

/** Told from time to time how many entries of a part are written. */
export type Progress = (done: { readonly part: string; readonly rows: number }) => void

/** Joining and sorting beyond this spill to the work folder. */
const sortingMemory = '256MB'
/** What is in order already is only read through. */
const readingMemory = '64MB'
/** NPIs run from 1,000,000,000 to 2,999,999,999: the rest after the first thousand million fits 32 bits. */
export const npiBase = 1_000_000_000
export const npiMost = npiBase + 0xff_ff_ff_ff

/**
 * The sources side by side in one scratch database, where they are joined and put in order of rank; then the tables so
 * made are read through. Everything streams or spills to the work folder: eight million providers pass in bounded memory.
 */
export class Stage {
  readonly #path: string
  #instance: DuckDBInstance
  #connection: DuckDBConnection
  /** Payers by their number in the staged tables. */
  readonly payers: readonly string[]

  private constructor(
    path: string,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    payers: readonly string[],
  ) {
    this.#path = path
    this.#instance = instance
    this.#connection = connection
    this.payers = payers
  }

  static async open(sources: Sources, workFolder: string): Promise<Stage> {
    const path = join(workFolder, 'stage.duckdb')
    const instance = await DuckDBInstance.create(path, {
      memory_limit: sortingMemory,
      temp_directory: join(workFolder, 'spill'),
      threads: '2',
    })
    const connection = await instance.connect()
    const run = (sql: string) => connection.run(sql)
    await attach(run, 'p', sources.providersFile, emptyProviders)
    await attach(run, 'h', sources.hospitalsFile, emptyHospitals)
    const payers = await stageListed(connection, sources.listed)
    for (const statement of preparation(payers.length)) await run(statement)
    return new Stage(path, instance, connection, payers)
  }

  /** Makes a table of a query's rows in the order it asks for: a row's `rowid` is its place in that order. */
  async order(table: string, query: string): Promise<void> {
    await this.#connection.run(`create table ${table} as ${query}`)
  }

  /** Ends joining and sorting: from here on the tables are only read, the sources are gone, and their memory is free. */
  async settle(): Promise<void> {
    await this.#connection.run('checkpoint')
    this.close()
    this.#instance = await DuckDBInstance.create(this.#path, {
      access_mode: 'read_only',
      memory_limit: readingMemory,
      threads: '1',
    })
    this.#connection = await this.#instance.connect()
  }

  /** Streams a query's columns, some thousand rows at a time; values arrive as text, number, bigint, boolean or null. */
  async *columns(sql: string): AsyncGenerator<readonly (readonly unknown[])[]> {
    // A connection holds one open stream, and two run side by side.
    const connection = await this.#instance.connect()
    try {
      const result = await connection.stream(sql)
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) return
        yield chunk.getColumns()
      }
    } finally {
      connection.closeSync()
    }
  }

  /** A query's rows, of which there are few. */
  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#connection.runAndReadAll(sql)).getRows()
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

async function attach(
  run: (sql: string) => Promise<unknown>,
  name: string,
  file: string | undefined,
  empty: string,
): Promise<void> {
  if (file === undefined) {
    await run(`attach ':memory:' as ${name}`)
    await run(empty)
  } else await run(`attach '${file.replaceAll("'", "''")}' as ${name} (read_only)`)
}

async function stageListed(connection: DuckDBConnection, listed: Sources['listed']): Promise<string[]> {
  await connection.run(`
    create table listed_tins(payer usmallint, place uinteger, tin varchar, name varchar);
    create table listed_pairs(payer usmallint, place uinteger, npi uinteger)`)
  const payers: string[] = []
  const tins = await connection.createAppender('listed_tins')
  const pairs = await connection.createAppender('listed_pairs')
  for await (const { payer, ...list } of listed) {
    const number = payers.push(payer) - 1
    for (const [place, tin] of list.tins.entries()) {
      // Files also write other things where a TIN belongs; those are kept with their rates and are nobody's number.
      if (!/^\d{9,10}$/.test(tin)) continue
      tins.appendUSmallInt(number)
      tins.appendUInteger(place)
      tins.appendVarchar(tin)
      const name = list.tinNames[place] ?? ''
      if (name === '') tins.appendNull()
      else tins.appendVarchar(name)
      tins.endRow()
    }
    for (const [at, place] of list.pairTin.entries()) {
      const npi = list.npis[list.pairNpi[at] ?? 0] ?? 0
      if (npi < npiBase || npi > npiMost) continue
      pairs.appendUSmallInt(number)
      pairs.appendUInteger(place)
      pairs.appendUInteger(npi - npiBase)
      pairs.endRow()
      if (at % 1_000_000 === 999_999) pairs.flushSync()
    }
  }
  tins.closeSync()
  pairs.closeSync()
  return payers
}

/** Tables that the three parts share: who lists whom, and each taxpayer's number and name. NPIs are less `npiBase`. */
function* preparation(payers: number): Generator<string> {
  const bits = `bitstring_agg(payer, 0, ${Math.max(1, payers)})`
  yield `create table npi_payers as select npi, ${bits} as payers from listed_pairs group by npi`
  yield `create table tins as
    select tin, ${bits} as payers, (row_number() over () - 1)::uinteger as id from listed_tins group by tin`
  yield `create table tin_npis as
    select distinct id, npi
    from listed_pairs join (select payer, place, id from listed_tins join tins using (tin)) using (payer, place)`
  yield 'drop table listed_pairs'
  yield `create table tin_names as
    select tin, min({ less: -times, name: name }).name as name
    from (select tin, name, count(*)::integer as times from listed_tins where name is not null group by all)
    group by tin`
  yield 'drop table listed_tins'
  yield `create table npi_ccns as
    select (npi - ${npiBase})::uinteger as npi, string_agg(distinct ccn, '${valueMark}' order by ccn) as ccns
    from (select ccn, unnest(npis).npi as npi from h.hospitals)
    where npi between ${npiBase} and ${npiMost}
    group by npi`
}

const emptyProviders = `create table p.providers(
  npi ubigint, entity_type varchar, name varchar, other_names varchar[], credentials varchar, primary_taxonomy varchar,
  taxonomies varchar[], state varchar, counties varchar[], deactivated boolean)`

const emptyHospitals = `create table h.hospitals(
  ccn varchar, name varchar, street varchar, city varchar, state varchar, zip varchar, county varchar, phone varchar,
  provider_type varchar, ownership varchar, emergency boolean, care_quality utinyint, bed_count uinteger,
  health_system varchar, npis struct(npi ubigint, matched_by varchar, organization varchar, doing_business_as varchar)[],
  npi ubigint, other_names varchar[], ccn_category varchar, ccn_facility_type varchar, ccn_unit varchar)`

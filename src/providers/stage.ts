import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { Listed } from './listed.ts'

/** What an index is made of. A part that is not loaded is left out. */
export interface Sources {
  readonly providersFile?: string | undefined
  readonly hospitalsFile?: string | undefined
  readonly listed: AsyncIterable<Listed> | Iterable<Listed>
}

/** Told from time to time how many entries of a part are written. */
export type Progress = (done: { readonly part: string; readonly rows: number }) => void

const memoryLimit = '384MB'
/** NPIs run from 1,000,000,000 to 2,999,999,999: the rest after the first thousand million fits 32 bits. */
const npiBase = 1_000_000_000
const npiMost = npiBase + 0xff_ff_ff_ff

/** Between the members of a list that is handed over as text; no name holds it. */
export const listMark = '\u001F'

/**
 * The sources side by side in one scratch database, where they are joined and put in order of rank.
 * Everything streams or spills to the work folder: eight million providers pass in bounded memory.
 */
export class Stage {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  /** Payers by their number in the staged tables. */
  readonly payers: readonly string[]

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, payers: readonly string[]) {
    this.#instance = instance
    this.#connection = connection
    this.payers = payers
  }

  static async open(sources: Sources, workFolder: string): Promise<Stage> {
    const instance = await DuckDBInstance.create(join(workFolder, 'stage.duckdb'), {
      memory_limit: memoryLimit,
      temp_directory: join(workFolder, 'spill'),
      threads: '2',
      preserve_insertion_order: 'false',
    })
    const connection = await instance.connect()
    const run = (sql: string) => connection.run(sql)
    await attach(run, 'p', sources.providersFile, emptyProviders)
    await attach(run, 'h', sources.hospitalsFile, emptyHospitals)
    const payers = await stageListed(connection, sources.listed)
    for (const statement of preparation(payers.length)) await run(statement)
    return new Stage(instance, connection, payers)
  }

  /** Streams a query's rows; every column arrives as text, number, bigint, boolean or null. */
  async *rows(sql: string): AsyncGenerator<readonly unknown[]> {
    // A connection holds one open stream, and two run side by side.
    const connection = await this.#instance.connect()
    try {
      const result = await connection.stream(sql)
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) return
        yield* chunk.getRows()
      }
    } finally {
      connection.closeSync()
    }
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

/** Tables that the three streams share: distinct pairs, who lists whom, and ranks. */
function* preparation(payers: number): Generator<string> {
  const bits = `bitstring_agg(payer, 0, ${Math.max(1, payers)})`
  yield `create table pairs as
    select distinct tin, listed_pairs.npi::ubigint + ${npiBase} as npi, payer
    from listed_pairs join listed_tins using (payer, place)`
  yield 'drop table listed_pairs'
  yield `create table npi_payers as select npi, ${bits} as payers from pairs group by npi`
  yield `create table tin_payers as select tin, ${bits} as payers from listed_tins group by tin`
  yield `create table tin_npis as select distinct tin, npi from pairs`
  yield `create table ranked_npis as
    select (row_number() over (order by bit_count(payers) desc nulls last, npi) - 1)::uinteger as row, npi, payers
    from p.providers left join npi_payers using (npi)
    where not deactivated and name is not null and name <> ''`
  yield `create table ranked_tins as
    select (row_number() over (order by bit_count(payers) desc, npis desc nulls last, tin) - 1)::uinteger as row, tin, payers,
      coalesce(npis, 0)::uinteger as npis
    from tin_payers left join (select tin, count(*) as npis from tin_npis group by tin) using (tin)`
  yield `create table tin_names as
    select tin, min({ less: -times, name: name }).name as name
    from (select tin, name, count(*)::integer as times from listed_tins where name is not null group by all)
    group by tin`
  yield `create table npi_ccns as
    select npi, string_agg(distinct ccn, '${listMark}' order by ccn) as ccns
    from (select ccn, unnest(npis).npi as npi from h.hospitals)
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

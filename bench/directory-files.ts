import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Listed } from '../src/providers/listed.ts'
import { Dice, payerNames, population, type MadeProvider } from './directory-corpus.ts'

const sampleSize = 24_000

/**
 * Writes a population as the provider table that the loader makes, and beside it one file of (NPI, TIN) pairs for each
 * payer, and a sample drawn evenly from the whole for the questions.
 */
export async function writeProviders(folder: string, size: number, seed: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'providers.duckdb')
  rmSync(file, { force: true })
  const instance = await DuckDBInstance.create(file, { memory_limit: '1GB' })
  const connection = await instance.connect()
  await connection.run(`create table made(
    npi varchar, entity_type varchar, name varchar, other_names varchar, credentials varchar, taxonomies varchar,
    state varchar, county varchar)`)
  const rows = await connection.createAppender('made')
  const pairs = payerNames.map((_, payer) => new PairFile(pairFile(folder, payer)))
  const dice = new Dice(seed + 1)
  const kept: MadeProvider[] = []
  let written = 0
  for (const made of population(size, seed)) {
    rows.appendVarchar(String(made.npi))
    rows.appendVarchar(made.individual ? 'individual' : 'group')
    rows.appendVarchar(made.name)
    rows.appendVarchar(made.others.join('|'))
    rows.appendVarchar(made.credentials)
    rows.appendVarchar(made.taxonomies.join('|'))
    rows.appendVarchar(made.state)
    rows.appendVarchar(made.county)
    rows.endRow()
    for (const payer of made.payers) for (const tin of made.tins) pairs[payer]?.add(made.npi, Number(tin))
    if (++written % 100_000 === 0) rows.flushSync()
    const place = written <= sampleSize ? kept.length : dice.below(written)
    if (place < sampleSize) kept[place] = made
  }
  rows.closeSync()
  for (const file of pairs) file.close()
  const split = (column: string) => `case when ${column} = '' then [] else string_split(${column}, '|') end`
  await connection.run(`create table providers as
    select npi::ubigint as npi, entity_type, name, ${split('other_names')} as other_names, nullif(credentials, '') as credentials,
      string_split(taxonomies, '|')[1] as primary_taxonomy, ${split('taxonomies')} as taxonomies, state,
      [county] as counties, false as deactivated
    from made`)
  await connection.run('drop table made')
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(folder, 'sample.json'), JSON.stringify(kept))
}

/** Providers drawn evenly from a written population. */
export const sampleIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'sample.json'), 'utf8')) as MadeProvider[]

/** Who lists whom, as published months say it; one payer in memory at a time. */
export function* listedIn(folder: string): Generator<Listed> {
  for (const [number, payer] of payerNames.entries()) {
    const bytes = readFileSync(pairFile(folder, number))
    const pairs = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    const tinPlaces = new Map<number, number>()
    const npis = new Float64Array(pairs.length / 2)
    const pairTin = new Uint32Array(pairs.length / 2)
    const pairNpi = new Uint32Array(pairs.length / 2)
    let known = 0
    for (let pair = 0; pair < pairs.length / 2; pair++) {
      const [npi = 0, tin = 0] = [pairs[pair * 2], pairs[pair * 2 + 1]]
      if (npis[known - 1] !== npi) npis[known++] = npi
      let place = tinPlaces.get(tin)
      if (place === undefined) tinPlaces.set(tin, (place = tinPlaces.size))
      pairTin[pair] = place
      pairNpi[pair] = known - 1
    }
    yield {
      payer,
      tins: Array.from(tinPlaces.keys(), (tin) => String(tin).padStart(9, '0')),
      npis: npis.subarray(0, known),
      pairTin,
      pairNpi,
      tinNames: [],
    }
  }
}

const pairFile = (folder: string, payer: number) => join(folder, `pairs-${payer}.bin`)

class PairFile {
  readonly #file: number
  readonly #room = new Uint32Array(64 * 1024)
  #used = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  add(npi: number, tin: number): void {
    this.#room[this.#used++] = npi
    this.#room[this.#used++] = tin
    if (this.#used === this.#room.length) this.#write()
  }

  close(): void {
    this.#write()
    closeSync(this.#file)
  }

  #write(): void {
    writeSync(this.#file, this.#room.subarray(0, this.#used))
    this.#used = 0
  }
}

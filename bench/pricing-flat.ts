import { join } from 'node:path'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Engine } from '../src/warehouse/engine.ts'
import { codeText, payerNames, states, taxonomies } from './pricing-data.ts'
import type { PeerData } from './pricing-peer.ts'

/** Lines on their way to a csv file. */
class Lines {
  private readonly file: number
  private text: string[] = []

  constructor(path: string) {
    this.file = openSync(path, 'w')
  }

  add(line: string): void {
    if (this.text.push(line) === 65_536) this.flush()
  }

  flush(): void {
    writeSync(this.file, this.text.length > 0 ? `${this.text.join('\n')}\n` : '')
    this.text = []
  }

  close(): void {
    this.flush()
    closeSync(this.file)
  }
}

/** About so many entries are sorted at once: codes come in order, so slices of codes stand one behind the other. */
const entriesPerSlice = 40_000_000

const types: Readonly<Record<string, readonly string[]>> = {
  payer_name: payerNames(20),
  state_name: states,
  taxonomy_code: taxonomies,
  class_name: ['professional', 'institutional'],
  type_name: ['negotiated', 'fee schedule', 'percentage', 'derived', 'per diem'],
}
const priceColumns =
  "{payer: 'payer_name', code: 'varchar', billing_class: 'class_name', negotiated_type: 'type_name', service_codes: 'varchar', modifiers: 'varchar', rate: 'decimal(18,4)', set_id: 'uinteger'}"
const memberColumns =
  "{payer: 'payer_name', set_id: 'uinteger', tin: 'uinteger', npi: 'ubigint', state: 'state_name', taxonomy: 'taxonomy_code'}"
const asTable = (columns: string) => columns.slice(1, -1).replaceAll(/: '([^']+)'/g, ' $1')

/**
 * Writes every entry as one row of a table `flat`, sorted by code, payer, state, specialty: what a careful user would load.
 * Prices and members go to DuckDB normalised and are joined there, a slice of codes at a time.
 */
export async function exportFlat(engine: Engine, data: PeerData): Promise<void> {
  const { folder, snapshot, scale, onlyCodes } = data
  const scratch = join(folder, 'scratch.duckdb')
  rmSync(scratch, { force: true })
  for (const [name, words] of Object.entries(types))
    await engine.run(`create type ${name} as enum (${words.map((word) => `'${word}'`).join()})`)
  // Beside the table itself, so that its file holds nothing else.
  await engine.run(`attach '${scratch}' as scratch`)
  await engine.run(`create table scratch.prices (${asTable(priceColumns)})`)
  await engine.run(`create table scratch.members (${asTable(memberColumns)})`)
  const pricesPath = join(folder, 'flat-prices.csv')
  const membersPath = join(folder, 'flat-members.csv')
  for (const build of snapshot.builds) {
    writePrices(pricesPath, build)
    writeMembers(membersPath, build, data)
    await engine.run(
      `insert into scratch.prices from read_csv('${pricesPath}', header = false, columns = ${priceColumns})`,
    )
    await engine.run(
      `insert into scratch.members from read_csv('${membersPath}', header = false, columns = ${memberColumns})`,
    )
    rmSync(pricesPath)
    rmSync(membersPath)
  }
  await engine.run(
    'create table flat (code varchar, payer payer_name, state state_name, taxonomy taxonomy_code, npi ubigint, tin uinteger, billing_class class_name, negotiated_type type_name, service_codes varchar, modifiers varchar, rate decimal(18,4))',
  )
  const codes = onlyCodes ?? Array.from({ length: scale.codes }, (_, code) => codeText(code))
  const entries = snapshot.builds.reduce((sum, build) => sum + build.summary.counts.entries, 0)
  const step = Math.max(1, Math.floor((entriesPerSlice / entries) * scale.codes))
  for (let from = 0; from < codes.length; from += step) {
    const slice = codes.slice(from, from + step).map((code) => `'${code}'`)
    await engine.run(`
      insert into flat
      select code, payer, state, taxonomy, npi, tin, billing_class, negotiated_type, service_codes, modifiers, rate
      from scratch.prices join scratch.members using (payer, set_id)
      where code in (${slice.join()})
      order by code, payer, state, taxonomy`)
  }
  await engine.run('detach scratch')
  rmSync(scratch)
}

type Builds = PeerData['snapshot']['builds'][number]

function writePrices(path: string, build: Builds): void {
  const prices = new Lines(path)
  for (const [row, code] of build.codes.code.entries()) {
    const block = build.prices(row)
    for (let run = 0; run < block.runTerm.length; run++) {
      const term = build.summary.terms[block.runTerm[run]!]!
      const head = `${build.payer},${code},${term.billingClass},${term.negotiatedType},${term.serviceCodes.join(' ')},${term.modifiers.join(' ')}`
      for (let at = run === 0 ? 0 : block.runEnd[run - 1]!; at < block.runEnd[run]!; at++)
        prices.add(`${head},${block.rate[at]! / 10_000},${block.set[at]}`)
    }
  }
  prices.close()
}

function writeMembers(path: string, build: Builds, { attributes }: PeerData): void {
  const members = new Lines(path)
  const { npi, pairTin, pairNpi, atomEnd, setEnd, setAtom } = build.providers
  for (let set = 1; set < setEnd.length; set++)
    for (let i = setEnd[set - 1]!; i < setEnd[set]!; i++)
      for (
        let pair = setAtom[i] === 0 ? 0 : atomEnd[setAtom[i]! - 1]!;
        pair < atomEnd[setAtom[i]!]!;
        pair++
      ) {
        const value = npi[pairNpi[pair]!]!
        const rank = attributes.rankOf(value)
        members.add(
          `${build.payer},${set},${pairTin[pair]},${value},${attributes.states[attributes.state[rank]!]},${attributes.taxonomies[attributes.taxonomy[rank]!]}`,
        )
      }
  members.close()
}

import { join } from 'node:path'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Engine } from '../src/warehouse/engine.ts'
import type { PeerData } from './pricing-peers.ts'

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

/**
 * Writes every entry as one row of a table `flat`, sorted by code, payer, state: what a careful user would load.
 * Prices and members go to DuckDB normalised and are joined there.
 */
export async function exportFlat(engine: Engine, { folder, snapshot, attributes }: PeerData): Promise<void> {
  const pricesPath = join(folder, 'flat-prices.csv')
  const membersPath = join(folder, 'flat-members.csv')
  // Beside the table itself, so that its file holds nothing else.
  const scratch = join(folder, 'scratch.duckdb')
  rmSync(scratch, { force: true })
  await engine.run(`attach '${scratch}' as scratch`)
  await engine.run(
    'create table scratch.prices (payer varchar, code varchar, billing_class varchar, negotiated_type varchar, service_codes varchar, modifiers varchar, rate decimal(18,4), set_id uinteger)',
  )
  await engine.run(
    'create table scratch.members (payer varchar, set_id uinteger, tin uinteger, npi ubigint, state varchar, taxonomy varchar)',
  )
  for (const build of snapshot.builds) {
    const prices = new Lines(pricesPath)
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
    const members = new Lines(membersPath)
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
    await engine.run(
      `insert into scratch.prices from read_csv('${pricesPath}', header = false, columns = {payer: 'varchar', code: 'varchar', billing_class: 'varchar', negotiated_type: 'varchar', service_codes: 'varchar', modifiers: 'varchar', rate: 'decimal(18,4)', set_id: 'uinteger'})`,
    )
    await engine.run(
      `insert into scratch.members from read_csv('${membersPath}', header = false, columns = {payer: 'varchar', set_id: 'uinteger', tin: 'uinteger', npi: 'ubigint', state: 'varchar', taxonomy: 'varchar'})`,
    )
  }
  rmSync(pricesPath)
  rmSync(membersPath)
  await engine.run(`
    create table flat as
    select code, payer, state, taxonomy, npi, tin, billing_class, negotiated_type, service_codes, modifiers, rate
    from scratch.prices join scratch.members using (payer, set_id)
    order by code, payer, state, taxonomy`)
  await engine.run('detach scratch')
  rmSync(scratch)
}

import { IndexWriter } from '../search/index-writer.ts'
import { ccnCode, tinCode, type NpiRecord } from './records.ts'
import type { Progress, Stage } from './stage.ts'
import { bitsOf, follower, joined, listOf } from './staged-rows.ts'

/** What providers can be filtered by. */
const facets = ['state', 'taxonomy', 'county', 'entity', 'payer'] as const

/** How a county is compared: people write it in any case. */
export const countyValue = (county: string) => county.trim().toLowerCase()

/** Writes the part of the index that finds providers; returns how many it holds. */
export async function writeNpis(stage: Stage, folder: string, progress: Progress): Promise<number> {
  const writer = new IndexWriter(folder, facets)
  try {
    // Both streams follow the rank, so each provider's TINs pass by when the provider does.
    const tinsOf = follower(
      stage.rows('select row, tin from tin_npis join ranked_npis using (npi) order by row, tin'),
    )
    const providers = stage.rows(`
      select row, npi::varchar, name, ${joined('other_names')}, credentials, entity_type, primary_taxonomy, ${joined('taxonomies')},
        state, ${joined('counties')}, payers::varchar, ccns
      from p.providers join ranked_npis using (npi) left join npi_ccns using (npi)
      order by row`)
    for await (const row of providers) {
      const [
        rank,
        npi,
        name,
        others,
        credentials,
        entity,
        primary,
        taxonomies,
        state,
        counties,
        payers,
        ccns,
      ] = row
      const listedTins = (await tinsOf(Number(rank))).map(([, tin]) => String(tin))
      const record = npiRecord(
        { npi, name, others, credentials, entity, primary, taxonomies, state, counties, payers, ccns },
        listedTins,
      )
      writer.add({
        key: record.npi,
        names: [record.name, ...(record.others ?? [])],
        beside: record.credentials === undefined ? [] : [record.credentials],
        codes: [...listedTins.map(tinCode), ...(record.ccns ?? []).map(ccnCode)],
        facets: {
          state: record.state === undefined ? [] : [record.state],
          taxonomy: record.taxonomies ?? [],
          county: (record.counties ?? []).map(countyValue),
          entity: record.entity === undefined ? [] : [record.entity === 'i' ? 'Individual' : 'Group'],
          payer: (record.payers ?? []).map((number) => stage.payers[number] ?? ''),
        },
        record: JSON.stringify(record),
      })
      if (writer.rows % 250_000 === 0) progress({ part: 'npis', rows: writer.rows })
    }
    writer.finish()
    return writer.rows
  } catch (error) {
    writer.abandon()
    throw error
  }
}

function npiRecord(row: Readonly<Record<string, unknown>>, tins: readonly string[]): NpiRecord {
  const text = (name: string) => (typeof row[name] === 'string' && row[name] !== '' ? row[name] : undefined)
  const some = <Value>(values: readonly Value[]) => (values.length > 0 ? values : undefined)
  const taxonomies = listOf(row['taxonomies'])
  const primary = text('primary')
  const entity = text('entity')
  const record = {
    npi: Number(row['npi']),
    name: text('name') ?? '',
    others: some(listOf(row['others'])),
    credentials: text('credentials'),
    state: text('state'),
    counties: some(listOf(row['counties'])),
    entity: entity === 'individual' ? 'i' : entity === 'group' ? 'g' : undefined,
    taxonomies: some(taxonomies),
    primary: primary === taxonomies[0] ? undefined : primary,
    payers: some(bitsOf(row['payers'])),
    tins: some(tins.map(Number)),
    ccns: some(listOf(row['ccns'])),
  }
  return record as NpiRecord
}

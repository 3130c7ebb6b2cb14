import type { Entry } from '../search/gathering.ts'
import { IndexThread } from '../search/index-thread.ts'
import { IndexWriter } from '../search/index-writer.ts'
import { ccnCode, tinCode } from './records.ts'
import { npiBase, npiMost, type Progress, type Stage } from './stage.ts'
import { CodedColumn } from './coded-column.ts'
import { bitsOf, fieldMark, fields, Follower, joined, listOf } from './staged-rows.ts'

/** Fewer are written sooner than a thread has started. */
const threadRowsMin = 100_000

/** How a county is compared: people write it in any case. */
export const countyValue = (county: string) => county.trim().toLowerCase()

/** What the stage says of a provider, in the order of `NpiRecord`'s text; its TINs come after. */
const recordFields = fields(
  'p.npi::varchar',
  'name',
  joined('other_names'),
  'credentials',
  "case entity_type when 'individual' then 'i' when 'group' then 'g' end",
  'primary_taxonomy',
  joined('taxonomies'),
  'state',
  joined('counties'),
  'payers::varchar',
  'ccns',
)

/** The providers' part of an index, and what taxpayers are told about their members. */
export interface WrittenNpis {
  readonly rows: number
  /** Fulfilled when the part is complete. */
  readonly complete: Promise<void>
  /** States and primary specialties by row. */
  readonly states: CodedColumn
  readonly specialties: CodedColumn
}

/** Puts providers in order, those that most payers list first, and their TINs beside them. */
export async function stageNpis(stage: Stage): Promise<void> {
  await stage.order(
    'npi_rows',
    `select (p.npi - ${npiBase})::uinteger as npi, ${recordFields} as record
    from p.providers as p
      left join npi_payers on npi_payers.npi = (p.npi - ${npiBase})::uinteger
      left join npi_ccns on npi_ccns.npi = (p.npi - ${npiBase})::uinteger
    where not deactivated and name is not null and name <> '' and p.npi between ${npiBase} and ${npiMost}
    order by bit_count(payers) desc nulls last, p.npi`,
  )
  await stage.order(
    'npi_tins',
    `select npi_rows.rowid::uinteger as row, tin::double as tin
    from tin_npis join npi_rows using (npi) join tins using (id)
    order by row, tin`,
  )
}

/** Writes the part of the index that finds providers. Returns when all are handed over, while the last are still being written. */
export async function writeNpis(stage: Stage, folder: string, progress: Progress): Promise<WrittenNpis> {
  const [[count] = []] = await stage.rows('select count(*) from npi_rows')
  const payersOf = (bits: string) => bitsOf(bits).map((number) => stage.payers[number] ?? '')
  const facets = [
    'state',
    'taxonomy',
    { name: 'county', valuesOf: (text: string) => listOf(text).map(countyValue) },
    { name: 'entity', valuesOf: (text: string) => [text === 'i' ? 'Individual' : 'Group'] },
    { name: 'payer', valuesOf: payersOf },
  ]
  const [states, specialties] = [new CodedColumn(Number(count)), new CodedColumn(Number(count))]
  const writer =
    Number(count) < threadRowsMin ? new IndexWriter(folder, facets) : new IndexThread(folder, facets)
  try {
    const tins = new Follower<number>(stage.columns('select row, tin from npi_tins'))
    for await (const [records = []] of stage.columns('select record from npi_rows'))
      for (const record of records) {
        const row = writer.rows
        const found = tins.of(row)
        const listed = Array.isArray(found) ? found : await found
        const staged = String(record).split(fieldMark)
        states.set(row, staged[7] ?? '')
        specialties.set(row, staged[5] ?? '')
        const wait = writer.add(npiEntry(String(record), staged, listed))
        if (wait !== undefined) await wait
        if (writer.rows % 250_000 === 0) progress({ part: 'npis', rows: writer.rows })
      }
    const complete = Promise.resolve(writer.finish())
    // Whoever waits for it is told; until somebody does, a failure is not lost.
    complete.catch(() => undefined)
    return { rows: writer.rows, complete, states, specialties }
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

function npiEntry(record: string, staged: readonly string[], tins: readonly number[]): Entry {
  const [npi, name = '', others, credentials, entity, , taxonomies, state, counties, payers, ccns] = staged
  const some = (text: string | undefined) => (text === '' ? undefined : text)
  return {
    key: Number(npi),
    names: others === '' ? [name] : [name, ...listOf(others)],
    beside: credentials === undefined || credentials === '' ? [] : [credentials],
    codes: [...tins.map(tinCode), ...listOf(ccns).map(ccnCode)],
    facets: {
      state: some(state),
      taxonomy: some(taxonomies),
      county: some(counties),
      entity: some(entity),
      payer: some(payers),
    },
    record: `${record}${fieldMark}${tins.join(',')}`,
  }
}

import { valuesText } from '../search/columns.ts'
import type { Entry } from '../search/gathering.ts'
import { IndexWriter } from '../search/index-writer.ts'
import type { TinRecord } from './records.ts'
import type { WrittenNpis } from './npi-entries.ts'
import { npiBase, npiMost, type Progress, type Stage } from './stage.ts'
import { bitsOf, fieldMark, fields, Follower } from './staged-rows.ts'

/** What taxpayers can be filtered by. */
const facets = ['state', 'taxonomy', 'type'] as const

/** Puts taxpayers in order, those that most payers list first, and their members and organisations beside them. */
export async function stageTins(stage: Stage): Promise<void> {
  await stage.order(
    'tin_rows',
    `with named as (
      select tin, id, payers, tin_names.name as reported from tins left join tin_names using (tin)
    ), own as (
      select npi::varchar as tin, name, state from p.providers where npi::varchar in (select tin from tins where len(tin) = 10)
    )
    select id, ${fields('tin', 'reported', 'own.name', 'own.state', 'coalesce(npis, 0)::varchar', 'payers::varchar')} as taxpayer
    from named left join (select id, count(*) as npis from tin_npis group by id) using (id) left join own using (tin)
    order by bit_count(payers) desc, npis desc nulls last, tin`,
  )
  await stage.order(
    'tin_members',
    `select tin_rows.rowid::uinteger as row, npi_rows.rowid::uinteger as member
    from tin_npis join tin_rows using (id) join npi_rows using (npi)
    order by row, member`,
  )
  await stage.order(
    'tin_groups',
    `select tin_rows.rowid::uinteger as row, tin_npis.npi as npi, ${fields('(tin_npis.npi::ubigint + ' + npiBase + ')::varchar', 'name')} as named
    from tin_npis join tin_rows using (id)
      join (
        select (npi - ${npiBase})::uinteger as npi, name from p.providers
        where entity_type = 'group' and not deactivated and npi between ${npiBase} and ${npiMost}
      ) as organisations using (npi)
    order by row, tin_npis.npi`,
  )
}

/** Writes the part of the index that finds taxpayers; returns how many it holds. */
export async function writeTins(
  stage: Stage,
  npis: WrittenNpis,
  folder: string,
  progress: Progress,
): Promise<number> {
  const writer = new IndexWriter(folder, facets)
  try {
    const members = new Follower<number>(stage.columns('select row, member from tin_members'))
    const groups = new Follower<string>(stage.columns('select row, named from tin_groups'))
    const rows = stage.columns('select taxpayer from tin_rows')
    for await (const [taxpayers = []] of rows)
      for (const taxpayer of taxpayers) {
        const [memberRows, named] = [members.of(writer.rows), groups.of(writer.rows)]
        const summary = membersSummary(
          npis,
          Array.isArray(memberRows) ? memberRows : await memberRows,
          Array.isArray(named) ? named : await named,
        )
        writer.add(tinEntry(String(taxpayer), summary))
        if (writer.rows % 250_000 === 0) progress({ part: 'tins', rows: writer.rows })
      }
    writer.finish()
    return writer.rows
  } catch (error) {
    writer.abandon()
    throw error
  }
}

function tinEntry(staged: string, members: ReturnType<typeof membersSummary>): Entry {
  const [tin = '', reported, ownName, ownState = '', npis, payers] = staged.split(fieldMark)
  const record: TinRecord = {
    tin: Number(tin),
    name: reported || members.name || ownName || '',
    states: members.states.length > 0 || ownState === '' ? members.states : [ownState],
    taxonomies: members.taxonomies,
    groups: members.groups,
    npis: Number(npis),
    payers: bitsOf(payers),
  }
  return {
    key: record.tin,
    names: record.name === '' ? [] : [record.name],
    beside: [],
    codes: [],
    facets: {
      state: valuesText(record.states),
      taxonomy: valuesText(record.taxonomies),
      type: tin.length === 10 ? 'npi' : 'ein',
    },
    record: JSON.stringify(record),
  }
}

const taxonomiesMost = 50
const groupsMost = 25

/** What a taxpayer's members say about it: the name, states and specialties that most of them have come first. */
function membersSummary(npis: WrittenNpis, members: readonly number[], groups: readonly string[]) {
  const [names, states, taxonomies] = [new Tally(), new Tally(), new Tally()]
  for (const member of members) {
    states.add(npis.states.at(member))
    taxonomies.add(npis.specialties.at(member))
  }
  const groupNpis: number[] = []
  for (const group of groups) {
    const [npi, name = ''] = group.split(fieldMark)
    if (groupNpis.length < groupsMost) groupNpis.push(Number(npi))
    names.add(name)
  }
  return {
    name: names.ranked()[0],
    states: states.ranked(),
    taxonomies: taxonomies.ranked().slice(0, taxonomiesMost),
    groups: groupNpis,
  }
}

/** Counts texts and lists them, the most frequent first, equals by their letters. */
class Tally {
  readonly #times = new Map<string, number>()

  add(text: string): void {
    if (text !== '') this.#times.set(text, (this.#times.get(text) ?? 0) + 1)
  }

  ranked(): string[] {
    return [...this.#times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([text]) => text)
  }
}

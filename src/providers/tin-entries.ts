import { IndexWriter } from '../search/index-writer.ts'
import type { TinRecord } from './records.ts'
import type { Progress, Stage } from './stage.ts'
import { bitsOf, follower } from './staged-rows.ts'

/** What taxpayers can be filtered by. */
const facets = ['state', 'taxonomy', 'type'] as const

/** Writes the part of the index that finds taxpayers; returns how many it holds. */
export async function writeTins(stage: Stage, folder: string, progress: Progress): Promise<number> {
  const writer = new IndexWriter(folder, facets)
  try {
    const membersOf = follower(
      stage.rows(`
        select row, npi::varchar, case when entity_type = 'group' then name end, state, primary_taxonomy
        from tin_npis join ranked_tins using (tin) join p.providers using (npi)
        where not deactivated
        order by row, npi`),
    )
    const tins = stage.rows(`
      select row, tin, tin_names.name, self.name, self.state, npis, payers::varchar
      from ranked_tins left join tin_names using (tin)
        left join p.providers as self on self.npi = case when len(tin) = 10 then tin::ubigint end
      order by row`)
    for await (const [rank, tin, reported, ownName, ownState, npis, payers] of tins) {
      const members = membersSummary(await membersOf(Number(rank)))
      const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
      const state = text(ownState)
      const record: TinRecord = {
        tin: Number(tin),
        name: text(reported) ?? members.name ?? text(ownName) ?? '',
        states: members.states.length > 0 || state === undefined ? members.states : [state],
        taxonomies: members.taxonomies,
        groups: members.groups,
        npis: Number(npis),
        payers: bitsOf(payers),
      }
      writer.add({
        key: record.tin,
        names: record.name === '' ? [] : [record.name],
        beside: [],
        codes: [],
        facets: {
          state: record.states,
          taxonomy: record.taxonomies,
          type: [String(tin).length === 10 ? 'npi' : 'ein'],
        },
        record: JSON.stringify(record),
      })
      if (writer.rows % 250_000 === 0) progress({ part: 'tins', rows: writer.rows })
    }
    writer.finish()
    return writer.rows
  } catch (error) {
    writer.abandon()
    throw error
  }
}

const taxonomiesMost = 50
const groupsMost = 25

/** What a taxpayer's members say about it: the name, states and specialties that most of them have come first. */
function membersSummary(members: readonly (readonly unknown[])[]) {
  const [names, states, taxonomies] = [new Tally(), new Tally(), new Tally()]
  const groups: number[] = []
  for (const [, npi, groupName, state, taxonomy] of members) {
    if (groupName !== null && groups.length < groupsMost) groups.push(Number(npi))
    names.add(groupName)
    states.add(state)
    taxonomies.add(taxonomy)
  }
  return {
    name: names.ranked()[0],
    states: states.ranked(),
    taxonomies: taxonomies.ranked().slice(0, taxonomiesMost),
    groups,
  }
}

/** Counts texts and lists them, the most frequent first, equals by their letters. */
class Tally {
  readonly #times = new Map<string, number>()

  add(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.#times.set(text, (this.#times.get(text) ?? 0) + 1)
  }

  ranked(): string[] {
    return [...this.#times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([text]) => text)
  }
}

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { IndexWriter } from '../search/index-writer.ts'
import { initials, words } from '../search/words.ts'
import { ccnCode, ccnKey, tinCode, type HospitalRecord, type NpiRecord, type TinRecord } from './records.ts'
import { listMark, Stage, type Sources } from './stage.ts'

export interface BuiltIndex {
  readonly payers: readonly string[]
  readonly counts: { readonly npis: number; readonly hospitals: number; readonly tins: number }
}

/** Where an index folder keeps its three parts. */
export const parts = { npis: 'npis', hospitals: 'hospitals', tins: 'tins' } as const
/** What each part can be filtered by. */
export const npiFacets = ['state', 'taxonomy', 'county', 'entity', 'payer'] as const
export const hospitalFacets = ['state', 'category', 'facility'] as const
export const tinFacets = ['state', 'taxonomy', 'type'] as const

export const countyValue = (county: string) => county.trim().toLowerCase()

/** Writes the index of providers, hospitals and taxpayers into a folder of its own. */
export async function buildIndex(
  folder: string,
  sources: Sources,
  progress: (done: { part: string; rows: number }) => void = () => undefined,
): Promise<BuiltIndex> {
  const work = join(folder, 'work')
  mkdirSync(work, { recursive: true })
  const stage = await Stage.open(sources, work)
  try {
    const npis = await writeNpis(stage, join(folder, parts.npis), progress)
    const hospitals = await writeHospitals(stage, join(folder, parts.hospitals))
    const tins = await writeTins(stage, join(folder, parts.tins), progress)
    return { payers: stage.payers, counts: { npis, hospitals, tins } }
  } finally {
    stage.close()
    rmSync(work, { recursive: true, force: true })
  }
}

async function writeNpis(
  stage: Stage,
  folder: string,
  progress: (done: { part: string; rows: number }) => void,
): Promise<number> {
  const writer = new IndexWriter(folder, npiFacets)
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
      const listedTins = await tinsOf(Number(rank))
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

async function writeHospitals(stage: Stage, folder: string): Promise<number> {
  const writer = new IndexWriter(folder, hospitalFacets)
  try {
    const hospitals = stage.rows(`
      with own as (select ccn, unnest(npis).npi as npi from h.hospitals),
        listed as (
          select own.ccn, list(distinct tin order by tin) as tins, list(distinct payer order by payer) as payers
          from own join pairs using (npi) group by own.ccn)
      select ccn, name, street, city, state, zip, phone, provider_type, ownership, emergency, care_quality, bed_count,
        health_system, ccn_category, ccn_facility_type, ccn_unit, npi::varchar, ${joined('list_transform(npis, lambda one: one.npi::varchar)')},
        ${joined('tins')}, ${joined('list_transform(payers, lambda one: one::varchar)')}, ${joined('other_names')}
      from h.hospitals left join listed using (ccn)
      where name is not null and name <> ''
      order by len(payers) desc nulls last, bed_count desc nulls last, ccn`)
    for await (const row of hospitals) {
      const text = (place: number) => (typeof row[place] === 'string' ? row[place] : null)
      const number = (place: number) => (row[place] === null ? null : Number(row[place]))
      const record: HospitalRecord = {
        ccn: text(0) ?? '',
        name: text(1) ?? '',
        street: text(2),
        city: text(3),
        state: text(4),
        zip: text(5),
        phone: text(6),
        providerType: text(7),
        ownership: text(8),
        emergency: typeof row[9] === 'boolean' ? row[9] : null,
        careQuality: number(10),
        bedCount: number(11),
        healthSystem: text(12),
        category: text(13),
        facilityType: text(14),
        unit: text(15),
        npi: number(16),
        npis: listOf(row[17]).map(Number),
        tins: listOf(row[18]).map(Number),
        payers: listOf(row[19]).map(Number),
      }
      const called = initials(words(record.name))
      writer.add({
        key: ccnKey(record.ccn),
        names: [record.name, ...listOf(row[20])],
        beside: [record.city ?? '', record.healthSystem ?? '', called ?? ''],
        codes: [],
        facets: {
          state: record.state === null ? [] : [record.state],
          category: [record.category ?? ''],
          facility: [record.facilityType ?? ''],
        },
        record: JSON.stringify(record),
      })
    }
    writer.finish()
    return writer.rows
  } catch (error) {
    writer.abandon()
    throw error
  }
}

async function writeTins(
  stage: Stage,
  folder: string,
  progress: (done: { part: string; rows: number }) => void,
): Promise<number> {
  const writer = new IndexWriter(folder, tinFacets)
  try {
    const tins = stage.rows(`
      with members as (
          select tin, npi, entity_type, name, state, primary_taxonomy
          from tin_npis join p.providers using (npi) where not deactivated),
        reported as (
          select tin, min({ less: -times, name: name }).name as name
          from (select tin, name, count(*)::integer as times from listed_tins where name is not null group by all) group by tin),
        borne as (
          select tin, min({ less: -times, name: name }).name as name
          from (select tin, name, count(*)::integer as times from members where entity_type = 'group' group by all) group by tin),
        places as (
          select tin, list(state order by times desc, state) as states
          from (select tin, state, count(*) as times from members where state is not null group by all) group by tin),
        specialties as (
          select tin, list(code order by times desc, code)[:${taxonomiesMost}] as taxonomies
          from (select tin, primary_taxonomy as code, count(*) as times from members where primary_taxonomy is not null group by all)
          group by tin),
        groups as (select tin, min(npi, ${groupsMost}) as npis from members where entity_type = 'group' group by tin),
        sizes as (select tin, count(*) as npis from tin_npis group by tin),
        self as (select tin, name, state from tin_payers join p.providers on len(tin) = 10 and npi = tin::ubigint)
      select tin, coalesce(reported.name, borne.name, self.name), ${joined('states')}, ${joined('taxonomies')},
        ${joined('list_transform(groups.npis, lambda one: one::varchar)')}, coalesce(sizes.npis, 0)::integer, payers::varchar
      from tin_payers left join reported using (tin) left join borne using (tin) left join places using (tin)
        left join specialties using (tin) left join groups using (tin) left join sizes using (tin) left join self using (tin)
      order by bit_count(payers) desc, sizes.npis desc nulls last, tin`)
    for await (const [tin, name, states, taxonomies, groups, npis, payers] of tins) {
      const record: TinRecord = {
        tin: Number(tin),
        name: typeof name === 'string' ? name : '',
        states: listOf(states),
        taxonomies: listOf(taxonomies),
        groups: listOf(groups).map(Number),
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

const joined = (list: string) => `array_to_string(${list}, '${listMark}')`
const listOf = (text: unknown): string[] =>
  typeof text === 'string' && text !== '' ? text.split(listMark) : []

/** The places of the ones in a text of bits: the payers that list a provider. */
function bitsOf(text: unknown): number[] {
  const found: number[] = []
  if (typeof text === 'string')
    for (let at = text.indexOf('1'); at >= 0; at = text.indexOf('1', at + 1)) found.push(at)
  return found
}

/** Reads a stream of (rank, value) in order of rank: each call gives the values of that rank. */
function follower(rows: AsyncGenerator<readonly unknown[]>): (rank: number) => Promise<string[]> {
  let ahead: readonly unknown[] | undefined
  let ended = false
  return async (rank) => {
    const values: string[] = []
    while (!ended) {
      if (ahead === undefined) {
        const next = await rows.next()
        if (next.done === true) {
          ended = true
          break
        }
        ahead = next.value
      }
      if (Number(ahead[0]) > rank) break
      if (Number(ahead[0]) === rank) values.push(String(ahead[1]))
      ahead = undefined
    }
    return values
  }
}

import { IndexWriter } from '../search/index-writer.ts'
import { initials, words } from '../search/words.ts'
import { ccnKey, type HospitalRecord } from './records.ts'
import { npiBase, type Stage } from './stage.ts'
import { bitsOf, joined, listOf } from './staged-rows.ts'

/** What hospitals can be filtered by. */
const facets = ['state', 'category', 'facility'] as const

/** Writes the part of the index that finds hospitals; returns how many it holds. */
export async function writeHospitals(stage: Stage, folder: string): Promise<number> {
  const writer = new IndexWriter(folder, facets)
  try {
    const hospitals = await stage.rows(`
      with own as (select ccn, (unnest(npis).npi - ${npiBase})::uinteger as npi from h.hospitals),
        listed_tins as (
          select ccn, list(distinct tin order by tin) as tins
          from own join tin_npis using (npi) join tins using (id) group by ccn),
        listed_by as (select ccn, bit_or(payers) as payers from own join npi_payers using (npi) group by ccn)
      select ccn, name, street, city, state, zip, phone, provider_type, ownership, emergency, care_quality, bed_count,
        health_system, ccn_category, ccn_facility_type, ccn_unit, npi::varchar, ${joined('list_transform(npis, lambda one: one.npi::varchar)')},
        ${joined('tins')}, payers::varchar, ${joined('other_names')}
      from h.hospitals left join listed_tins using (ccn) left join listed_by using (ccn)
      where name is not null and name <> ''
      order by bit_count(payers) desc nulls last, bed_count desc nulls last, ccn`)
    for (const row of hospitals) {
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
        payers: bitsOf(row[19]),
      }
      const called = initials(words(record.name))
      writer.add({
        key: ccnKey(record.ccn),
        names: [record.name, ...listOf(row[20])],
        beside: [record.city ?? '', record.healthSystem ?? '', called ?? ''],
        codes: [],
        facets: {
          state: record.state ?? undefined,
          category: record.category ?? '',
          facility: record.facilityType ?? '',
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

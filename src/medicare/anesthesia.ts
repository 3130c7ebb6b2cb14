import type { DuckDBDecimalValue } from '@duckdb/node-api'
import type { MedicareRateRow } from '../operations/medicare-rates.ts'
import { scaledNumber } from './exact.ts'
import { latestRelease, places, yearPlaces } from './factors.ts'
import type { MedicareRatesQuestion } from './question.ts'
import type { MedicareTables } from './store.ts'

const isState = /^[A-Z]{2}$/

interface AnesthesiaRow {
  year: number
  release: string
  carrier: string
  locality: string
  state: string | null
  name: string
  factor: DuckDBDecimalValue
  base_units?: DuckDBDecimalValue | null
  code?: string
  source_file: string
}

/**
 * Anesthesia conversion factors: the national one first, then each locality's. A service is paid its base units plus
 * its time in units of 15 minutes, times the factor; where codes are asked, their base units come with the national
 * factor. There are more localities than an answer has rows, and `states` is not for this table: two letters among the
 * codes are states, and keep their localities.
 */
export async function anesthesiaFactors(
  tables: MedicareTables,
  { codes, years, limit }: MedicareRatesQuestion,
): Promise<MedicareRateRow[]> {
  const states = codes?.filter((code) => isState.test(code)) ?? []
  const services = codes?.filter((code) => !isState.test(code)) ?? []
  const rows =
    services.length === 0
      ? await tables.rows<AnesthesiaRow>(
          `select a.year, a.release, a.carrier, a.locality, a.state, a.name, a.factor, sources.name as source_file
           from anesthesia_factors as a
           join sources on sources.id = a.source
           left join ${latestRelease('anesthesia_factors', years)} as latest on latest.year = a.year and latest.release = a.release
           where a.year in (${yearPlaces(years)}) and (latest.year is not null or a.locality = '')
             and ${states.length === 0 ? 'true' : `a.state in (${places(states, years.length + 1)})`}
           order by a.year desc, a.locality <> '', a.state, a.carrier, a.locality
           limit ${limit}`,
          [...years, ...states],
        )
      : await tables.rows<AnesthesiaRow>(
          `select a.year, a.release, a.carrier, a.locality, a.state, a.name, a.factor, b.code, b.base_units, sources.name as source_file
           from anesthesia_factors as a
           cross join (select code, arg_max(base_units, year) as base_units, arg_max(source, year) as source from anesthesia_base_units group by code) as b
           join sources on sources.id = b.source
           where a.locality = '' and a.year in (${yearPlaces(years)}) and b.code in (${places(services, years.length + 1)})
           order by a.year desc, b.code
           limit ${limit}`,
          [...years, ...services],
        )
  return rows.map((row) => ({
    dataset: 'Anesthesia',
    code: row.code ?? null,
    modifier: null,
    year: row.year,
    release: row.release,
    state: row.locality === '' ? 'national' : row.state,
    carrier: row.carrier || null,
    locality: row.locality || null,
    localityName: row.locality === '' ? null : row.name,
    conversionFactor: scaledNumber(row.factor.value, 4),
    baseUnits: row.base_units == null ? null : scaledNumber(row.base_units.value, 1),
    sourceFile: row.source_file,
  }))
}

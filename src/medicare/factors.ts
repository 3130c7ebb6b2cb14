import type { DuckDBDecimalValue } from '@duckdb/node-api'
import type { Factor } from './exact.ts'
import type { MedicareTables } from './store.ts'

/** Who is paid by a conversion factor: from 2026 qualifying participants of advanced payment models have their own. */
export type Participant = 'all' | 'qualifying' | 'non-qualifying'

/** A conversion factor and the days it was in force. */
export interface DatedFactor extends Factor {
  readonly year: number
  readonly from: string
  readonly through: string
  readonly participant: Participant
}

interface FactorRow {
  year: number
  from_date: string
  through_date: string
  participant: Participant
  factor: DuckDBDecimalValue
  work_adjuster: DuckDBDecimalValue
}

/** The factors of the asked years, newest first. A year may have two. */
export async function conversionFactors(
  tables: MedicareTables,
  years: readonly number[],
): Promise<DatedFactor[]> {
  const rows = await tables.rows<FactorRow>(
    `select year, from_date::varchar as from_date, through_date::varchar as through_date, participant, factor, work_adjuster
     from conversion_factors
     where year in (${yearPlaces(years)})
     order by year desc, from_date desc, participant`,
    [...years],
  )
  return rows.map((row) => ({
    year: row.year,
    from: row.from_date,
    through: row.through_date,
    participant: row.participant,
    factor: row.factor.value,
    workAdjuster: row.work_adjuster.value,
  }))
}

/** The factor a year is compared by: the one in force at its end, for those who are not qualifying participants. */
export const yearFactor = (factors: readonly DatedFactor[], year: number) =>
  factors.find((factor) => factor.year === year && factor.participant !== 'qualifying')

/** Bound places for a list; a list of none matches nothing. */
export const places = (values: readonly unknown[], first = 1) =>
  values.length === 0 ? 'null' : values.map((_, index) => `$${index + first}`).join(', ')

/** Bound places for years, in the type of the columns: a cast of the column would read every row group. */
export const yearPlaces = (years: readonly number[]) =>
  years.length === 0 ? 'null' : years.map((_, index) => `$${index + 1}::usmallint`).join(', ')

// A: January, AR: its reissue of 2024, B: April, C: July, D: October. The texts sort in that order.
/** The latest release loaded of each of the years that are bound first. */
export const latestRelease = (
  table: 'relative_values' | 'gpcis' | 'anesthesia_factors',
  years: readonly number[],
) => `(select year, max(release) as release from ${table} where year in (${yearPlaces(years)}) group by year)`

import type { DuckDBDecimalValue } from '@duckdb/node-api'
import type { MedicareRateRow } from '../operations/medicare-rates.ts'
import { scaledNumber } from './exact.ts'
import { places, yearPlaces } from './factors.ts'
import type { MedicareRatesQuestion } from './question.ts'
import type { MedicareTables } from './store.ts'

interface LimitRow {
  year: number
  quarter: number
  code: string
  dosage: string | null
  payment_limit: DuckDBDecimalValue
  source_file: string
}

/** Payment limits of Part B drugs: the quarter of the asked month, or every loaded quarter of the years, newest first. */
export async function drugRates(
  tables: MedicareTables,
  { codes, years, month, limit }: MedicareRatesQuestion,
): Promise<MedicareRateRow[]> {
  const rows = await tables.rows<LimitRow>(
    `select a.year, a.quarter, a.code, a.dosage, a.payment_limit, sources.name as source_file
     from asp_limits as a join sources on sources.id = a.source
     where a.year in (${yearPlaces(years)})
     ${month === undefined ? '' : `and a.quarter = ${Math.ceil(month / 3)}`}
     ${codes === undefined ? '' : `and a.code in (${places(codes, years.length + 1)})`}
     order by a.year desc, a.quarter desc, a.code
     limit ${limit}`,
    [...years, ...(codes ?? [])],
  )
  return rows.map((row) => ({
    dataset: 'Drug ASP',
    code: row.code,
    modifier: null,
    year: row.year,
    quarter: row.quarter,
    month: row.quarter * 3 - 2,
    state: 'national',
    paymentLimit: scaledNumber(row.payment_limit.value, 3),
    dosage: row.dosage,
    sourceFile: row.source_file,
  }))
}

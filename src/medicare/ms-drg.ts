import type { DuckDBDecimalValue } from '@duckdb/node-api'
import type { MedicareRateRow } from '../operations/medicare-rates.ts'
import { scaledNumber } from './exact.ts'
import { places, yearPlaces } from './factors.ts'
import type { MedicareRatesQuestion } from './question.ts'
import type { MedicareTables } from './store.ts'

interface WeightRow {
  fiscal_year: number
  code: string
  mdc: string | null
  type: string | null
  weight: DuckDBDecimalValue
  weight_before_cap: DuckDBDecimalValue | null
  geometric_los: DuckDBDecimalValue | null
  arithmetic_los: DuckDBDecimalValue | null
  source_file: string
}

/** Relative weights of MS-DRGs by fiscal year (October to September). */
export async function drgWeights(
  tables: MedicareTables,
  { codes, years, limit }: MedicareRatesQuestion,
): Promise<MedicareRateRow[]> {
  const groups = codes?.map((code) => code.replace(/^0+(?=\d)/, '').padStart(3, '0'))
  const rows = await tables.rows<WeightRow>(
    `select w.fiscal_year, w.code, w.mdc, w.type, w.weight, w.weight_before_cap, w.geometric_los, w.arithmetic_los,
       sources.name as source_file
     from ms_drg_weights as w join sources on sources.id = w.source
     where w.fiscal_year in (${yearPlaces(years)})
     ${groups === undefined ? '' : `and w.code in (${places(groups, years.length + 1)})`}
     order by w.fiscal_year desc, w.code
     limit ${limit}`,
    [...years, ...(groups ?? [])],
  )
  const tenths = (value: DuckDBDecimalValue | null) => (value === null ? null : scaledNumber(value.value, 1))
  return rows.map((row) => ({
    dataset: 'MS-DRG weight',
    code: row.code,
    modifier: null,
    year: row.fiscal_year,
    fiscalYear: row.fiscal_year,
    state: 'national',
    weight: scaledNumber(row.weight.value, 4),
    weightBeforeCap: row.weight_before_cap === null ? null : scaledNumber(row.weight_before_cap.value, 4),
    geometricMeanLengthOfStay: tenths(row.geometric_los),
    arithmeticMeanLengthOfStay: tenths(row.arithmetic_los),
    majorDiagnosticCategory: row.mdc,
    drgType: row.type,
    sourceFile: row.source_file,
  }))
}

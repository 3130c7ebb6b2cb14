import type { MedicareDataset } from '../vocabulary/medicare.ts'
import { anesthesiaFactors } from './anesthesia.ts'
import { drugRates } from './drug-asp.ts'
import { drgWeights } from './ms-drg.ts'
import { physicianRates } from './physician.ts'
import type { MedicareStore, MedicareTables } from './store.ts'

/** What `search_medicare_rates` asks. */
export interface MedicareRatesRequest {
  readonly medicareType: MedicareDataset
  readonly codes?: readonly string[] | undefined
  readonly years?: readonly number[] | undefined
  /** Two-letter codes or `national`; the fee schedule only. Left out: national. */
  readonly states?: readonly string[] | undefined
  readonly month?: number | undefined
  readonly limit?: number | undefined
}

/** The question with its defaults filled in. */
export interface MedicareRatesQuestion {
  readonly codes: readonly string[] | undefined
  readonly years: readonly number[]
  readonly states: readonly string[] | undefined
  readonly month: number | undefined
  readonly limit: number
}

/** One row of the answer. Fields that a dataset does not have are left out. */
export interface MedicareRateRow {
  readonly dataset: MedicareDataset
  readonly code: string | null
  readonly modifier: string | null
  readonly year: number
  /** Two letters, or `national`, which has no locality. */
  readonly state: string | null
  readonly sourceFile: string
  readonly release?: string
  readonly quarter?: number
  /** First month of the quarter. */
  readonly month?: number
  readonly fiscalYear?: number
  readonly carrier?: string | null
  readonly locality?: string | null
  readonly localityName?: string | null
  readonly status?: string
  /** Null where the fee schedule does not pay the code. */
  readonly nonFacilityAmount?: number | null
  readonly facilityAmount?: number | null
  /** The service is rarely performed in that setting; the value mirrors the other one. */
  readonly nonFacilityNotTypical?: boolean
  readonly facilityNotTypical?: boolean
  /** Most that is paid for imaging, from the outpatient hospital system. Not applied to the amounts. */
  readonly nonFacilityCap?: number | null
  readonly facilityCap?: number | null
  readonly workRvu?: number
  readonly nonFacilityPracticeExpenseRvu?: number
  readonly facilityPracticeExpenseRvu?: number
  readonly malpracticeRvu?: number
  readonly conversionFactor?: number
  readonly effectiveFrom?: string
  readonly effectiveThrough?: string
  readonly participant?: 'all' | 'qualifying' | 'non-qualifying'
  readonly baseUnits?: number | null
  readonly paymentLimit?: number
  readonly dosage?: string | null
  readonly weight?: number
  readonly weightBeforeCap?: number | null
  readonly geometricMeanLengthOfStay?: number | null
  readonly arithmeticMeanLengthOfStay?: number | null
  readonly majorDiagnosticCategory?: string | null
  readonly drgType?: string | null
}

const datasets: Record<
  MedicareDataset,
  {
    readonly years: string
    rows(tables: MedicareTables, question: MedicareRatesQuestion): Promise<MedicareRateRow[]>
  }
> = {
  'Physician FFS': { years: 'select year from relative_values', rows: physicianRates },
  'Drug ASP': { years: 'select year from asp_limits', rows: drugRates },
  'MS-DRG weight': { years: 'select fiscal_year as year from ms_drg_weights', rows: drgWeights },
  Anesthesia: { years: "select year from anesthesia_factors where locality <> ''", rows: anesthesiaFactors },
}

const limitMax = 100

/** What Medicare pays or weighs, from one of its four tables. Years left out mean the newest that is loaded. */
export async function medicareRates(
  store: MedicareStore,
  { medicareType, codes, years, states, month, limit = limitMax }: MedicareRatesRequest,
): Promise<MedicareRateRow[]> {
  const tables = await store.tables()
  const dataset = datasets[medicareType]
  return await dataset.rows(tables, {
    codes:
      codes === undefined || codes.length === 0 ? undefined : codes.map((code) => code.trim().toUpperCase()),
    years:
      years === undefined || years.length === 0
        ? await newestYear(tables, dataset.years)
        : [...new Set(years)],
    states: states === undefined || states.length === 0 ? undefined : states,
    month,
    limit: Math.min(Math.max(Math.trunc(limit), 1), limitMax),
  })
}

async function newestYear(tables: MedicareTables, statement: string): Promise<number[]> {
  const [row] = await tables.rows<{ year: number | null }>(`select max(year) as year from (${statement})`)
  return row?.year == null ? [] : [row.year]
}

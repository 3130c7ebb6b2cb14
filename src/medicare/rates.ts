import { medicareRatesMost, type MedicareRateRow } from '../operations/medicare-rates.ts'
import type { MedicareDataset } from '../vocabulary/medicare.ts'
import { anesthesiaFactors } from './anesthesia.ts'
import { drugRates } from './drug-asp.ts'
import { drgWeights } from './ms-drg.ts'
import { physicianRates } from './physician.ts'
import type { MedicareRatesQuestion } from './question.ts'
import type { MedicareStore, MedicareTables } from './store.ts'

/** What `search_medicare_rates` asks; what is left out has its default. */
export interface MedicareRatesAsked {
  readonly medicareType: MedicareDataset
  readonly codes?: readonly string[] | undefined
  readonly years?: readonly number[] | undefined
  /** Two-letter codes or `national`; the fee schedule only. Left out: national. */
  readonly states?: readonly string[] | undefined
  readonly month?: number | undefined
  readonly limit?: number | undefined
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

/** What Medicare pays or weighs, from one of its four tables. Years left out mean the newest that is loaded. */
export async function medicareRates(
  store: MedicareStore,
  { medicareType, codes, years, states, month, limit = medicareRatesMost }: MedicareRatesAsked,
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
    limit: Math.min(Math.max(Math.trunc(limit), 1), medicareRatesMost),
  })
}

async function newestYear(tables: MedicareTables, statement: string): Promise<number[]> {
  const [row] = await tables.rows<{ year: number | null }>(`select max(year) as year from (${statement})`)
  return row?.year == null ? [] : [row.year]
}

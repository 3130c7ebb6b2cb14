import type { DuckDBDecimalValue } from '@duckdb/node-api'
import { scaledNumber } from '../medicare/exact.ts'
import { conversionFactors, latestRelease, places } from '../medicare/factors.ts'
import type { MedicareRateRow } from '../medicare/rates.ts'
import type { MedicareTables } from '../medicare/store.ts'

/** What an amount of the fee schedule is multiplied with, beside the values of its own row. */
export interface Multipliers {
  readonly workIndex: number
  readonly practiceExpenseIndex: number
  readonly malpracticeIndex: number
  /** 1 in most years; from 2026 the efficiency adjustment of work values. */
  readonly workAdjuster: number
}

interface IndexRow {
  year: number
  carrier: string
  locality: string
  work: DuckDBDecimalValue
  practice_expense: DuckDBDecimalValue
  malpractice: DuckDBDecimalValue
}

/** The multipliers behind rows of the fee schedule; a national row has indices of one. */
export async function multipliersOf(
  tables: MedicareTables,
  rows: readonly MedicareRateRow[],
): Promise<(row: MedicareRateRow) => Multipliers> {
  const years = [...new Set(rows.map(({ year }) => year))]
  const factors = await conversionFactors(tables, years)
  const indices = await tables.rows<IndexRow>(
    `select g.year, g.carrier, g.locality, g.work, g.practice_expense, g.malpractice
     from gpcis as g
     join ${latestRelease('gpcis', years)} as latest on latest.year = g.year and latest.release = g.release
     where g.year in (${places(years)})`,
    years,
  )
  const key = ({ year, carrier, locality }: Pick<MedicareRateRow, 'year' | 'carrier' | 'locality'>) =>
    `${year} ${carrier} ${locality}`
  const known = new Map(indices.map((index) => [key(index), index]))
  return (row) => {
    const index = known.get(key(row))
    const factor = factors.find(
      ({ year, from, participant }) =>
        year === row.year && from === row.effectiveFrom && participant === row.participant,
    )
    const indexOf = (value: DuckDBDecimalValue | undefined) => (value ? scaledNumber(value.value, 3) : 1)
    return {
      workIndex: indexOf(index?.work),
      practiceExpenseIndex: indexOf(index?.practice_expense),
      malpracticeIndex: indexOf(index?.malpractice),
      workAdjuster: factor ? scaledNumber(factor.workAdjuster, 4) : 1,
    }
  }
}

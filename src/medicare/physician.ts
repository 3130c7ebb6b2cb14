import type { DuckDBDecimalValue } from '@duckdb/node-api'
import type { MedicareRateRow } from '../operations/medicare-rates.ts'
import { feeCents, nationalIndices, scaledNumber, type Indices } from './exact.ts'
import { conversionFactors, latestRelease, places, type DatedFactor, yearPlaces } from './factors.ts'
import type { MedicareRatesQuestion } from './question.ts'
import type { MedicareTables } from './store.ts'

interface ValueRow {
  year: number
  release: string
  code: string
  modifier: string
  status: string
  work: DuckDBDecimalValue
  non_facility_pe: DuckDBDecimalValue
  facility_pe: DuckDBDecimalValue
  malpractice: DuckDBDecimalValue
  non_facility_na: boolean
  facility_na: boolean
  source_file: string
}

interface IndexRow {
  year: number
  carrier: string
  locality: string
  state: string
  name: string
  work: DuckDBDecimalValue
  practice_expense: DuckDBDecimalValue
  malpractice: DuckDBDecimalValue
}

interface CapRow {
  year: number
  code: string
  modifier: string
  carrier: string
  locality: string
  facility: DuckDBDecimalValue
  non_facility: DuckDBDecimalValue
}

/** Status codes under which the fee schedule pays the printed values: active, restricted coverage, injections. */
export const payableStatuses: ReadonlySet<string> = new Set(['A', 'R', 'T'])

/** What the physician fee schedule pays: nationally, and in each locality of the asked states. */
export async function physicianRates(
  tables: MedicareTables,
  { codes, years, states, limit }: MedicareRatesQuestion,
): Promise<MedicareRateRow[]> {
  const national = states === undefined || states.some((state) => state.toLowerCase() === 'national')
  const stateCodes = (states ?? []).map((state) => state.toUpperCase())
  const factors = await conversionFactors(tables, years)
  const values = await tables.rows<ValueRow>(
    `select r.year, r.release, r.code, r.modifier, r.status, r.work, r.non_facility_pe, r.facility_pe, r.malpractice,
       r.non_facility_na, r.facility_na, sources.name as source_file
     from relative_values as r
     join ${latestRelease('relative_values', years)} as latest on latest.year = r.year and latest.release = r.release
     join sources on sources.id = r.source
     where r.year in (${yearPlaces(years)})
     ${codes === undefined ? '' : `and r.code in (${places(codes, years.length + 1)})`}
     order by r.year desc, r.code, r.modifier
     limit ${limit}`,
    [...years, ...(codes ?? [])],
  )
  const indices = await tables.rows<IndexRow>(
    `select g.year, g.carrier, g.locality, g.state, g.name, g.work, g.practice_expense, g.malpractice
     from gpcis as g
     join ${latestRelease('gpcis', years)} as latest on latest.year = g.year and latest.release = g.release
     where g.year in (${yearPlaces(years)}) and g.state in (${places(stateCodes, years.length + 1)})
     order by g.year desc, g.state, g.carrier, g.locality`,
    [...years, ...stateCodes],
  )
  const caps = await capsOf(tables, values, indices)
  const rows: MedicareRateRow[] = []
  for (const value of values) {
    const yearFactors = factors.filter((factor) => factor.year === value.year)
    const where = [...(national ? [undefined] : []), ...indices.filter((index) => index.year === value.year)]
    for (const index of where)
      for (const factor of yearFactors) {
        if (rows.length === limit) return rows
        rows.push(
          rateRow(
            value,
            index,
            factor,
            index === undefined ? undefined : caps.get(capKey({ ...value, ...index })),
          ),
        )
      }
  }
  return rows
}

function rateRow(
  value: ValueRow,
  index: IndexRow | undefined,
  factor: DatedFactor,
  cap: CapRow | undefined,
): MedicareRateRow {
  const indices: Indices =
    index === undefined
      ? nationalIndices
      : {
          work: index.work.value,
          practiceExpense: index.practice_expense.value,
          malpractice: index.malpractice.value,
        }
  const common = { work: value.work.value, malpractice: value.malpractice.value }
  const paid = payableStatuses.has(value.status)
  const amount = (practiceExpense: bigint) => {
    const cents = feeCents({ ...common, practiceExpense }, indices, factor)
    return paid && cents > 0n ? scaledNumber(cents, 2) : null
  }
  return {
    dataset: 'Physician FFS',
    code: value.code,
    modifier: value.modifier === '' ? null : value.modifier,
    year: value.year,
    release: value.release,
    state: index === undefined ? 'national' : index.state,
    carrier: index?.carrier ?? null,
    locality: index?.locality ?? null,
    localityName: index?.name ?? null,
    status: value.status,
    nonFacilityAmount: amount(value.non_facility_pe.value),
    facilityAmount: amount(value.facility_pe.value),
    nonFacilityNotTypical: value.non_facility_na,
    facilityNotTypical: value.facility_na,
    nonFacilityCap: cap === undefined ? null : scaledNumber(cap.non_facility.value, 2),
    facilityCap: cap === undefined ? null : scaledNumber(cap.facility.value, 2),
    workRvu: scaledNumber(value.work.value, 2),
    nonFacilityPracticeExpenseRvu: scaledNumber(value.non_facility_pe.value, 2),
    facilityPracticeExpenseRvu: scaledNumber(value.facility_pe.value, 2),
    malpracticeRvu: scaledNumber(value.malpractice.value, 2),
    workIndex: scaledNumber(indices.work, 3),
    practiceExpenseIndex: scaledNumber(indices.practiceExpense, 3),
    malpracticeIndex: scaledNumber(indices.malpractice, 3),
    workAdjuster: scaledNumber(factor.workAdjuster, 4),
    conversionFactor: scaledNumber(factor.factor, 4),
    effectiveFrom: factor.from,
    effectiveThrough: factor.through,
    participant: factor.participant,
    sourceFile: value.source_file,
  }
}

const capKey = ({
  year,
  code,
  modifier,
  carrier,
  locality,
}: Pick<CapRow, 'year' | 'code' | 'modifier' | 'carrier' | 'locality'>) =>
  [year, code, modifier, carrier, locality].join(' ')

/** Most that is paid for imaging in a locality, where the outpatient system pays less. */
async function capsOf(
  tables: MedicareTables,
  values: readonly ValueRow[],
  indices: readonly IndexRow[],
): Promise<Map<string, CapRow>> {
  if (values.length === 0 || indices.length === 0) return new Map()
  const codes = [...new Set(values.map(({ code }) => code))]
  const years = [...new Set(values.map(({ year }) => year))]
  const rows = await tables.rows<CapRow>(
    `select year, code, modifier, carrier, locality, arg_max(facility, release) as facility, arg_max(non_facility, release) as non_facility
     from opps_caps
     where year in (${yearPlaces(years)}) and code in (${places(codes, years.length + 1)})
     group by year, code, modifier, carrier, locality`,
    [...years, ...codes],
  )
  return new Map(rows.map((row) => [capKey(row), row]))
}

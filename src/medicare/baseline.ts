import type { DuckDBDecimalValue } from '@duckdb/node-api'
import { halfUp } from '../vocabulary/amount.ts'
import { feeCents, type Indices, type RelativeValues } from './exact.ts'
import { conversionFactors, latestRelease, yearFactor, type DatedFactor } from './factors.ts'
import { payableStatuses } from './physician.ts'
import type { MedicareStore, MedicareTables } from './store.ts'

/** What Medicare pays for a service, place by place (see `placeOf`), in ten-thousandths of a dollar. 0: no amount. */
export interface ServiceAmounts {
  readonly facility: Float64Array
  readonly nonFacility: Float64Array
}

/** The amounts that rates are compared with in one year. */
export interface Baseline {
  readonly year: number
  /** Same name, same amounts: for caches. */
  readonly build: string
  /** How many places there are: every locality, then every state's average. */
  readonly placeCount: number
  /** The place whose amounts a provider is compared with: its ZIP's locality, else its state's average; -1 for neither. */
  placeOf(zip: string | undefined, state: string | undefined): number
  /** Undefined where Medicare has no amount for the code and modifier ('', '26', 'TC', '53'). */
  amounts(code: string, modifier: string): ServiceAmounts | undefined
}

/** The modifier that Medicare prices apart; all others are paid from the row without modifier. */
export const pricedModifier = (modifiers: readonly string[]) =>
  ['26', 'TC', '53'].find((modifier) => modifiers.includes(modifier)) ?? ''

/** Opens baselines by year and keeps them while the loaded facts are the same. */
export function openBaselines(store: MedicareStore): (year: number) => Promise<Baseline | undefined> {
  const kept = new Map<number, { build: string; baseline: Promise<Baseline | undefined> }>()
  return async (year) => {
    const tables = await store.tables()
    const known = kept.get(year)
    if (known?.build === tables.build) return await known.baseline
    const baseline = readBaseline(tables, year)
    kept.set(year, { build: tables.build, baseline })
    baseline.catch(() => kept.delete(year))
    return await baseline
  }
}

interface Locality extends Indices {
  readonly carrier: string
  readonly locality: string
  readonly state: string | null
}

/** The baseline of a year; undefined where its relative values, indices or factor are not loaded. */
export async function readBaseline(tables: MedicareTables, year: number): Promise<Baseline | undefined> {
  const factor = yearFactor(await conversionFactors(tables, [year]), year)
  const localities = await localitiesOf(tables, year)
  const values = await valuesOf(tables, year)
  const limits = await drugLimits(tables, year)
  if (factor === undefined || localities.length === 0 || values.size === 0) return undefined
  const zips = await zipsOf(tables, year, localities)
  const states = statePlaces(localities, zips)
  const placeCount = localities.length + states.members.length
  const made = new Map<string, ServiceAmounts | undefined>()

  const make = (code: string, modifier: string): ServiceAmounts | undefined => {
    const limit = limits.get(code)
    if (limit !== undefined) {
      const everywhere = new Float64Array(placeCount).fill(limit)
      return { facility: everywhere, nonFacility: everywhere }
    }
    const value = values.get(`${code} ${modifier}`)
    if (value === undefined) return undefined
    const nonFacility = placeAmounts(value.nonFacility, factor, localities, states.members)
    const facility =
      value.facility.practiceExpense === value.nonFacility.practiceExpense
        ? nonFacility
        : placeAmounts(value.facility, factor, localities, states.members)
    return { facility, nonFacility }
  }

  return {
    year,
    build: tables.build,
    placeCount,
    placeOf(zip, state) {
      const place = zip !== undefined && /^\d{5}$/.test(zip) ? (zips.places[Number(zip)] ?? -1) : -1
      return place >= 0 ? place : (states.places.get(state ?? '') ?? -1)
    },
    amounts(code, modifier) {
      const key = `${code} ${modifier}`
      if (!made.has(key)) made.set(key, make(code, modifier))
      return made.get(key)
    },
  }
}

/** Amounts per locality, then the simple average of each state's localities, rounded half up to ten-thousandths. */
function placeAmounts(
  values: RelativeValues,
  factor: DatedFactor,
  localities: readonly Locality[],
  states: readonly (readonly number[])[],
): Float64Array {
  const amounts = new Float64Array(localities.length + states.length)
  for (const [place, indices] of localities.entries())
    amounts[place] = Number(feeCents(values, indices, factor)) * 100
  for (const [index, members] of states.entries()) {
    const sum = members.reduce((total, place) => total + BigInt(amounts[place] ?? 0), 0n)
    amounts[localities.length + index] = Number(halfUp(sum, BigInt(members.length)))
  }
  return amounts
}

async function localitiesOf(tables: MedicareTables, year: number): Promise<Locality[]> {
  const rows = await tables.rows<{
    carrier: string
    locality: string
    state: string | null
    work: DuckDBDecimalValue
    practice_expense: DuckDBDecimalValue
    malpractice: DuckDBDecimalValue
  }>(
    `select g.carrier, g.locality, g.state, g.work, g.practice_expense, g.malpractice
     from gpcis as g
     join ${latestRelease('gpcis', [year])} as latest on latest.year = g.year and latest.release = g.release
     where g.year = $1::usmallint
     order by g.carrier, g.locality`,
    [year],
  )
  return rows.map((row) => ({
    carrier: row.carrier,
    locality: row.locality,
    state: row.state,
    work: row.work.value,
    practiceExpense: row.practice_expense.value,
    malpractice: row.malpractice.value,
  }))
}

interface ServiceValues {
  readonly facility: RelativeValues
  readonly nonFacility: RelativeValues
}

/** Relative values of the codes that the fee schedule pays, by `code modifier`. */
async function valuesOf(tables: MedicareTables, year: number): Promise<Map<string, ServiceValues>> {
  const rows = await tables.rows<{
    code: string
    modifier: string
    status: string
    work: DuckDBDecimalValue
    non_facility_pe: DuckDBDecimalValue
    facility_pe: DuckDBDecimalValue
    malpractice: DuckDBDecimalValue
  }>(
    `select r.code, r.modifier, r.status, r.work, r.non_facility_pe, r.facility_pe, r.malpractice
     from relative_values as r
     join ${latestRelease('relative_values', [year])} as latest on latest.year = r.year and latest.release = r.release
     where r.year = $1::usmallint and r.work + r.non_facility_pe + r.facility_pe + r.malpractice > 0`,
    [year],
  )
  const values = new Map<string, ServiceValues>()
  for (const row of rows) {
    if (!payableStatuses.has(row.status)) continue
    const common = { work: row.work.value, malpractice: row.malpractice.value }
    values.set(`${row.code} ${row.modifier}`, {
      facility: { ...common, practiceExpense: row.facility_pe.value },
      nonFacility: { ...common, practiceExpense: row.non_facility_pe.value },
    })
  }
  return values
}

/** Payment limits of the year's first loaded quarter, in ten-thousandths. */
async function drugLimits(tables: MedicareTables, year: number): Promise<Map<string, number>> {
  const rows = await tables.rows<{ code: string; payment_limit: DuckDBDecimalValue }>(
    `select code, payment_limit from asp_limits
     where year = $1::usmallint and quarter = (select min(quarter) from asp_limits where year = $1::usmallint)`,
    [year],
  )
  return new Map(rows.map(({ code, payment_limit: limit }) => [code, Number(limit.value) * 10]))
}

interface ZipPlaces {
  /** Place by ZIP code as a number; -1 for none. */
  readonly places: Int16Array
  /** Which places price the ZIP codes of a state. */
  readonly byState: ReadonlyMap<string, ReadonlySet<number>>
}

/** ZIP codes to places, from the ZIP file nearest to the year. A locality that the year does not have is left out. */
async function zipsOf(
  tables: MedicareTables,
  year: number,
  localities: readonly Locality[],
): Promise<ZipPlaces> {
  const rows = await tables.rows<{ zip: string; state: string; carrier: string; locality: string }>(
    `select zip, state, carrier, locality from zip_localities
     where (year, quarter) = (
       select (year, quarter) from zip_localities
       order by abs(year::integer - $1::integer), year desc, quarter desc limit 1)`,
    [year],
  )
  const known = new Map(localities.map(({ carrier, locality }, place) => [`${carrier} ${locality}`, place]))
  const places = new Int16Array(100_000).fill(-1)
  const byState = new Map<string, Set<number>>()
  for (const { zip, state, carrier, locality } of rows) {
    const place = known.get(`${carrier} ${locality}`)
    if (place === undefined) continue
    places[Number(zip)] = place
    byState.set(state, (byState.get(state) ?? new Set()).add(place))
  }
  return { places, byState }
}

/** Which localities make up each state. Territories without their own take those that price their ZIP codes. */
function statePlaces(
  localities: readonly Locality[],
  zips: ZipPlaces,
): { places: Map<string, number>; members: number[][] } {
  const byState = new Map<string, Set<number>>()
  const add = (state: string, place: number) =>
    byState.set(state, (byState.get(state) ?? new Set()).add(place))
  for (const [place, { state }] of localities.entries()) if (state !== null) add(state, place)
  const own = new Set(byState.keys())
  for (const [state, members] of zips.byState)
    if (!own.has(state)) for (const place of members) add(state, place)
  const states = [...byState.keys()].sort()
  return {
    places: new Map(states.map((state, index) => [state, localities.length + index])),
    members: states.map((state) => [...(byState.get(state) ?? [])].sort((a, b) => a - b)),
  }
}

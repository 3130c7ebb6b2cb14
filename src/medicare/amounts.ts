import { pricedModifier, type Baseline } from './baseline.ts'

/** One rate's question to Medicare. */
export interface AmountQuestion {
  readonly year: number
  /** CPT and HCPCS have amounts; MS-DRGs, revenue codes and payers' own codes have none. */
  readonly type: string
  readonly code: string
  /** 26, TC and 53 are priced apart; every other modifier is compared with the price without modifier. */
  readonly modifiers: readonly string[]
  readonly facility: boolean
  /** What `locality` answered. */
  readonly locality: number
}

/** What Medicare pays, from memory: for comparing many rates one by one. */
export interface MedicareAmounts {
  /** A number for the locality of a ZIP, or for a state's average where the ZIP is unknown; undefined where neither is known. */
  locality(year: number, zip: string, state: string): number | undefined
  /** Ten-thousandths of a dollar; undefined where Medicare has no amount. */
  amount(question: AmountQuestion): number | undefined
}

/** The amounts of the asked years; a year that is not loaded has none. */
export async function medicareAmounts(
  baselineOf: (year: number) => Promise<Baseline | undefined>,
  years: readonly number[],
): Promise<MedicareAmounts> {
  const baselines = new Map<number, Baseline>()
  for (const year of years) {
    const baseline = await baselineOf(year)
    if (baseline !== undefined) baselines.set(year, baseline)
  }
  return {
    locality(year, zip, state) {
      const place = baselines.get(year)?.placeOf(zip, state) ?? -1
      return place < 0 ? undefined : place
    },
    amount({ year, type, code, modifiers, facility, locality }) {
      if (type !== 'CPT' && type !== 'HCPCS') return undefined
      const amounts = baselines.get(year)?.amounts(code, pricedModifier(modifiers))
      return (facility ? amounts?.facility : amounts?.nonFacility)?.[locality] || undefined
    },
  }
}

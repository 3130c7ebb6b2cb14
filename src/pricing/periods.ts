import { sourceMonthOf, yearMonthOf, type SourceMonth, type YearMonth } from '../vocabulary/period.ts'
import type { Build } from '../warehouse/build.ts'
import type { Snapshot } from '../warehouse/rates.ts'

/** Builds whose entries are pooled with each other. */
export interface Period {
  /** Set where the question compares several months: rows then say which. */
  readonly yearMonth?: YearMonth
  /** By payer, in the order asked for. */
  readonly builds: readonly Build[]
}

/**
 * Which builds a question is about: the newest of each payer, those of the one month asked for,
 * or, month by month in time order, those of several. A month that a payer does not have contributes nothing.
 */
export function periods(
  snapshot: Snapshot,
  payers: readonly string[],
  yearMonths: readonly YearMonth[] = [],
): Period[] {
  const asked = [...new Set(payers)]
  const months = [...new Set(yearMonths.map(sourceMonthOf))].sort((a, b) => a - b)
  if (months.length === 0) {
    const latest = new Map(snapshot.latest().map((build) => [build.payer, build]))
    return [{ builds: present(asked.map((payer) => latest.get(payer))) }]
  }
  return months.map((month) => ({
    ...(months.length > 1 && { yearMonth: yearMonthOf(month) }),
    builds: present(asked.map((payer) => snapshot.build(payer, month))),
  }))
}

/** Every period that one of the payers has, in time order: what a question without months means in the tool server's market rates. */
export function allPeriods(snapshot: Snapshot, payers: readonly string[]): Period[] {
  const months = new Set(payers.flatMap((payer) => snapshot.months(payer)))
  return [...months]
    .sort((a, b) => a - b)
    .map((month) => ({
      yearMonth: yearMonthOf(month),
      builds: present([...new Set(payers)].map((payer) => snapshot.build(payer, month))),
    }))
}

/** The source months of some periods, ascending. */
export const sourceMonths = (chosen: readonly Period[]): SourceMonth[] =>
  [...new Set(chosen.flatMap(({ builds }) => builds.map(({ month }) => month)))].sort((a, b) => a - b)

const present = (builds: readonly (Build | undefined)[]) => builds.filter((build) => build !== undefined)

import type { ResponseOf } from '../operations/operation.ts'
import type { reportDummyClaims } from '../operations/report-model-views.ts'
import { halfUp } from '../vocabulary/amount.ts'
import { yours } from './groups.ts'
import { shares } from './mix.ts'
import {
  baselineRate,
  cellRate,
  positive,
  shownBasis,
  yourRate,
  type Basis,
  type ModelCell,
} from './model.ts'
import { SeededRandom } from './random.ts'
import { percentOf } from './rate-change.ts'
import { dollarsOf, type Millionths } from './rate-summary.ts'

type Claims = Omit<ResponseOf<typeof reportDummyClaims>, 'leftOut'>

export interface ClaimsQuestion {
  readonly claims: number
  readonly shown: number
  readonly seed: string
}

interface Priced {
  readonly cell: ModelCell
  /** By column; undefined where it has no rate. */
  readonly prices: readonly (Millionths | undefined)[]
}

const baselineId = 'baseline'
// Chances are whole numbers; the dearest code of a small mix still has thousands.
const chanceScale = 10n ** 15n

/**
 * Made-up claims. Shares of the mixes are shares of revenue, so a cell's claims are as many as its share divided by your rate:
 * on average the revenue at your rates then falls to cells as the mixes say.
 */
export function dummyClaims(basis: Basis, cells: readonly ModelCell[], question: ClaimsQuestion): Claims {
  const cellShares = shares(cells, basis.config ?? {})
  const columns = [
    { id: yours, label: 'Your rate' },
    { id: baselineId, label: basis.baselineLabel },
    ...basis.competitors.map(({ id, label }) => ({ id, label })),
  ]
  const priced: (Priced & { readonly upTo: bigint })[] = []
  let chances = 0n
  for (const [at, cell] of cells.entries()) {
    const own = yourRate(basis, cell)
    if (own === undefined) continue
    const { part, whole } = cellShares[at]!
    const chance = (part * chanceScale * 1_000_000n) / (whole * own)
    if (chance === 0n) continue
    const prices = [
      own,
      baselineRate(basis, cell),
      ...basis.competitors.map(({ id }) => positive(cellRate(basis, cell, id).rate)),
    ]
    priced.push({ cell, prices, upTo: (chances += chance) })
  }
  const random = new SeededRandom(`claims ${question.seed}`)
  const drawn =
    chances === 0n ? [] : Array.from({ length: question.claims }, () => one(priced, chances, random))
  const sums = columns.map((_, column) => summed(drawn, column))
  const common = drawn.filter(({ prices }) => prices.every((price) => price !== undefined))
  const commonTotals = columns.map(({ id }, column) => ({
    id,
    total: common.reduce((sum, { prices }) => sum + prices[column]!, 0n),
  }))
  const byTotal = commonTotals.toSorted((a, b) => (a.total < b.total ? -1 : a.total > b.total ? 1 : 0))
  const [lowest, highest] = [byTotal[0], byTotal.at(-1)]
  return {
    basis: shownBasis(basis),
    seed: question.seed,
    claims: drawn.length,
    columns: columns.map(({ id, label }, column) => ({ id, label, ...sums[column]! })),
    spread:
      common.length === 0 || !lowest || !highest
        ? null
        : {
            claims: common.length,
            lowest: { id: lowest.id, total: dollarsOf(lowest.total) },
            highest: { id: highest.id, total: dollarsOf(highest.total) },
            difference: dollarsOf(highest.total - lowest.total),
          },
    rows: drawn.slice(0, question.shown).map(({ cell, prices }, at) => ({
      number: at + 1,
      payer: cell.payer!,
      billing_code_type: cell.billing_code_type,
      billing_code: cell.billing_code,
      prices: Object.fromEntries(
        columns.map(({ id }, column) => {
          const price = prices[column]
          return [id, price === undefined ? null : dollarsOf(price)]
        }),
      ),
    })),
  }
}

/** The cell that a random number falls to. */
function one(
  priced: readonly (Priced & { readonly upTo: bigint })[],
  chances: bigint,
  random: SeededRandom,
): Priced {
  // Two draws make a number wide enough for every sum of chances; the remainder of its bias is below 2^-40.
  const wide = BigInt(random.below(2 ** 48)) * 2n ** 48n + BigInt(random.below(2 ** 48))
  const number = (wide * chances) >> 96n
  let low = 0
  let high = priced.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (priced[middle]!.upTo > number) high = middle
    else low = middle + 1
  }
  return priced[low]!
}

function summed(claims: readonly Priced[], column: number): Omit<Claims['columns'][number], 'id' | 'label'> {
  let [total, own] = [0n, 0n]
  const prices: bigint[] = []
  for (const claim of claims) {
    const price = claim.prices[column]
    if (price === undefined) continue
    total += price
    own += claim.prices[0]!
    prices.push(price)
  }
  prices.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    claimsPriced: prices.length,
    total: dollarsOf(total),
    yoursOnSame: dollarsOf(own),
    difference: dollarsOf(total - own),
    differencePercent: own === 0n ? null : percentOf(total - own, own),
    perClaim: {
      min: at(prices, 0),
      p10: at(prices, 10),
      p25: at(prices, 25),
      p50: at(prices, 50),
      p75: at(prices, 75),
      p90: at(prices, 90),
      max: at(prices, 100),
      avg: prices.length === 0 ? null : dollarsOf(halfUp(total, BigInt(prices.length))),
    },
  }
}

/** A percentile of sorted prices, linear between neighbours, rounded half up to a millionth. */
function at(prices: readonly bigint[], rank: number): number | null {
  if (prices.length === 0) return null
  const hundredths = (prices.length - 1) * rank
  const below = Math.floor(hundredths / 100)
  const part = BigInt(hundredths % 100)
  const low = prices[below]!
  const high = prices[below + 1] ?? low
  return dollarsOf(halfUp(low * (100n - part) + high * part, 100n))
}

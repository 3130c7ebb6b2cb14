import type { ResponseOf } from '../operations/operation.ts'
import type { reportModelContract, reportWeightedContract } from '../operations/report-model-views.ts'
import { halfUp } from '../vocabulary/amount.ts'
import { shares, type Share } from './mix.ts'
import {
  baselineRate,
  cellRate,
  modelColumns,
  positive,
  shownBasis,
  yourRate,
  type Basis,
  type ModelCell,
} from './model.ts'
import { dollarsOf, type Millionths } from './rate-summary.ts'

type Weighted = Omit<ResponseOf<typeof reportWeightedContract>, 'leftOut'>
type Modelled = Omit<ResponseOf<typeof reportModelContract>, 'leftOut'>

/** Dollars a year in whole ten-thousandths. */
const dollars = (amount: bigint) => Number(amount) / 10_000

/** A share in percent, to six decimals. */
const percent = ({ part, whole }: Share) => Number(halfUp(part * 100_000_000n, whole)) / 1_000_000

/** 100 × part / whole, to four decimals; null where there is nothing to divide by. */
const index = (part: bigint, whole: bigint) =>
  whole === 0n ? null : Number(halfUp(part * 1_000_000n, whole)) / 10_000

/** Dollars a year of a cell at your rates. */
export const revenueOf = (basis: Basis, { part, whole }: Share) => halfUp(basis.revenue * part, whole)

/** What the same services bring at another rate. */
export const revenueAt = (revenue: bigint, rate: Millionths, own: Millionths) => halfUp(revenue * rate, own)

interface Sum {
  revenue: bigint
  atBaseline: bigint
  part: bigint
  whole: bigint
}

const line = ({ revenue, atBaseline }: Pick<Sum, 'revenue' | 'atBaseline'>) => ({
  revenue: dollars(revenue),
  atBaseline: dollars(atBaseline),
  difference: dollars(atBaseline - revenue),
  index: index(revenue, atBaseline),
})

/** Your rates against the baseline, payer by payer and code by code, weighted by both mixes. */
export function weightedContract(basis: Basis, cells: readonly ModelCell[]): Weighted {
  const cellShares = shares(cells, basis.config ?? {})
  const total: Sum = { revenue: 0n, atBaseline: 0n, part: 0n, whole: 1n }
  const byPayer = new Map<string, Sum>()
  const byCode = new Map<string, Sum>()
  const rows = cells.map((cell, at) => {
    const share = cellShares[at]!
    const own = yourRate(basis, cell)
    const baseline = baselineRate(basis, cell)
    const isCovered = own !== undefined && baseline !== undefined
    const revenue = revenueOf(basis, share)
    const atBaseline = isCovered ? revenueAt(revenue, baseline, own) : 0n
    if (isCovered) {
      const code = `${cell.billing_code_type} ${cell.billing_code}`
      for (const sum of [total, kept(byPayer, cell.payer!), kept(byCode, code)]) {
        sum.revenue += revenue
        sum.atBaseline += atBaseline
        sum.part += share.part
        sum.whole = share.whole
      }
    }
    return {
      payer: cell.payer!,
      billing_code_type: cell.billing_code_type,
      billing_code: cell.billing_code,
      yourRate: own === undefined ? null : dollarsOf(own),
      yourEntries: cell.own.total,
      baselineRate: baseline === undefined ? null : dollarsOf(baseline),
      marketEntries: cell.market.total,
      percentOfBusiness: percent(share),
      ...(isCovered
        ? line({ revenue, atBaseline })
        : { revenue: dollars(revenue), atBaseline: 0, difference: 0, index: null }),
      isCovered,
    }
  })
  const lines = (sums: ReadonlyMap<string, Sum>) =>
    [...sums].map(([key, sum]) => ({ key, percentOfBusiness: percent(sum), ...line(sum) }))
  return {
    basis: shownBasis(basis),
    rows,
    byPayer: lines(byPayer),
    byCode: lines(byCode),
    total: { ...line(total), coveredPercent: percent(total) },
  }
}

function kept(sums: Map<string, Sum>, key: string): Sum {
  let sum = sums.get(key)
  if (!sum) sums.set(key, (sum = { revenue: 0n, atBaseline: 0n, part: 0n, whole: 1n }))
  return sum
}

/** Codes by columns, and what each column would bring. */
export function modelContract(
  basis: Basis,
  cells: readonly ModelCell[],
  percentiles: readonly number[],
): Modelled {
  const columns = modelColumns(
    basis,
    [...new Set(percentiles)].sort((a, b) => a - b),
  )
  const cellShares = shares(cells, basis.config ?? {})
  const sums = new Map(columns.map(({ id }) => [id, { revenue: 0n, atColumn: 0n, part: 0n, whole: 1n }]))
  const rows = cells.map((cell, at) => {
    const share = cellShares[at]!
    const own = yourRate(basis, cell)
    const revenue = revenueOf(basis, share)
    const inColumns = columns.map(({ id }) => {
      const { rate, entries, isManual } = cellRate(basis, cell, id)
      if (own !== undefined && positive(rate) !== undefined) {
        const sum = sums.get(id)!
        sum.revenue += revenue
        sum.atColumn += revenueAt(revenue, rate!, own)
        sum.part += share.part
        sum.whole = share.whole
      }
      return [id, { rate: rate === undefined ? null : dollarsOf(rate), entries, isManual }] as const
    })
    return {
      payer: cell.payer,
      billing_code_type: cell.billing_code_type,
      billing_code: cell.billing_code,
      percentOfBusiness: percent(share),
      cells: Object.fromEntries(inColumns),
    }
  })
  return {
    basis: shownBasis(basis),
    columns,
    rows,
    totals: [...sums].map(([id, { revenue, atColumn, part, whole }]) => ({
      id,
      coveredPercent: percent({ part, whole }),
      revenue: dollars(revenue),
      atColumn: dollars(atColumn),
      difference: dollars(atColumn - revenue),
      index: index(atColumn, revenue),
    })),
  }
}

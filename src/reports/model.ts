import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import { baselineColumnDefault, baselineDefault, manualRateKey } from '../operations/contract-model.ts'
import type { ModelColumn } from '../operations/report-model-views.ts'
import { amountFromText } from '../vocabulary/amount.ts'
import type { Distribution } from '../pricing/statistics.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import { partiesOf, rateGroups, yours, type Party } from './groups.ts'
import type { Look } from './look.ts'
import { millionthsOf, percentileOf, summarised, type Millionths } from './rate-summary.ts'

/** Cells of the model at most: payers times codes. */
const cellsMost = 50_000
/** Stands in for the annual revenue where none is given: shares and indexes do not depend on it. */
export const nominalRevenue = 1_000_000_0000n

/** Rates of one payer (or of all) for one code. */
export interface ModelCell {
  readonly payer: string | null
  readonly billing_code_type: string
  readonly billing_code: string
  readonly market: Distribution
  readonly own: Distribution
  readonly competitors: readonly Distribution[]
  readonly medicare: Distribution | undefined
}

/** The saved configuration as the model reads it, every fallback taken. */
export interface Basis {
  readonly config: SavedContractModelConfig | undefined
  readonly yourColumn: string
  readonly baseline: string
  readonly baselineLabel: string
  /** Ten-thousandths of a dollar. */
  readonly revenue: bigint
  readonly isRevenueGiven: boolean
  readonly competitors: readonly Party[]
  readonly hasOwn: boolean
}

const percentileLabel = (rank: number) =>
  `${rank}${rank % 10 === 1 && rank !== 11 ? 'st' : rank % 10 === 2 && rank !== 12 ? 'nd' : rank % 10 === 3 && rank !== 13 ? 'rd' : 'th'} percentile`

/** Dollars in a text such as `$12,500,000`; undefined where it is no amount above zero. */
export function revenueFromText(text: string | undefined): bigint | undefined {
  const amount = amountFromText((text ?? '').replaceAll(/[$,\s]/g, ''))
  return amount !== undefined && amount > 0n ? amount : undefined
}

export function basisOf(config: SavedContractModelConfig | undefined): Basis {
  const parties = partiesOf(config)
  const competitors = parties.filter(({ id }) => id !== yours)
  const asked = config?.baselineBenchmark ?? baselineDefault
  const competitor = competitors.find(({ id }) => id === asked)
  const baseline = competitor || ['p50', 'p75', 'p90'].includes(asked) ? asked : baselineDefault
  const columns = columnIds(competitors)
  const yourColumn = config?.baselineColumn ?? baselineColumnDefault
  const revenue = revenueFromText(config?.totalAnnualRevenue)
  return {
    config,
    yourColumn: columns.includes(yourColumn) ? yourColumn : baselineColumnDefault,
    baseline,
    baselineLabel: competitor?.label ?? percentileLabel(Number(baseline.slice(1))),
    revenue: revenue ?? nominalRevenue,
    isRevenueGiven: revenue !== undefined,
    competitors,
    hasOwn: parties.length > competitors.length,
  }
}

/** Columns of dollar rates that can be Your Rate: those of the report, and those made from it. */
const columnIds = (competitors: readonly Party[]) => [
  'negotiated_rate',
  'medicare_rate',
  'manual',
  'p50',
  'p75',
  'p90',
  ...competitors.map(({ id }) => id),
]

export const shownBasis = ({ yourColumn, baseline, baselineLabel, revenue, isRevenueGiven }: Basis) => ({
  yourColumn,
  baseline,
  baselineLabel,
  annualRevenue: isRevenueGiven ? Number(revenue) / 10_000 : null,
})

/** The columns of the model grid. */
export function modelColumns(basis: Basis, percentiles: readonly number[]): ModelColumn[] {
  return [
    { id: 'negotiated_rate', label: basis.hasOwn ? 'Your rate' : 'Rate', kind: 'yours' },
    ...basis.competitors.map(({ id, label }) => ({ id, label, kind: 'competitor' as const })),
    ...percentiles.map((rank) => ({
      id: `p${rank}`,
      label: percentileLabel(rank),
      kind: 'percentile' as const,
    })),
    { id: 'medicare_rate', label: 'Medicare', kind: 'medicare' },
    { id: 'manual', label: 'Manual rate', kind: 'manual' },
  ]
}

/** The rate of a cell in a column: typed by hand where it was, else computed. */
export function cellRate(
  basis: Basis,
  cell: ModelCell,
  column: string,
): { rate: Millionths | undefined; entries: number; isManual: boolean } {
  const typed = basis.config?.manualRates?.[manualRateKey(column, cell)]
  if (typed !== undefined) return { rate: millionthsOf(typed), entries: 0, isManual: true }
  return { ...computedRate(basis, cell, column), isManual: false }
}

function computedRate(
  basis: Basis,
  cell: ModelCell,
  column: string,
): { rate: Millionths | undefined; entries: number } {
  if (column === 'negotiated_rate') return { rate: summarised(cell.own, 'median'), entries: cell.own.total }
  if (column === 'medicare_rate')
    return {
      rate: cell.medicare && summarised(cell.medicare, 'median'),
      entries: cell.medicare?.total ?? 0,
    }
  const at = basis.competitors.findIndex(({ id }) => id === column)
  if (at >= 0) {
    const rates = cell.competitors[at]!
    return { rate: summarised(rates, basis.competitors[at]!.aggregation), entries: rates.total }
  }
  const [, rank] = /^p(\d{1,2})$/.exec(column) ?? []
  return rank === undefined
    ? { rate: undefined, entries: 0 }
    : { rate: percentileOf(cell.market, Number(rank)), entries: cell.market.total }
}

/** Your rate in a cell: the column that is Your Rate. Rates of zero are none. */
export const yourRate = (basis: Basis, cell: ModelCell) =>
  positive(cellRate(basis, cell, basis.yourColumn).rate)
export const baselineRate = (basis: Basis, cell: ModelCell) =>
  positive(cellRate(basis, cell, basis.baseline).rate)
export const positive = (rate: Millionths | undefined) => (rate !== undefined && rate > 0n ? rate : undefined)

/** Every payer and code of the used rows (or every code over all payers), with the rates the model needs. */
export async function modelCells(
  engine: Engine,
  look: Look,
  basis: Basis,
  { byPayer = true, withMedicare = false }: { byPayer?: boolean; withMedicare?: boolean },
  options: QueryOptions,
): Promise<ModelCell[]> {
  const keys = [...(byPayer ? (['payer'] as const) : []), 'billing_code_type', 'billing_code'] as const
  const parties = partiesOf(basis.config)
  const medicare = new Map<string, Distribution>()
  if (withMedicare) {
    const question = { keys, measure: 'medicare_rate' as const, groupsMost: cellsMost }
    for await (const { key, all } of rateGroups(engine, look, question, options))
      medicare.set(JSON.stringify(key), all)
  }
  const cells: ModelCell[] = []
  for await (const group of rateGroups(engine, look, { keys, parties, groupsMost: cellsMost }, options)) {
    const [payer, type, code] = byPayer ? group.key : [null, ...group.key]
    cells.push({
      payer: payer === null ? null : String(payer),
      billing_code_type: String(type),
      billing_code: String(code),
      market: group.all,
      // Without TINs of your own, every row of the report counts as yours: a report about your own providers.
      own: basis.hasOwn ? group.parties[0]! : group.all,
      competitors: group.parties.slice(basis.hasOwn ? 1 : 0),
      medicare: medicare.get(JSON.stringify(group.key)),
    })
  }
  return cells
}

import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import { type ReportFilterGroup, ReportFilterTree } from '../operations/report-filter.ts'
import type { LeftOut, RateUnit } from '../operations/report-rows.ts'
import { rateMost } from '../warehouse/build-layout.ts'
import { text, type Engine, type QueryOptions } from '../warehouse/engine.ts'
import { filterCondition } from './filter-condition.ts'
import { Parameters } from './parameters.ts'

/** Which rows of a report a look is over. */
export interface LookRequest {
  readonly filter?: ReportFilterGroup | undefined
  readonly config?: SavedContractModelConfig | undefined
  /** Whether it shows the rows themselves, which the saved filters of the table narrow further. */
  readonly isTable?: boolean | undefined
  /** Set where something is computed: rates of other units, and rates that are none, then stay out. */
  readonly unit?: RateUnit | undefined
  /** Months are never pooled: one month, or `newest`, the newest of each payer; left out where months stand apart anyway. */
  readonly month?: string | undefined
}

/** More rates than this, and their own spread says which are outliers; else Medicare does. */
export const logIqrMoreThan = 40
export const iqrMost = 1
export const iqrReach = 1.5
/** Bounds in percent of Medicare: of services, and of drugs (J and Q codes, priced by ASP). */
export const medicareBounds = { service: [10, 1_000], drug: [80, 400] } as const
const percentScale = 10_000
const poolsShown = 100

const unitConditions: Record<RateUnit, string> = {
  dollars: "negotiated_type not in ('percentage', 'per diem')",
  'per diem': "negotiated_type = 'per diem'",
  percentage: "negotiated_type = 'percentage'",
}

/** The saved filters of the table, where they are a filter tree; a screen may keep an object of its own form there. */
const tableFilterOf = (config: SavedContractModelConfig | undefined) =>
  ReportFilterTree.safeParse(config?.tableFilters).data

/**
 * The rows that a tab is made from, as SQL: those that match the filter, are of the unit, are plausible, are no outliers,
 * and are the best of their TIN, payer, code and context; each step only where it is asked for.
 */
export class Look {
  readonly parameters = new Parameters()
  readonly isBest: boolean
  /** Common table expressions; the last one, `used`, holds the rows. */
  private readonly steps: string
  private readonly judges: boolean
  private readonly isOutlierRemoved: boolean

  constructor(relation: string, request: LookRequest) {
    const { config, unit, month } = request
    const filter = request.filter ?? config?.dropdownFilters
    const path = request.filter ? 'filter' : 'config.dropdownFilters'
    const tableFilter = request.isTable && !request.filter ? tableFilterOf(config) : undefined
    const conditions = [
      filterCondition(filter, this.parameters, path),
      filterCondition(tableFilter, this.parameters, 'config.tableFilters'),
    ]
    this.isBest = config?.isBestRateChosen === true
    this.isOutlierRemoved = config?.isOutlierRemoved === true
    this.judges = this.isOutlierRemoved || unit !== undefined || month !== undefined
    const matched = `matched as (select * from ${relation} where ${conditions.join(' and ')})`
    const plausible = `negotiated_rate > 0 and negotiated_rate <= ${rateMost}`
    const inUnit = unit ? unitConditions[unit] : 'true'
    const inMonth =
      month === undefined
        ? 'true'
        : month === 'newest'
          ? `(payer, year_month) in (select (payer, max(year_month)) from ${relation} group by payer)`
          : `year_month = ${this.parameters.add(text(month))}`
    const steps = [matched]
    if (this.judges)
      steps.push(
        `fated as (select *, case when not (${inMonth}) then 3 when not (${inUnit}) then 1 when not (${plausible}) then 2 else 0 end as fate from matched)`,
        'plausible as (select * exclude (fate) from fated where fate = 0)',
      )
    else steps.push('plausible as (select * from matched)')
    if (this.isOutlierRemoved) steps.push(...outlierSteps)
    else steps.push('kept as (select * from plausible)')
    // Rows of a context come by rising rate, so the last of a TIN is its highest.
    steps.push(
      this.isBest
        ? `used as (
            select k.*, b.best_of
            from kept k
              join (select max("row") as "row", count(*) as best_of from kept group by context, tin_key) b using ("row"))`
        : 'used as (select * from kept)',
    )
    this.steps = `with ${steps.join(',\n')}`
  }

  /** A statement over the rows: `from used`, or from further steps of one's own. */
  sql(statement: string, ...more: readonly string[]): string {
    return `${[this.steps, ...more].join(',\n')}\n${statement}`
  }

  /** What was left out, and why. */
  async leftOut(engine: Engine, options: QueryOptions): Promise<LeftOut> {
    const { values } = this.parameters
    const [counts] = await engine.rows<Record<string, bigint>>(
      this.sql(`
        select
          (select count(*) from matched) as matched,
          ${this.judges ? '(select count(*) from fated where fate = 1)' : '0'} as units,
          ${this.judges ? '(select count(*) from fated where fate = 2)' : '0'} as implausible,
          ${this.judges ? '(select count(*) from fated where fate = 3)' : '0'} as months,
          ${this.isOutlierRemoved ? '(select count(*) from judged where rule is not null)' : '0'} as outliers,
          (select count(*) from kept) as kept,
          ${this.isBest ? '(select count(*) from (select distinct context, tin_key from kept))' : '(select count(*) from kept)'} as used`),
      values,
      options,
    )
    const number = (name: string) => Number(counts![name])
    return {
      rowsMatched: number('matched'),
      rowsUsed: number('used'),
      otherMonths: number('months'),
      otherUnits: number('units'),
      implausible: number('implausible'),
      outliers: number('outliers'),
      outlierPools: number('outliers') > 0 ? await this.outlierPools(engine, options) : [],
      notBest: number('kept') - number('used'),
    }
  }

  private async outlierPools(engine: Engine, options: QueryOptions): Promise<LeftOut['outlierPools']> {
    const rows = await engine.rows<Record<string, string | bigint | null>>(
      this.sql(`
        select billing_code_type, billing_code, severity, billing_class, modifiers, rule,
          any_value(rates) as rates, any_value(lowest) as lowest, any_value(highest) as highest, count(*) as removed
        from judged where rule is not null
        group by all
        order by removed desc, billing_code_type, billing_code, severity, billing_class, modifiers, rule
        limit ${poolsShown}`),
      this.parameters.values,
      options,
    )
    const dollars = (value: unknown) => (value === null ? null : Number(value) / percentScale)
    return rows.map((row) => ({
      billing_code_type: String(row['billing_code_type']),
      billing_code: String(row['billing_code']),
      severity: row['severity'] as string | null,
      billing_class: row['billing_class'] as string | null,
      modifiers: String(row['modifiers']),
      rule: row['rule'] as 'log_iqr' | 'medicare',
      rates: Number(row['rates']),
      lower: dollars(row['lowest']),
      upper: dollars(row['highest']),
      removed: Number(row['removed']),
    }))
  }
}

const outside = ([least, most]: readonly [number, number]) =>
  `(medicare_percent < ${least * percentScale} or medicare_percent > ${most * percentScale})`

/**
 * Outliers by the logarithms of a pool's rates: below Q1 - 1.5 IQR or above Q3 + 1.5 IQR, the IQR counted as at most 1.
 * Bounds are rounded to a ten-thousandth of a dollar, so that every engine comes to the same ones.
 */
const outlierSteps = [
  `pools as (
    select pool, count(*) as rates, quantile_cont(ln(negotiated_rate::double / 10000), [0.25, 0.75]) as q
    from plausible group by pool)`,
  `bounds as (
    select pool, rates,
      case when rates > ${logIqrMoreThan} then
        round(exp(q[1] - ${iqrReach} * least(q[2] - q[1], ${iqrMost})) * 10000)::bigint end as lowest,
      case when rates > ${logIqrMoreThan} then
        round(exp(q[2] + ${iqrReach} * least(q[2] - q[1], ${iqrMost})) * 10000)::bigint end as highest
    from pools)`,
  `judged as (
    select p.*, b.rates, b.lowest, b.highest,
      case
        when b.lowest is not null then
          case when negotiated_rate < b.lowest or negotiated_rate > b.highest then 'log_iqr' end
        when medicare_percent is null then null
        when regexp_matches(billing_code, '^[JQ][0-9]{4}$') then
          case when ${outside(medicareBounds.drug)} then 'medicare' end
        when ${outside(medicareBounds.service)} then 'medicare'
      end as rule
    from plausible p join bounds b using (pool))`,
  'kept as (select * exclude (rates, lowest, highest, rule) from judged where rule is null)',
]

import { Failure } from '../errors.ts'
import { collapsibleColumns, type rateAggregations } from '../operations/market-rates.ts'
import type { YearMonth } from '../vocabulary/period.ts'
import { yearMonthOf } from '../vocabulary/period.ts'
import { isPlausibleRate } from '../warehouse/build-layout.ts'
import type { Build } from '../warehouse/build.ts'
import type { Term } from '../warehouse/terms.ts'
import type { PricingOptions } from './benchmarks.ts'
import { BuildCohort } from './build-cohort.ts'
import { chosenCodes, type CodeFilter } from './chosen-codes.ts'
import { Cohort, type CohortFilter } from './cohort.ts'
import { checkBenchmarks, checkEntries, defaultLimits, type PricingLimits } from './limits.ts'
import { allPeriods, periods } from './periods.ts'
import { chosenLabels, termTest, valuesOf, type RateFilter } from './rate-filter.ts'
import type { PricingSources } from './sources.ts'
import { statistic, WeightedValues } from './statistics.ts'
import { Turns } from './turns.ts'

/** Columns of a market-rates row besides payer, period and rate, in the order in which rows are sorted by default. */
export const marketColumns = collapsibleColumns
export type MarketColumn = (typeof marketColumns)[number]

/** Names that are only shown when asked for, and always as a list. */
const onlyCollapsed: ReadonlySet<MarketColumn> = new Set(['network', 'planName'])

export type RateAggregation = (typeof rateAggregations)[number]

export interface MarketRatesRequest {
  readonly filters: CohortFilter &
    RateFilter & {
      readonly payers: readonly string[]
      readonly billingCodeAndTypes?: readonly CodeFilter[] | undefined
      /** Left out or empty: all periods. */
      readonly yearMonths?: readonly YearMonth[] | undefined
    }
  readonly aggregatedColumns?: readonly MarketColumn[] | undefined
  readonly rateAggregation?: RateAggregation | undefined
  readonly sortInfo?: readonly { readonly id: string; readonly desc: boolean }[] | undefined
  readonly limit: { readonly start?: number | undefined; readonly offset: number }
}

/** Where the first entry of a row was first seen. */
export interface RateSource {
  readonly file: string
  readonly place: string
  readonly byteOffset: number
  readonly origin: Readonly<Record<string, string | number>>
}

export type MarketRateRow = {
  readonly payer: string
  readonly yearMonth: YearMonth
  readonly rate: number
  /** How many entries the row stands for. */
  readonly entries: number
  readonly source: RateSource
} & { readonly [Column in MarketColumn]?: string | number }

export interface MarketRatesPage {
  readonly rows: readonly MarketRateRow[]
  /** Rows of the whole answer. */
  readonly total: number
}

const separator = '; '

/** Published rates of a market, provider by provider: a page of rows, sorted before it is cut. */
export async function marketRates(
  sources: PricingSources,
  request: MarketRatesRequest,
  { limits = defaultLimits, ...turning }: PricingOptions = {},
): Promise<MarketRatesPage> {
  const { filters } = request
  checkBenchmarks({ filters }, limits)
  const { snapshot } = sources
  const chosen =
    filters.yearMonths && filters.yearMonths.length > 0
      ? periods(snapshot, filters.payers, filters.yearMonths)
      : allPeriods(snapshot, filters.payers)
  checkEntries(chosen, filters.billingCodeAndTypes, limits)
  const cohort = new Cohort(sources.attributes, filters)
  const listing = new MarketListing(sources, request, limits)
  const turns = new Turns(turning)
  await turns.begin()
  for (const { builds } of chosen)
    for (const build of builds) {
      const inBuild = new BuildCohort(build, snapshot.cache, cohort)
      try {
        for (const codeRow of chosenCodes(build, filters.billingCodeAndTypes)) {
          listing.add(inBuild, codeRow)
          await turns.pause()
        }
      } finally {
        inBuild.release()
      }
    }
  return listing.page()
}

interface Listed {
  readonly build: Build
  readonly codeRow: number
  readonly firstRow: number
  readonly values: Partial<Record<MarketColumn, string | number>>
  readonly lists: Partial<Record<MarketColumn, Set<string>>>
  readonly rates: WeightedValues
}

class MarketListing {
  private readonly sources: PricingSources
  private readonly request: MarketRatesRequest
  private readonly limits: PricingLimits
  private readonly collapsed: ReadonlySet<MarketColumn>
  private readonly split: readonly MarketColumn[]
  private readonly aggregation: RateAggregation
  private readonly wanted: (term: Term) => boolean
  private readonly listed = new Map<string, Listed>()

  constructor(sources: PricingSources, request: MarketRatesRequest, limits: PricingLimits) {
    this.sources = sources
    this.request = request
    this.limits = limits
    this.collapsed = new Set(request.aggregatedColumns ?? ['serviceCode', 'billingCodeModifier'])
    this.split = marketColumns.filter((column) => !this.collapsed.has(column) && !onlyCollapsed.has(column))
    this.aggregation = request.rateAggregation ?? 'none'
    // A row that hides its negotiated type must not mix dollars with percents.
    this.wanted = termTest(request.filters, { dollarsOnly: this.collapsed.has('negotiatedType') })
  }

  add(cohort: BuildCohort, codeRow: number): void {
    const { build, providers } = cohort
    const block = this.sources.snapshot.cache.prices(build, codeRow)
    const labels = chosenLabels(build, this.request.filters)
    for (let run = 0; run < block.runTerm.length; run++) {
      const term = build.summary.terms[block.runTerm[run]!]!
      if (!this.wanted(term)) continue
      for (let row = run === 0 ? 0 : block.runEnd[run - 1]!; row < block.runEnd[run]!; row++) {
        const rate = block.rate[row]!
        if (labels && labels[block.label[row]!] === 0) continue
        if (this.aggregation !== 'none' && !isPlausibleRate(rate)) continue
        if (cohort.countOf(block.set[row]!) === 0) continue
        cohort.eachPair(Uint32Array.of(block.set[row]!), (rank, npi, tin) => {
          const columns = this.columns(
            build,
            codeRow,
            term,
            block.label[row]!,
            rank,
            providers.npi[npi]!,
            tin,
          )
          this.addEntry(build, codeRow, row, columns, rate)
        })
      }
    }
  }

  private columns(
    build: Build,
    codeRow: number,
    term: Term,
    label: number,
    rank: number,
    npi: number,
    tin: number,
  ): Record<MarketColumn, readonly (string | number)[]> {
    const { attributes } = this.sources
    const { labels, networkNames, planNames } = build.summary
    const tinText = build.tinText(tin)
    return {
      billingCodeType: [build.codes.type[codeRow]!],
      billingCode: [build.codes.code[codeRow]!],
      npi: [npi],
      tin: [/^\d+$/.test(tinText) ? Number(tinText) : tinText],
      npiState: [attributes.states[attributes.state[rank]!]!],
      taxonomyCode: [attributes.taxonomies[attributes.taxonomy[rank]!]!],
      entityType: [attributes.entityTypes[attributes.entityType[rank]!]!],
      billingClass: [term.billingClass],
      setting: [term.setting],
      negotiatedType: [term.negotiatedType],
      serviceCode: valuesOf(term.serviceCodes),
      billingCodeModifier: valuesOf(term.modifiers),
      network: this.collapsed.has('network')
        ? labels[label]!.networks.map((name) => networkNames[name]!)
        : [],
      planName: this.collapsed.has('planName') ? labels[label]!.plans.map((name) => planNames[name]!) : [],
    }
  }

  private addEntry(
    build: Build,
    codeRow: number,
    row: number,
    columns: Record<MarketColumn, readonly (string | number)[]>,
    rate: number,
  ): void {
    let combinations: Partial<Record<MarketColumn, string | number>>[] = [{}]
    for (const column of this.split) {
      const [only, ...more] = columns[column]
      if (more.length === 0) for (const values of combinations) values[column] = only!
      else
        combinations = combinations.flatMap((values) =>
          columns[column].map((value) => ({ ...values, [column]: value })),
        )
    }
    for (const values of combinations) {
      const key = JSON.stringify([build.payer, build.month, values, this.aggregation === 'none' ? rate : 0])
      let listed = this.listed.get(key)
      if (!listed) {
        if (this.listed.size >= this.limits.rowsMost)
          throw new Failure(
            'query_too_wide',
            `The market has more than ${this.limits.rowsMost} rows (rowsMost). Name fewer codes, states or payers.`,
          )
        const lists = Object.fromEntries([...this.collapsed].map((column) => [column, new Set<string>()]))
        listed = { build, codeRow, firstRow: row, values, lists, rates: new WeightedValues() }
        this.listed.set(key, listed)
      }
      for (const column of this.collapsed)
        for (const value of columns[column]) listed.lists[column]!.add(String(value))
      listed.rates.add(rate, 1)
    }
  }

  page(): MarketRatesPage {
    const { start = 0, offset } = this.request.limit
    const rows = [...this.listed.values()].map((listed) => ({ listed, row: this.row(listed) }))
    const sorts = [
      ...(this.request.sortInfo ?? []),
      ...['payer', 'yearMonth', ...marketColumns, 'rate'].map((id) => ({ id, desc: false })),
    ]
    rows.sort((a, b) => {
      for (const { id, desc } of sorts) {
        const difference = compared(sortValue(a.row, id), sortValue(b.row, id))
        if (difference !== 0) return desc ? -difference : difference
      }
      return 0
    })
    return {
      total: rows.length,
      rows: rows
        .slice(start, start + offset)
        .map(({ listed, row }) => ({ ...row, source: sourceOf(listed) })),
    }
  }

  private row({ build, values, lists, rates }: Listed): Omit<MarketRateRow, 'source'> {
    const shown = marketColumns.flatMap((column) => {
      const list = lists[column]
      const value = list ? [...list].sort().join(separator) : values[column]
      return value === undefined ? [] : [[column, value] as const]
    })
    return {
      payer: build.payer,
      yearMonth: yearMonthOf(build.month),
      ...Object.fromEntries(shown),
      rate: this.rate(rates),
      entries: rates.length,
    }
  }

  private rate(rates: WeightedValues): number {
    if (this.aggregation === 'none') return rates.values[0]! / 10_000
    const distribution = rates.distribution()
    if (this.aggregation === 'modal') {
      let best = 0
      for (let i = 1; i < distribution.values.length; i++)
        if (distribution.weights[i]! > distribution.weights[best]!) best = i
      return distribution.values[best]! / 10_000
    }
    const none = { entries: 0, distinctRates: 0, distinctNpis: 0, distinctTins: 0 }
    return statistic(`${this.aggregation}_rate`, distribution, none)!
  }
}

function sourceOf({ build, codeRow, firstRow }: Listed): RateSource {
  const { digest, entry, origin, offset, item, rate } = build.place(build.places(codeRow), firstRow)
  return {
    file: entry ? `${digest}/${entry}` : digest,
    place: `in_network[${item}].negotiated_rates[${rate}]`,
    byteOffset: offset,
    origin,
  }
}

function sortValue(row: Omit<MarketRateRow, 'source'>, id: string): string | number {
  if (id === 'yearMonth') return row.yearMonth.year * 100 + row.yearMonth.month
  return (row as Readonly<Record<string, unknown>>)[id] as string | number
}

function compared(a: string | number | undefined, b: string | number | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [one, other] = [String(a ?? ''), String(b ?? '')]
  return one < other ? -1 : one > other ? 1 : 0
}

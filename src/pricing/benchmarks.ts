import type { z } from 'zod'
import type { marketBenchmarks } from '../operations/market-benchmarks.ts'
import type { MarketRow } from '../operations/rate-rows.ts'
import type { Aggregation } from '../vocabulary/aggregations.ts'
import type { GroupByField } from '../vocabulary/grouping.ts'
import { baselineYear } from '../vocabulary/medicare.ts'
import { Failure } from '../errors.ts'
import { BuildCohort } from './build-cohort.ts'
import { chosenCodes } from './chosen-codes.ts'
import { Cohort } from './cohort.ts'
import { ComparedSubjects } from './compared-subjects.ts'
import {
  byGroup,
  codeGroups,
  keyed,
  networkGroups,
  providerFields,
  termGroups,
  type KeyedValues,
} from './groups.ts'
import { checkBenchmarks, checkEntries, defaultLimits, type PricingLimits } from './limits.ts'
import { periods, type Period } from './periods.ts'
import { Pool } from './pools.ts'
import { ProviderKeys } from './provider-keys.ts'
import { chosenLabels, termTest } from './rate-filter.ts'
import { poolStatistics, type PoolStatistics } from './pool-statistics.ts'
import type { PricingSources } from './sources.ts'
import { statistic } from './statistics.ts'
import { Turns, type TurnSettings } from './turns.ts'

export type BenchmarksRequest = z.output<(typeof marketBenchmarks)['request']>

export interface PricingOptions extends TurnSettings {
  readonly limits?: PricingLimits | undefined
}

/**
 * Statistics over the entries of a market. One row per aggregation per group, ordered by period, by the group-by fields
 * in the order asked for (text order), then by aggregation in the order asked for.
 */
export async function benchmarks(
  sources: PricingSources,
  request: BenchmarksRequest,
  { limits = defaultLimits, ...turning }: PricingOptions = {},
): Promise<MarketRow[]> {
  checkBenchmarks(request, limits)
  const question = new BenchmarkQuestion(sources, request)
  const turns = new Turns(turning)
  await turns.begin()
  const rows: MarketRow[] = []
  const chosen = periods(sources.snapshot, request.filters.payers, request.filters.yearMonths)
  checkEntries(chosen, request.filters.billingCodeAndTypes, limits)
  for (const period of chosen) {
    const cohorts: BuildCohort[] = []
    try {
      const pools = await question.pools(period, cohorts, turns)
      const groups: PoolStatistics[] = []
      for (const pool of pools) {
        for (const group of await question.statistics(pool, turns)) groups.push(group)
        if (groups.length * request.metrics.aggregations.length > limits.rowsMost) throw tooManyGroups(limits)
        await turns.pause()
      }
      for (const row of question.rows(groups, period)) rows.push(row)
    } finally {
      for (const cohort of cohorts) cohort.release()
    }
  }
  return rows
}

const tooManyGroups = ({ rowsMost }: PricingLimits) =>
  new Failure(
    'query_too_wide',
    `The answer has more than ${rowsMost} rows (rowsMost). Group by fewer fields, or name fewer codes.`,
  )

class BenchmarkQuestion {
  private readonly sources: PricingSources
  private readonly request: BenchmarksRequest
  private readonly groupBy: readonly GroupByField[]
  private readonly aggregations: readonly Aggregation[]
  private readonly cohort: Cohort
  private readonly compared: ComparedSubjects | undefined
  private readonly keys: ProviderKeys | undefined

  constructor(sources: PricingSources, request: BenchmarksRequest) {
    this.sources = sources
    this.request = request
    this.groupBy = [...new Set(request.groupBy)]
    this.aggregations = [...new Set(request.metrics.aggregations)]
    this.cohort = new Cohort(sources.attributes, request.filters)
    const year = baselineYear(request.metrics.comparedTo ?? 'none')
    if (year !== undefined && !sources.medicare)
      throw new Failure('not_loaded', `The Medicare tables of ${year} are not loaded on this server.`)
    this.compared = year === undefined ? undefined : new ComparedSubjects(sources.medicare!, year)
    const fields = providerFields.filter((field) => this.groupBy.includes(field))
    this.keys =
      fields.length > 0 || this.compared
        ? new ProviderKeys(
            sources.attributes,
            fields,
            this.compared && { medicare: sources.medicare!, year: year! },
          )
        : undefined
  }

  /** Prices by group, before providers split them. */
  async pools(period: Period, cohorts: BuildCohort[], turns: Turns): Promise<Pool[]> {
    const { filters } = this.request
    const wanted = termTest(filters, { dollarsOnly: !this.groupBy.includes('negotiatedType') })
    const pools = new Map<string, Pool>()
    const poolOf = (code: KeyedValues, term: KeyedValues, network?: KeyedValues) => {
      const key = network ? code.key + term.key + network.key : code.key + term.key
      let pool = pools.get(key)
      if (!pool) pools.set(key, (pool = new Pool({ ...code.values, ...term.values, ...network?.values })))
      return pool
    }
    for (const build of period.builds) {
      const codeRows = chosenCodes(build, filters.billingCodeAndTypes)
      if (codeRows.length === 0) continue
      const cohort = new BuildCohort(build, this.sources.snapshot.cache, this.cohort)
      cohorts.push(cohort)
      const labels = chosenLabels(build, filters)
      const networks = networkGroups(build, this.groupBy)?.map((groups) => groups.map(keyed))
      const groupsOfTerm = new Map<number, KeyedValues[]>()
      for (const codeRow of codeRows) {
        const block = this.sources.snapshot.cache.prices(build, codeRow)
        const codeValues = keyed(codeGroups(this.sources, build, codeRow, this.groupBy))
        const code = { type: build.codes.type[codeRow]!, code: build.codes.code[codeRow]! }
        for (let run = 0; run < block.runTerm.length; run++) {
          const termId = block.runTerm[run]!
          const term = build.summary.terms[termId]!
          let groups = groupsOfTerm.get(termId)
          if (!groups)
            groupsOfTerm.set(termId, (groups = wanted(term) ? termGroups(term, this.groupBy).map(keyed) : []))
          if (groups.length === 0) continue
          const subject = this.compared?.id(code, term) ?? 0
          const from = run === 0 ? 0 : block.runEnd[run - 1]!
          const to = block.runEnd[run]!
          for (const group of groups) {
            if (!networks) {
              poolOf(codeValues, group).part(cohort).addRows(block, from, to, labels, subject)
              continue
            }
            for (let row = from; row < to; row++)
              for (const network of networks[block.label[row]!]!)
                poolOf(codeValues, group, network)
                  .part(cohort)
                  .addRows(block, row, row + 1, labels, subject)
          }
        }
        await turns.pause()
      }
    }
    return [...pools.values()]
  }

  statistics(pool: Pool, turns: Turns): Promise<PoolStatistics[]> {
    const distinct = this.aggregations.some(
      (name) => name === 'num_distinct_npis' || name === 'num_distinct_tins',
    )
    return poolStatistics(pool, this.keys, this.compared, distinct, turns)
  }

  rows(groups: readonly PoolStatistics[], { yearMonth }: Period): MarketRow[] {
    const { comparedTo } = this.request.metrics
    const inOrder = [...groups].sort((a, b) => byGroup(this.groupBy)(a.values, b.values))
    return inOrder.flatMap(({ values, rates, counts, compared }) => {
      const shared = {
        ...Object.fromEntries(this.groupBy.map((field) => [field, values[field]])),
        ...(yearMonth && { yearMonth }),
        ...(this.compared && { comparedTo, numCompared: compared }),
      }
      const rows: MarketRow[] = []
      for (const metrics of this.aggregations) {
        const value = statistic(metrics, rates, counts)
        if (value !== undefined) rows.push({ metrics, value, ...shared })
      }
      return rows
    })
  }
}

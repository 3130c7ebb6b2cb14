import type { z } from 'zod'
import { Failure } from '../errors.ts'
import type { providerRates as operation } from '../operations/provider-rates.ts'
import type { ProviderRateRow } from '../operations/rate-rows.ts'
import type { ProviderGroupByField } from '../vocabulary/grouping.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import type { Build } from '../warehouse/build.ts'
import { AskedProviders, askedIdentifiers, type AskedIdentifier } from './asked-providers.ts'
import type { PricingOptions } from './benchmarks.ts'
import { chosenCodes } from './chosen-codes.ts'
import { codeGroups, providerFields, termGroups, type GroupValues } from './groups.ts'
import { checkProviderRates, defaultLimits, type PricingLimits } from './limits.ts'
import { periods, sourceMonths, type Period } from './periods.ts'
import { chosenLabels, termTest } from './rate-filter.ts'
import type { PricingSources } from './sources.ts'
import { Turns } from './turns.ts'

export type ProviderRatesRequest = Omit<z.output<(typeof operation)['request']>, 'pagination'>

/** All rows of a provider-rates question, and the months they come from. */
export interface ProviderRates {
  readonly rows: readonly ProviderRateRow[]
  readonly sourceMonths: readonly SourceMonth[]
}

const planNamesMost = 30

export const tooManyRows = ({ rowsMost }: PricingLimits) =>
  new Failure(
    'query_too_wide',
    `The answer has more than ${rowsMost} rows (rowsMost). Ask for pages, or name fewer providers or codes.`,
  )

/**
 * Published rates of specific providers: one row per distinct (identifier asked, group-by fields, value).
 * Rows are ordered by period, by identifier in the order asked (NPIs, TINs, CCNs), by the group-by fields in the order asked
 * (text order), then by value. `network` and `planName` gather names and never split rows.
 */
export async function providerRates(
  sources: PricingSources,
  request: ProviderRatesRequest,
  { limits = defaultLimits, ...turning }: PricingOptions = {},
): Promise<ProviderRates> {
  checkProviderRates(request, limits)
  const groupBy = [...new Set(request.groupBy)]
  const identifiers = askedIdentifiers(request.providers, sources.hospitalNpis ?? (() => []))
  const chosen = periods(sources.snapshot, request.payers, request.yearMonths)
  const turns = new Turns(turning)
  await turns.begin()
  const rows: ProviderRateRow[] = []
  for (const period of chosen) {
    const gathered = new GatheredRates(identifiers, groupBy, period, limits)
    for (const build of period.builds)
      await gather(sources, request, groupBy, identifiers, build, gathered, turns)
    for (const row of gathered.rows()) rows.push(row)
  }
  return { rows, sourceMonths: sourceMonths(chosen) }
}

async function gather(
  sources: PricingSources,
  request: ProviderRatesRequest,
  groupBy: readonly ProviderGroupByField[],
  identifiers: readonly AskedIdentifier[],
  build: Build,
  gathered: GatheredRates,
  turns: Turns,
): Promise<void> {
  const { cache } = sources.snapshot
  const fields = providerFields.filter((field) => groupBy.includes(field))
  const asked = new AskedProviders(build, cache, sources.attributes, identifiers, fields)
  if (asked.isEmpty) return
  const wanted = termTest(request)
  const labels = chosenLabels(build, request)
  const groupsOfTerm = new Map<number, GroupValues[]>()
  for (const codeRow of chosenCodes(build, request.billingCodeAndTypes)) {
    const block = cache.prices(build, codeRow)
    let codeValues: GroupValues | undefined
    for (let run = 0; run < block.runTerm.length; run++) {
      const termId = block.runTerm[run]!
      let groups = groupsOfTerm.get(termId)
      if (!groups) {
        const term = build.summary.terms[termId]!
        groupsOfTerm.set(termId, (groups = wanted(term) ? termGroups(term, groupBy) : []))
      }
      if (groups.length === 0) continue
      for (let row = run === 0 ? 0 : block.runEnd[run - 1]!; row < block.runEnd[run]!; row++) {
        const matches = asked.matches(block.set[row]!)
        if (matches.length === 0 || (labels && labels[block.label[row]!] === 0)) continue
        codeValues ??= codeGroups(sources, build, codeRow, groupBy)
        for (const { identifier, values } of matches)
          for (const group of groups)
            gathered.add(
              identifier,
              { ...codeValues, ...group, ...values },
              block.rate[row]!,
              build,
              block.label[row]!,
            )
      }
    }
    await turns.pause()
  }
}

interface GatheredRow {
  readonly identifier: number
  readonly values: GroupValues
  readonly rate: number
  readonly networks: Set<string>
  readonly plans: Set<string>
}

/** Rows of one period while they are gathered. */
class GatheredRates {
  private readonly identifiers: readonly AskedIdentifier[]
  private readonly groupBy: readonly ProviderGroupByField[]
  private readonly splitBy: readonly ProviderGroupByField[]
  private readonly period: Period
  private readonly limits: PricingLimits
  private readonly gathered = new Map<string, GatheredRow>()

  constructor(
    identifiers: readonly AskedIdentifier[],
    groupBy: readonly ProviderGroupByField[],
    period: Period,
    limits: PricingLimits,
  ) {
    this.identifiers = identifiers
    this.groupBy = groupBy
    this.splitBy = groupBy.filter((field) => field !== 'network' && field !== 'planName')
    this.period = period
    this.limits = limits
  }

  add(identifier: number, values: GroupValues, rate: number, build: Build, label: number): void {
    const key = `${identifier} ${rate} ${this.splitBy.map((field) => values[field]).join('\u0000')}`
    let row = this.gathered.get(key)
    if (!row) {
      if (this.gathered.size >= this.limits.rowsMost) throw tooManyRows(this.limits)
      row = { identifier, values, rate, networks: new Set(), plans: new Set() }
      this.gathered.set(key, row)
    }
    const { labels, networkNames, planNames } = build.summary
    const { networks, plans } = labels[label]!
    for (const name of networks) row.networks.add(networkNames[name]!)
    for (const name of plans) row.plans.add(planNames[name]!)
  }

  rows(): ProviderRateRow[] {
    const { yearMonth } = this.period
    return [...this.gathered.values()]
      .sort((a, b) => a.identifier - b.identifier || this.compare(a.values, b.values) || a.rate - b.rate)
      .map(
        ({ identifier, values, rate, networks, plans }) =>
          ({
            metrics: this.identifiers[identifier]!.metrics,
            value: rate / 10_000,
            ...Object.fromEntries(
              this.groupBy.map((field) => [
                field,
                field === 'network'
                  ? [...networks].sort()
                  : field === 'planName'
                    ? [...plans].sort().slice(0, planNamesMost)
                    : values[field],
              ]),
            ),
            ...(yearMonth && { yearMonth }),
          }) as ProviderRateRow,
      )
  }

  private compare(a: GroupValues, b: GroupValues): number {
    for (const field of this.splitBy) {
      const [one = '', other = ''] = [a[field], b[field]]
      if (one !== other) return one < other ? -1 : 1
    }
    return 0
  }
}

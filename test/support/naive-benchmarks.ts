import type { NaiveEntry } from './naive-rates.ts'

export interface NaiveProvider {
  readonly npi: number
  readonly state: string
  readonly zip: string
  readonly taxonomy: string
  readonly entityType: string
}

export interface NaiveFilters {
  readonly payers: readonly string[]
  readonly billingCodeAndTypes: readonly { readonly type: string; readonly code: string }[]
  readonly billingClasses?: readonly string[] | undefined
  readonly serviceCodes?: readonly string[] | undefined
  readonly billingCodeModifiers?: readonly string[] | undefined
  readonly negotiatedTypes?: readonly string[] | undefined
  readonly yearMonths?: readonly { readonly year: number; readonly month: number }[] | undefined
  readonly planNames?: readonly string[] | undefined
  readonly networks?: readonly string[] | undefined
}

export interface NaiveMarketRequest {
  readonly filters: NaiveFilters & {
    readonly states: readonly string[]
    readonly zipCodes?: readonly string[] | undefined
    readonly taxonomyCodes: readonly string[]
    readonly entityTypes?: readonly string[] | undefined
  }
  readonly metrics: { readonly aggregations: readonly string[]; readonly comparedTo?: string | undefined }
  readonly groupBy?: readonly string[] | undefined
}

type Row = Record<string, unknown>

const named = (filter: readonly string[] | undefined, values: readonly string[]) =>
  !filter || filter.length === 0 || values.some((value) => filter.includes(value))
const orNone = (values: readonly string[]) => (values.length > 0 ? values : ['none'])
const classes = (name: string) => (name === 'both' ? ['professional', 'institutional'] : [name])

/** Whether an entry passes the filters that market and provider questions share. */
export function passes(entry: NaiveEntry, filters: NaiveFilters): boolean {
  const codes = filters.billingCodeAndTypes
  return (
    filters.payers.includes(entry.payer) &&
    (codes.length === 0 || codes.some(({ type, code }) => type === entry.type && code === entry.code)) &&
    named(filters.billingClasses, classes(entry.billingClass)) &&
    named(filters.serviceCodes, orNone(entry.serviceCodes)) &&
    named(filters.billingCodeModifiers, orNone(entry.modifiers)) &&
    named(filters.negotiatedTypes, [entry.negotiatedType]) &&
    named(filters.planNames, [...entry.plans]) &&
    named(filters.networks, [...entry.networks])
  )
}

/** The entries of each period asked for; one period without a name unless several are compared. */
export function byPeriod(
  entries: readonly NaiveEntry[],
  filters: NaiveFilters,
  published: readonly { readonly payer: string; readonly month: number }[],
): { yearMonth?: { year: number; month: number }; entries: NaiveEntry[] }[] {
  const asked = [...new Set((filters.yearMonths ?? []).map(({ year, month }) => year * 100 + month))].sort(
    (a, b) => a - b,
  )
  if (asked.length === 0) {
    const newest = (payer: string) =>
      Math.max(...published.filter((p) => p.payer === payer).map((p) => p.month))
    return [{ entries: entries.filter(({ payer, month }) => month === newest(payer)) }]
  }
  return asked.map((period) => ({
    ...(asked.length > 1 && { yearMonth: { year: Math.floor(period / 100), month: period % 100 } }),
    entries: entries.filter(({ month }) => month === period),
  }))
}

export interface NaiveReference {
  readonly entries: readonly NaiveEntry[]
  readonly published: readonly { readonly payer: string; readonly month: number }[]
  readonly directory: readonly NaiveProvider[]
  /** Dollars that Medicare pays for an entry of a provider. */
  readonly medicare: (entry: NaiveEntry, provider: NaiveProvider, year: number) => number | undefined
  readonly codeGroup: (type: string, code: string) => { group: string; subgroup: string } | undefined
}

/** Benchmarks by the book: filter, group, list every value, sort, count. */
export function naiveBenchmarks(reference: NaiveReference, request: NaiveMarketRequest): Row[] {
  const { filters, metrics } = request
  const groupBy = [...new Set(request.groupBy)]
  const rows: Row[] = []
  for (const { yearMonth, entries } of byPeriod(reference.entries, filters, reference.published)) {
    const groups = new Map<
      string,
      { values: string[]; members: { entry: NaiveEntry; provider: NaiveProvider }[] }
    >()
    for (const entry of entries) {
      const provider = reference.directory.find(({ npi }) => npi === entry.npi)
      if (!provider || !passes(entry, filters)) continue
      if (!filters.states.includes(provider.state) || !filters.taxonomyCodes.includes(provider.taxonomy))
        continue
      if (!named(filters.zipCodes, [provider.zip]) || !named(filters.entityTypes, [provider.entityType]))
        continue
      if (entry.rate <= 0 || entry.rate > 100_000_000 * 10_000) continue
      const oddUnit = entry.negotiatedType === 'percentage' || entry.negotiatedType === 'per diem'
      const asked = (filters.negotiatedTypes ?? []).length > 0 || groupBy.includes('negotiatedType')
      if (oddUnit && !asked) continue
      const group = reference.codeGroup(entry.type, entry.code)
      const valuesOf: Record<string, readonly string[]> = {
        payer: [entry.payer],
        npiState: [provider.state],
        taxonomyCode: [provider.taxonomy],
        entityType: [provider.entityType],
        negotiatedType: [entry.negotiatedType],
        billingClass: classes(entry.billingClass),
        billingCodeType: [entry.type],
        billingCode: [entry.code],
        billingCodeGroup: [group?.group ?? 'unclassified'],
        billingCodeSubgroup: [group?.subgroup ?? 'unclassified'],
        serviceCode: orNone(entry.serviceCodes),
        billingCodeModifier: orNone(entry.modifiers),
        network: orNone([...entry.networks]),
      }
      let combinations: string[][] = [[]]
      for (const field of groupBy)
        combinations = combinations.flatMap((before) => valuesOf[field]!.map((value) => [...before, value]))
      for (const values of combinations) {
        const key = JSON.stringify(values)
        if (!groups.has(key)) groups.set(key, { values, members: [] })
        groups.get(key)!.members.push({ entry, provider })
      }
    }
    const inOrder = [...groups.values()].sort((a, b) => compareLists(a.values, b.values))
    const year =
      metrics.comparedTo && metrics.comparedTo !== 'none' ? Number(metrics.comparedTo.slice(-4)) : undefined
    for (const { values, members } of inOrder) {
      const compared = members.flatMap(({ entry, provider }) => {
        if (year === undefined) return [entry.rate / 10_000]
        const amount = reference.medicare(entry, provider, year)
        return amount === undefined
          ? []
          : [Math.round((entry.rate / 10_000 / amount) * 100 * 10_000) / 10_000]
      })
      for (const aggregation of new Set(metrics.aggregations)) {
        const value = aggregate(
          aggregation,
          compared,
          members.map(({ entry }) => entry),
        )
        if (value === undefined) continue
        rows.push({
          metrics: aggregation,
          value,
          ...Object.fromEntries(groupBy.map((field, at) => [field, values[at]])),
          ...(yearMonth && { yearMonth }),
          ...(year !== undefined && { comparedTo: metrics.comparedTo, numCompared: compared.length }),
        })
      }
    }
  }
  return rows
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [at, value] of a.entries()) if (value !== b[at]) return value < b[at]! ? -1 : 1
  return 0
}

function aggregate(
  name: string,
  values: readonly number[],
  entries: readonly NaiveEntry[],
): number | undefined {
  if (name === 'num_entries') return entries.length
  if (name === 'num_distinct_rates') return new Set(entries.map(({ rate }) => rate)).size
  if (name === 'num_distinct_npis') return new Set(entries.map(({ npi }) => npi)).size
  if (name === 'num_distinct_tins') return new Set(entries.map(({ tin }) => tin)).size
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  if (name === 'min_rate') return sorted[0]!
  if (name === 'max_rate') return sorted.at(-1)!
  if (name === 'avg_rate') return values.reduce((sum, value) => sum + value, 0) / values.length
  const rank = name === 'median_rate' ? 50 : Number(name.slice('percentile_'.length))
  const place = ((sorted.length - 1) * rank) / 100
  const below = Math.floor(place + 1e-9)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (place - below)
}

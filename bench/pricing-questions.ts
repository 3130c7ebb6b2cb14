import type { BenchmarksRequest } from '../src/pricing/benchmarks.ts'
import type { ProviderRatesRequest } from '../src/pricing/provider-rates.ts'
import type { Snapshot } from '../src/warehouse/rates.ts'
import { codeText, payerNames, states, taxonomies, type Scale } from './pricing-data.ts'

export interface MarketQuestion {
  readonly name: string
  readonly request: BenchmarksRequest
}

export interface ProviderQuestion {
  readonly name: string
  readonly request: ProviderRatesRequest
}

const aggregations = [
  'avg_rate',
  'median_rate',
  'min_rate',
  'max_rate',
  'percentile_25',
  'percentile_75',
  'num_entries',
  'num_distinct_npis',
] as const

const codesOf = (count: number, every: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'CPT' as const, code: codeText(17 + i * every) }))

/** Narrow, medium and wide. */
export function marketQuestions(scale: Scale, specialties: readonly string[] = taxonomies): MarketQuestion[] {
  const payers = payerNames(scale.payers)
  const question = (
    name: string,
    codes: BenchmarksRequest['filters']['billingCodeAndTypes'],
    payersAsked: string[],
    statesAsked: string[],
    taxonomiesAsked: string[],
    groupBy: BenchmarksRequest['groupBy'],
  ): MarketQuestion => ({
    name,
    request: {
      filters: {
        states: statesAsked as BenchmarksRequest['filters']['states'],
        taxonomyCodes: taxonomiesAsked,
        payers: payersAsked,
        billingCodeAndTypes: codes,
      },
      metrics: { aggregations: [...aggregations] },
      groupBy,
    },
  })
  return [
    question('narrow', codesOf(1, 1), payers.slice(3, 6), ['FL'], specialties.slice(10, 13), ['payer']),
    question('medium', codesOf(10, 37), payers.slice(0, 10), states.slice(3, 8), specialties.slice(20, 40), [
      'payer',
      'billingCode',
    ]),
    question('wide', codesOf(50, 41), payers, states, [...specialties], ['payer', 'billingCode']),
  ]
}

export const withoutDistinct = ({ name, request }: MarketQuestion): MarketQuestion => ({
  name,
  request: {
    ...request,
    metrics: {
      aggregations: request.metrics.aggregations.filter(
        (aggregation) => !aggregation.startsWith('num_distinct'),
      ),
    },
  },
})

/** Rates of providers that many contracts name, so that there is something to find. */
export function providerQuestions(scale: Scale, snapshot: Snapshot): ProviderQuestion[] {
  const npis = mostContracted(snapshot, 50)
  const request = (count: number): ProviderRatesRequest => ({
    providers: { npis: npis.slice(0, count) },
    payers: payerNames(scale.payers),
    billingCodeAndTypes: codesOf(100, 29),
    groupBy: ['payer', 'billingCode', 'billingClass'],
  })
  return [
    { name: 'provider rates, 1 NPI, 100 codes', request: request(1) },
    { name: 'provider rates, 50 NPIs, 100 codes', request: request(50) },
  ]
}

/** Every code that the questions name, in order. */
export function codesAsked(scale: Scale, snapshot: Snapshot): string[] {
  const lists = [
    ...marketQuestions(scale).map(({ request }) => request.filters.billingCodeAndTypes),
    ...providerQuestions(scale, snapshot).map(({ request }) => request.billingCodeAndTypes),
  ]
  return [...new Set(lists.flatMap((list) => list.map(({ code }) => code)))].sort()
}

/** The NPIs that stand in most provider sets over all payers. */
function mostContracted(snapshot: Snapshot, count: number): number[] {
  const setsOf = new Map<number, number>()
  for (const build of snapshot.builds) {
    const { npi, pairNpi, atomEnd, setEnd, setAtom } = build.providers
    for (let i = 0; i < setEnd[setEnd.length - 1]!; i++) {
      const atom = setAtom[i]!
      for (let pair = atom === 0 ? 0 : atomEnd[atom - 1]!; pair < atomEnd[atom]!; pair++) {
        const value = npi[pairNpi[pair]!]!
        setsOf.set(value, (setsOf.get(value) ?? 0) + 1)
      }
    }
  }
  return [...setsOf]
    .sort(([a, most], [b, more]) => more - most || a - b)
    .slice(0, count)
    .map(([npi]) => npi)
}

import type { BenchmarksRequest } from '../src/pricing/benchmarks.ts'
import type { ProviderRatesRequest } from '../src/pricing/provider-rates.ts'
import { codeText, npiOf, payerNames, states, taxonomies, type Scale } from './pricing-data.ts'

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
export function marketQuestions(scale: Scale): MarketQuestion[] {
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
    question('narrow', codesOf(1, 1), payers.slice(3, 6), ['FL'], taxonomies.slice(10, 13), ['payer']),
    question('medium', codesOf(10, 37), payers.slice(0, 10), states.slice(3, 8), taxonomies.slice(20, 40), [
      'payer',
      'billingCode',
    ]),
    question('wide', codesOf(50, 41), payers, states, taxonomies, ['payer', 'billingCode']),
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

export function providerQuestions(scale: Scale): ProviderQuestion[] {
  const payers = payerNames(scale.payers)
  const npis = (count: number) => Array.from({ length: count }, (_, i) => npiOf(101 + i * 1_999))
  const request = (count: number, codes: number): ProviderRatesRequest => ({
    providers: { npis: npis(count) },
    payers,
    billingCodeAndTypes: codesOf(codes, 31),
    groupBy: ['payer', 'billingCode', 'billingClass'],
  })
  return [
    { name: 'provider rates, 1 NPI, 10 codes', request: request(1, 10) },
    { name: 'provider rates, 50 NPIs, 10 codes', request: request(50, 10) },
  ]
}

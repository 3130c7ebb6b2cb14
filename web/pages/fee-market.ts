import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import type { MarketRow, ProviderRateRow } from '../../src/operations/rate-rows.ts'
import { ask } from '../api.ts'
import type { ProviderView } from './provider-view.ts'

type Rate = z.infer<typeof ProviderRateRow>

/** Statistics of the market by `marketKey`. */
export type Market = ReadonlyMap<string, Readonly<Record<string, number>>>

export const codesCompared = 200

/** Like with like: the same payer, code, class and kind of rate. */
export const marketKey = ({
  payer,
  billingCodeType,
  billingCode,
  billingClass,
  negotiatedType,
}: Partial<Rate>) => [payer, billingCodeType, billingCode, billingClass, negotiatedType].join('|')

const none: Market = new Map()

/** The market's percentiles for the codes on the page: the same payers, the provider's state and specialty. */
export function useMarket(
  view: ProviderView,
  payers: readonly string[],
  rows: readonly Rate[],
): { market: Market; failure: Error | null; left: number } {
  const all = [
    ...new Map(
      rows.map(({ billingCode = '', billingCodeType = '' }) => [
        `${billingCodeType} ${billingCode}`,
        { code: billingCode, type: billingCodeType as 'CPT' },
      ]),
    ).values(),
  ]
  const codes = all.slice(0, codesCompared)
  const { state, taxonomyCode } = view
  const market = useQuery({
    queryKey: ['market', view.kind, view.id, payers, codes],
    enabled: codes.length > 0 && state !== null && taxonomyCode !== null,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      ask(
        'marketBenchmarks',
        {
          filters: {
            states: [state as 'FL'],
            taxonomyCodes: [taxonomyCode!],
            payers: [...payers],
            billingCodeAndTypes: codes,
          },
          metrics: {
            aggregations: [
              'percentile_10',
              'percentile_25',
              'percentile_50',
              'percentile_75',
              'percentile_90',
            ],
          },
          groupBy: ['payer', 'billingCodeType', 'billingCode', 'billingClass', 'negotiatedType'],
        },
        signal,
      ),
  })
  const known = useMemo(() => (market.data ? gathered(market.data) : none), [market.data])
  return { market: known, failure: market.error, left: all.length - codes.length }
}

function gathered(rows: readonly z.infer<typeof MarketRow>[]): Market {
  const market = new Map<string, Record<string, number>>()
  for (const row of rows) {
    // The row's network is one name here and a list there; the key does not look at it.
    const key = marketKey({ ...row, network: undefined })
    const values = market.get(key) ?? {}
    values[row.metrics] = row.value
    market.set(key, values)
  }
  return market
}

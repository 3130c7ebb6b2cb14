import type { MedicareStore } from '../medicare/store.ts'
import { medicareRates } from '../medicare/rates.ts'
import type { MarketRateRow, MarketRatesAnswer, MarketRatesRequest } from '../operations/market-rates.ts'
import type { MedicareRateRow, MedicareRatesRequest } from '../operations/medicare-rates.ts'
import type { ProviderSearchRequest, ProvidersFound } from '../operations/provider-search.ts'
import type { Pricing } from '../pricing/pricing.ts'
import type { Providers } from '../providers/open.ts'
import { callOf, type CallContext, told } from './answers.ts'

/** The room function behind each question that only the tool server asks. One that is missing answers `not_loaded`. */
export interface ToolAnswers {
  readonly search_market_negotiated_rates?: (
    request: MarketRatesRequest,
    context: CallContext,
  ) => Promise<MarketRatesAnswer>
  readonly search_providers?: (
    request: ProviderSearchRequest,
    context: CallContext,
  ) => Promise<ProvidersFound>
  readonly search_medicare_rates?: (
    request: MedicareRatesRequest,
    context: CallContext,
  ) => Promise<readonly MedicareRateRow[]>
}

/** Hands each question to its room. */
export function toolAnswersOf(
  pricing: Pricing,
  providers: Providers,
  medicare: MedicareStore,
  pageSizeMax: number,
): ToolAnswers {
  return {
    async search_market_negotiated_rates(request, context) {
      const { rows, total } = await told(context, pricing.marketRates(request, callOf(context, pageSizeMax)))
      return { rows: rows as MarketRateRow[], totalRows: total }
    },
    search_providers: (request, { signal }) =>
      providers.searchProviders(request, { signal }) as Promise<ProvidersFound>,
    search_medicare_rates: (request) => medicareRates(medicare, request),
  }
}

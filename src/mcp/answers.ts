import { Failure } from '../errors.ts'
import type { MarketPercentilesRequest } from '../operations/market-benchmarks.ts'
import type { MarketRatesRequest } from '../operations/market-rates.ts'
import type { MedicareRatesRequest } from '../operations/medicare-rates.ts'
import type { RequestOf } from '../operations/operation.ts'
import type { operations } from '../operations/index.ts'
import type { FeeScheduleRequest } from '../operations/provider-rates.ts'
import type { ProviderSearchRequest } from '../operations/provider-search.ts'
import type { ToolName } from '../operations/tools.ts'
import type { CallContext, Service } from '../service.ts'
import { boundedRows, rowsMost } from './bounded-rows.ts'
import { listed, payersWithData } from './payers-with-data.ts'

/** What a tool gives back: the structured answer, and the rows of it that the text shows. */
export interface ToolAnswer {
  readonly structured: Record<string, unknown> & { readonly advice?: string }
  readonly tables: readonly (readonly [title: string, rows: readonly Record<string, unknown>[]])[]
}

type Ask<Request> = (service: Service, request: Request, context: CallContext) => Promise<ToolAnswer>

const notLoaded = (what: string) =>
  new Failure('not_loaded', `${what} are not loaded on this server. Ask its operator to load them.`)

/** What to do about a market question that found nothing. */
async function noMatch(
  service: Service,
  { payers, states }: { readonly payers: readonly string[]; readonly states: readonly string[] },
): Promise<string> {
  const loaded = await payersWithData(service, states)
  const empty = payers.filter((payer) => !loaded.includes(payer))
  return [
    'No rates match.',
    ...(empty.length > 0
      ? [`No data are loaded for ${listed(empty)}. Payers with data here: ${listed(loaded) || 'none'}.`]
      : []),
    'Otherwise drop the narrowest filter: zipCodes, serviceCodes, billingCodeModifiers, networks, planNames or yearMonths.',
  ].join(' ')
}

const percentiles: Ask<MarketPercentilesRequest> = async (
  service,
  { filters, metrics, groupBy },
  context,
) => {
  const ask = service.answers.marketBenchmarks
  if (!ask) throw notLoaded('Published rates')
  // The tool may leave the codes out and takes any modifier; behind the door the question is the same.
  const request = {
    filters: { ...filters, billingCodeAndTypes: filters.billingCodeAndTypes ?? [] },
    metrics,
    groupBy,
  } as RequestOf<typeof operations.marketBenchmarks>
  const all = await ask(request, context)
  const rows = boundedRows(all)
  const advice =
    all.length === 0
      ? await noMatch(service, filters)
      : rows.length < all.length
        ? `Showing ${rows.length} of ${all.length} rows. Name fewer payers, codes or statistics in a call, or drop a groupBy field.`
        : undefined
  return {
    structured: { rows, totalRows: all.length, ...(advice && { advice }) },
    tables: [['', rows]],
  }
}

const marketRates: Ask<MarketRatesRequest> = async (service, request, context) => {
  const ask = service.toolAnswers.search_market_negotiated_rates
  if (!ask) throw notLoaded('Published rates')
  const { rows: found, totalRows } = await ask(request, context)
  const rows = boundedRows(found)
  const { start } = request.limit
  const next = start + rows.length
  const nextStart = rows.length > 0 && next < totalRows ? next : null
  const advice =
    totalRows === 0
      ? await noMatch(service, request.filters)
      : nextStart === null
        ? undefined
        : `Rows ${start + 1} to ${next} of ${totalRows}. For the next page call again with limit.start ${nextStart}; for fewer rows narrow the filters, or collapse columns with aggregatedColumns and a rateAggregation.`
  return {
    structured: { rows, totalRows, start, nextStart, ...(advice && { advice }) },
    tables: [['', rows.map((row) => ({ ...row, source: undefined }))]],
  }
}

const feeSchedule: Ask<FeeScheduleRequest> = async (service, request, context) => {
  const ask = service.answers.providerRates
  if (!ask) throw notLoaded('Published rates')
  const pageSize = Math.min(rowsMost, context.caller.pageSizeMax ?? rowsMost)
  const page = await ask(
    {
      ...request,
      billingCodeAndTypes: request.billingCodeAndTypes ?? [],
      pagination: { pageSize },
    } as RequestOf<typeof operations.providerRates>,
    context,
  )
  const { data, sourceMonths, nextCursor } = Array.isArray(page)
    ? { data: page, sourceMonths: [], nextCursor: null }
    : page
  const rows = boundedRows(data)
  const cut = nextCursor !== null || rows.length < data.length
  const advice =
    data.length === 0
      ? 'No rates match. Check the identifiers with search_providers (inNetworkPayers says which payers list them), then drop the narrowest filter.'
      : cut
        ? `Showing the first ${rows.length} rows; more match. Name fewer providers or payers, or the billing codes you ask about; POST /api/v1/provider/rates returns everything in pages.`
        : undefined
  return {
    structured: { rows, sourceMonths, cut, ...(advice && { advice }) },
    tables: [['', rows]],
  }
}

const providerSearch: Ask<ProviderSearchRequest> = async (service, request, context) => {
  const ask = service.toolAnswers.search_providers
  if (!ask) throw notLoaded('The provider directory and its search index')
  const found = await ask(request, context)
  const lists = [found.npis, found.tins, found.ccns]
  const advice = lists.every((list) => list.length === 0)
    ? 'Nothing found. Try fewer words of the name, or leave states, types and taxonomyCodes out.'
    : lists.some((list) => list.length >= request.limit)
      ? `Showing the best ${request.limit} of each kind; more may match. Add words of the name, states or taxonomyCodes, or raise limit (at most 100).`
      : undefined
  return {
    structured: { ...found, ...(advice && { advice }) },
    tables: [
      ['NPIs', boundedRows(found.npis)],
      ['TINs', boundedRows(found.tins)],
      ['Hospitals (CCN)', boundedRows(found.ccns)],
    ],
  }
}

const medicareRates: Ask<MedicareRatesRequest> = async (service, request, context) => {
  const ask = service.toolAnswers.search_medicare_rates
  if (!ask) throw notLoaded('The Medicare tables')
  const found = await ask(request, context)
  const rows = boundedRows(found)
  const advice =
    rows.length === 0
      ? 'Nothing found. Check the code and its dataset; leave years out for the most recent, and states out for the national amount.'
      : found.length >= request.limit || rows.length < found.length
        ? `Showing ${rows.length} rows; more may match. ${
            request.medicareType === 'Anesthesia'
              ? 'Put two-letter states in codes for their localities, or name one year.'
              : 'Name codes, years or states to narrow.'
          }`
        : undefined
  return {
    structured: { rows, totalRows: rows.length, ...(advice && { advice }) },
    tables: [['', rows]],
  }
}

/** The answer behind each tool. */
export const toolAnswers: Readonly<Record<ToolName, Ask<never>>> = {
  search_market_percentile_negotiated_rates: percentiles,
  search_market_negotiated_rates: marketRates,
  search_provider_fee_schedule: feeSchedule,
  search_providers: providerSearch,
  search_medicare_rates: medicareRates,
}

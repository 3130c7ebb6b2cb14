import type { MarketQuestion, ProviderQuestion } from './pricing-questions.ts'

const quoted = (texts: readonly (string | number)[]) =>
  texts.map((text) => (typeof text === 'number' ? text : `'${text}'`)).join()

const expressions: Record<string, string> = {
  avg_rate: 'avg(rate)',
  median_rate: 'quantile_cont(rate, 0.5)',
  min_rate: 'min(rate)',
  max_rate: 'max(rate)',
  percentile_25: 'quantile_cont(rate, 0.25)',
  percentile_75: 'quantile_cont(rate, 0.75)',
  num_entries: 'count(*)',
  num_distinct_npis: 'count(distinct npi)',
}
const fields: Record<string, string> = { payer: 'payer', billingCode: 'code', billingClass: 'billing_class' }

export type Dialect = 'duckdb' | 'postgres'

/** A market question over a flat table of entries, one row each. PostgreSQL writes its quantiles differently. */
export function marketSql({ request }: MarketQuestion, table: string, dialect: Dialect = 'duckdb'): string {
  const { filters, metrics, groupBy = [] } = request
  const columns = groupBy.map((field) => fields[field]!)
  const statistics = metrics.aggregations.map((name) => {
    const expression = expressions[name]!
    return dialect === 'postgres'
      ? expression.replace(
          /quantile_cont\(rate, ([\d.]+)\)/,
          'percentile_cont($1) within group (order by rate)',
        )
      : expression
  })
  const named = statistics.map((expression, at) => `${expression} as s${at}`)
  return `select ${[...columns, ...named].join(', ')} from ${table}
    where code in (${quoted(filters.billingCodeAndTypes.map(({ code }) => code))}) and payer in (${quoted(filters.payers)})
      and state in (${quoted(filters.states)}) and taxonomy in (${quoted(filters.taxonomyCodes)})
      and negotiated_type in ('negotiated', 'fee schedule', 'derived')
    group by ${columns.join()} order by ${columns.join()}`
}

/** A provider-rates question over the same table. */
export function providerSql({ request }: ProviderQuestion, table: string): string {
  const { providers, billingCodeAndTypes, payers } = request
  return `select distinct npi, payer, code, billing_class, rate from ${table}
    where code in (${quoted(billingCodeAndTypes.map(({ code }) => code))}) and payer in (${quoted(payers)}) and npi in (${quoted(providers.npis!)})
    order by npi, payer, code, billing_class, rate`
}

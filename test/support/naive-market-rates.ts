import { passes, type NaiveMarketRequest, type NaiveReference } from './naive-benchmarks.ts'
import type { NaiveEntry } from './naive-rates.ts'

export interface NaiveMarketRatesRequest {
  readonly filters: NaiveMarketRequest['filters']
  readonly aggregatedColumns?: readonly string[] | undefined
  readonly rateAggregation?: string | undefined
  readonly sortInfo?: readonly { readonly id: string; readonly desc: boolean }[] | undefined
  readonly limit: { readonly start?: number | undefined; readonly offset: number }
}

export interface NaiveMarketRow {
  readonly columns: Record<string, string | number>
  readonly payer: string
  readonly month: number
  readonly rate: number
  readonly entries: number
  /** Where its entries were first seen; the row's source is one of these. */
  readonly sources: ReadonlySet<string>
}

const columnNames = [
  'billingCodeType',
  'billingCode',
  'npi',
  'tin',
  'npiState',
  'taxonomyCode',
  'entityType',
  'billingClass',
  'setting',
  'negotiatedType',
  'serviceCode',
  'billingCodeModifier',
  'network',
  'planName',
]
const orNone = (values: readonly string[]) => (values.length > 0 ? values : ['none'])
const named = (filter: readonly string[] | undefined, value: string) =>
  !filter || filter.length === 0 || filter.includes(value)

/** Market rates by the book: every entry of the market, put into rows, every row listed, sorted, and then cut. */
export function naiveMarketRates(
  { entries, directory }: Pick<NaiveReference, 'entries' | 'directory'>,
  { filters, aggregatedColumns, rateAggregation = 'none', sortInfo = [], limit }: NaiveMarketRatesRequest,
): { rows: NaiveMarketRow[]; total: number } {
  const collapsed = aggregatedColumns ?? ['serviceCode', 'billingCodeModifier']
  const months = (filters.yearMonths ?? []).map(({ year, month }) => year * 100 + month)
  const units = filters.negotiatedTypes ?? []
  const rows = new Map<string, { split: Record<string, string | number>; members: NaiveEntry[] }>()
  const valuesOf = (entry: NaiveEntry): Record<string, readonly (string | number)[]> => {
    const provider = directory.find(({ npi }) => npi === entry.npi)!
    return {
      billingCodeType: [entry.type],
      billingCode: [entry.code],
      npi: [entry.npi],
      tin: [Number(entry.tin)],
      npiState: [provider.state],
      taxonomyCode: [provider.taxonomy],
      entityType: [provider.entityType],
      billingClass: [entry.billingClass],
      setting: [entry.setting],
      negotiatedType: [entry.negotiatedType],
      serviceCode: orNone(entry.serviceCodes),
      billingCodeModifier: orNone(entry.modifiers),
      network: [...entry.networks],
      planName: [...entry.plans],
    }
  }
  for (const entry of entries) {
    const provider = directory.find(({ npi }) => npi === entry.npi)
    if (!provider || !passes(entry, filters)) continue
    if (months.length > 0 && !months.includes(entry.month)) continue
    if (!filters.states.includes(provider.state) || !filters.taxonomyCodes.includes(provider.taxonomy))
      continue
    if (!named(filters.zipCodes, provider.zip) || !named(filters.entityTypes, provider.entityType)) continue
    if (rateAggregation !== 'none' && (entry.rate <= 0 || entry.rate > 1e12)) continue
    const oddUnit = entry.negotiatedType === 'percentage' || entry.negotiatedType === 'per diem'
    if (oddUnit && collapsed.includes('negotiatedType') && units.length === 0) continue
    const values = valuesOf(entry)
    let combinations: Record<string, string | number>[] = [{}]
    for (const column of columnNames)
      if (!collapsed.includes(column) && column !== 'network' && column !== 'planName')
        combinations = combinations.flatMap((before) =>
          values[column]!.map((value) => ({ ...before, [column]: value })),
        )
    for (const split of combinations) {
      const rate = rateAggregation === 'none' ? entry.rate : 'any'
      const key = JSON.stringify([entry.payer, entry.month, split, rate])
      if (!rows.has(key)) rows.set(key, { split, members: [] })
      rows.get(key)!.members.push(entry)
    }
  }
  const all = [...rows.values()].map(({ split, members }) => ({
    payer: members[0]!.payer,
    month: members[0]!.month,
    columns: {
      ...split,
      ...Object.fromEntries(
        collapsed.map((column) => [
          column,
          [...new Set(members.flatMap((entry) => valuesOf(entry)[column]!.map(String)))].sort().join('; '),
        ]),
      ),
    },
    rate: aggregated(
      members.map(({ rate }) => rate / 10_000),
      rateAggregation,
    ),
    entries: members.length,
    sources: new Set(members.map(({ first: [file, item, rate] }) => `${file} ${item} ${rate}`)),
  }))
  const keys = [
    ...sortInfo,
    ...['payer', 'yearMonth', ...columnNames, 'rate'].map((id) => ({ id, desc: false })),
  ]
  const keyOf = (row: NaiveMarketRow, id: string) =>
    id === 'payer' ? row.payer : id === 'yearMonth' ? row.month : id === 'rate' ? row.rate : row.columns[id]
  all.sort((a, b) => {
    for (const { id, desc } of keys) {
      const [one, other] = [keyOf(a, id) ?? '', keyOf(b, id) ?? '']
      if (one !== other) return one < other === desc ? 1 : -1
    }
    return 0
  })
  const start = limit.start ?? 0
  return { rows: all.slice(start, start + limit.offset), total: all.length }
}

function aggregated(rates: readonly number[], method: string): number {
  const sorted = [...rates].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  switch (method) {
    case 'max':
      return sorted.at(-1)!
    case 'avg':
      return sorted.reduce((sum, rate) => sum + rate, 0) / sorted.length
    case 'median':
      return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
    case 'modal': {
      const times = (rate: number) => sorted.filter((other) => other === rate).length
      const most = Math.max(...sorted.map(times))
      return sorted.find((rate) => times(rate) === most)!
    }
    default:
      return sorted[0]!
  }
}

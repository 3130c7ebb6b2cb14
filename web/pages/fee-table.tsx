import { useMemo } from 'react'
import type { z } from 'zod'
import type { ProviderRateRow } from '../../src/operations/rate-rows.ts'
import { csvOf, DownloadButton } from '../parts/download.tsx'
import { moneyText, percentText } from '../parts/format.ts'
import { FailureNotice } from '../parts/notice.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { codesCompared, type Market, marketKey, useMarket } from './fee-market.ts'
import { FeeSource } from './fee-source.tsx'
import type { ProviderView } from './provider-view.ts'

type Rate = z.infer<typeof ProviderRateRow>

const rateText = ({ value, negotiatedType }: Rate) =>
  negotiatedType === 'percentage' ? percentText(value) : moneyText(value)

/** A provider's rates by payer and code against the market's percentiles. */
export function FeeTable({
  view,
  payers,
  rows,
  newest,
}: {
  view: ProviderView
  payers: readonly string[]
  rows: readonly Rate[]
  newest: ReadonlyMap<string, string>
}) {
  const { market, failure, left } = useMarket(view, payers, rows)
  const columns = useMemo(() => columnsOf(view, market, newest), [view, market, newest])
  const lines = [
    [
      'payer',
      'code',
      'code_type',
      'class',
      'kind',
      'rate',
      'market_p10',
      'market_median',
      'market_p90',
      'networks',
    ],
    ...rows.map((row) => {
      const of = market.get(marketKey(row))
      return [
        row.payer ?? '',
        row.billingCode ?? '',
        row.billingCodeType ?? '',
        row.billingClass ?? '',
        row.negotiatedType ?? '',
        String(row.value),
        ...['percentile_10', 'percentile_50', 'percentile_90'].map((name) => String(of?.[name] ?? '')),
        (row.network ?? []).join('; '),
      ]
    }),
  ]
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} />}
      {view.state === null || view.taxonomyCode === null ? (
        <p className="soft small">
          The directory does not know this provider’s state or specialty, so there is no market to compare
          with.
        </p>
      ) : (
        left > 0 && (
          <p className="soft small">
            The market is shown for the first {codesCompared} codes. Choose codes above to see it for others.
          </p>
        )
      )}
      <DataTable
        caption="Rates by payer and code"
        rows={rows}
        rowKey={(_, at) => String(at)}
        columns={columns}
      />
      <div className="row">
        <DownloadButton name={`rates-${view.kind}-${view.id}.csv`} text={csvOf(lines)} />
      </div>
    </>
  )
}

function columnsOf(view: ProviderView, market: Market, newest: ReadonlyMap<string, string>): Column<Rate>[] {
  const of = (row: Rate) => market.get(marketKey(row))
  const statistic = (name: string, title: string): Column<Rate> => ({
    key: name,
    title,
    number: true,
    cell: (row) => {
      const value = of(row)?.[name]
      return value === undefined ? (
        <span className="soft">–</span>
      ) : (
        <span title={String(value)}>{rateText({ ...row, value })}</span>
      )
    },
    sort: (row) => of(row)?.[name] ?? null,
  })
  return [
    {
      key: 'code',
      title: 'Code',
      cell: (row) => (
        <>
          <span className="nowrap">
            {row.billingCode} <span className="soft">{row.billingCodeType}</span>
          </span>
        </>
      ),
      sort: (row) => row.billingCode ?? '',
    },
    {
      key: 'payer',
      title: 'Payer',
      cell: (row) => <span className="nowrap">{row.payer}</span>,
      sort: (row) => row.payer ?? '',
    },
    {
      key: 'value',
      title: 'Rate',
      number: true,
      cell: (row) => <strong title={String(row.value)}>{rateText(row)}</strong>,
      sort: (row) => row.value,
    },
    statistic('percentile_10', 'p10'),
    statistic('percentile_50', 'Median'),
    statistic('percentile_90', 'p90'),
    {
      key: 'stand',
      title: 'Where it stands',
      cell: (row) => <Standing value={row.value} market={of(row)} />,
      sort: (row) => {
        const median = of(row)?.['percentile_50']
        return median ? row.value / median : null
      },
    },
    {
      key: 'source',
      title: 'Source',
      cell: (row) => <FeeSource view={view} row={row} month={newest.get(row.payer ?? '') ?? ''} />,
    },
    {
      key: 'class',
      title: 'Class, kind',
      cell: (row) => (
        <span className="nowrap">{[row.billingClass, row.negotiatedType].filter(Boolean).join(', ')}</span>
      ),
      sort: (row) => `${row.billingClass} ${row.negotiatedType}`,
    },
    {
      key: 'network',
      title: 'Networks',
      cell: (row) => {
        const names = row.network ?? []
        return (
          <span className="clip" title={names.join(', ')}>
            {names.slice(0, 2).join(', ')}
            {names.length > 2 && ` and ${names.length - 2} more`}
          </span>
        )
      },
    },
  ]
}

const bands = [
  ['percentile_10', '▼▼ below p10', 'bad'],
  ['percentile_25', '▼ p10 to p25', 'warn'],
  ['percentile_50', 'p25 to median', ''],
  ['percentile_75', 'median to p75', ''],
  ['percentile_90', '▲ p75 to p90', 'good'],
] as const

/** Where a rate lies between the market's percentiles, in words. */
function Standing({
  value,
  market,
}: {
  value: number
  market: Readonly<Record<string, number>> | undefined
}) {
  if (!market || market['percentile_50'] === undefined) return <span className="soft">–</span>
  if (market['percentile_10'] === market['percentile_90'])
    return <span className="badge">one price in the market</span>
  const band = bands.find(([name]) => value < (market[name] ?? Infinity))
  const [, text, kind] = band ?? ['', '▲▲ p90 or above', 'good']
  return <span className={`badge ${kind}`}>{text}</span>
}

import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import type { WebResponse } from '../../src/operations/app.ts'
import { ask, call } from '../api.ts'
import { AsCode } from '../parts/as-code.tsx'
import { moneyText, percentText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { MultiSelect } from '../parts/type-ahead.tsx'
import { groupsOf } from '../pivot.ts'
import { SignedIn } from '../session.tsx'
import { kindNames } from './providers.tsx'

type View = WebResponse<'provider'>

/** Who a provider is, and what each payer agreed to pay them beside what the market gets. */
export function Provider() {
  const { kind = '', id = '' } = useParams()
  return (
    <SignedIn>
      {() =>
        kind in kindNames ? (
          <ProviderPage kind={kind as View['kind']} id={id} />
        ) : (
          <Notice title="There is no such page" />
        )
      }
    </SignedIn>
  )
}

function ProviderPage({ kind, id }: { kind: View['kind']; id: string }) {
  const provider = useQuery({
    queryKey: ['provider', kind, id],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('provider', { kind, id }, signal),
  })
  if (provider.isPending) return <Busy>Looking them up…</Busy>
  if (provider.isError)
    return <FailureNotice failure={provider.error} retry={() => void provider.refetch()} />
  const { name, facts, related } = provider.data
  return (
    <>
      <div className="row between">
        <h1>{name}</h1>
        <span className="badge">
          {kindNames[kind]} {id}
        </span>
      </div>
      <div className="split">
        <aside className="card small" aria-label="Identity">
          <dl className="facts">
            {facts.map((fact) => (
              <div key={fact.name}>
                <dt className="soft">{fact.name}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
          {related.length > 0 && (
            <div className="stack tight">
              <strong>Related</strong>
              <ul className="plain">
                {related.slice(0, 20).map((other) => (
                  <li key={`${other.kind} ${other.id}`}>
                    <Link to={`/providers/${other.kind}/${other.id}`}>
                      {kindNames[other.kind]} {other.id}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </aside>
        <FeeSchedule view={provider.data} />
      </div>
    </>
  )
}

const codesCompared = 50

function FeeSchedule({ view }: { view: View }) {
  const [query, setQuery] = useSearchParams()
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  const loaded = (catalog.data?.payers ?? []).filter(({ months }) => months.length > 0)
  const listed = view.payers.length > 0 ? loaded.filter(({ payer }) => view.payers.includes(payer)) : loaded
  const asked = query.getAll('payers')
  const chosen = asked.length > 0 ? asked : listed.slice(0, 5).map(({ payer }) => payer)
  const setPayers = (payers: string[]) =>
    setQuery(new URLSearchParams(payers.map((payer) => ['payers', payer])), { replace: true })

  const identifier = {
    npi: { npis: [Number(view.id)] },
    tin: { tins: [Number(view.id)] },
    ccn: { ccns: [view.id] },
  }[view.kind]
  const request = {
    providers: identifier,
    payers: chosen,
    billingCodeAndTypes: [],
    groupBy: [
      'payer' as const,
      'billingCode' as const,
      'billingCodeType' as const,
      'billingClass' as const,
      'negotiatedType' as const,
      'network' as const,
    ],
    pagination: { pageSize: 1_000 },
  }
  const rates = useQuery({
    queryKey: ['rates', request],
    enabled: chosen.length > 0,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const page = await ask('providerRates', request, signal)
      return Array.isArray(page) ? { data: page, nextCursor: null } : page
    },
  })
  const rows = rates.data?.data ?? []
  const market = useMarket(view, chosen, rows)
  if (catalog.isPending) return <Busy>Loading…</Busy>
  if (loaded.length === 0)
    return (
      <Notice title="No rates are loaded yet">The operator loads payer files with “ratebook ingest”.</Notice>
    )
  return (
    <section className="stack" aria-label="Fee schedule">
      <div className="row between">
        <h2>Published rates</h2>
        <AsCode path="/api/v1/provider/rates" body={request} tool="search_provider_fee_schedule" />
      </div>
      <MultiSelect
        label="Payers"
        all={loaded.map(({ payer, name }) => ({ value: payer, label: name }))}
        chosen={chosen}
        onChange={setPayers}
      />
      {rates.isError && <FailureNotice failure={rates.error} retry={() => void rates.refetch()} />}
      {rates.isFetching && <Busy>Asking…</Busy>}
      {rates.isSuccess && rows.length === 0 && (
        <Notice title="No published rates">
          None of these payers lists a rate for this provider in its newest month. Choose others.
        </Notice>
      )}
      {rows.length > 0 && (
        <>
          {rates.data?.nextCursor && (
            <Notice kind="warn">
              The first 1,000 rows are shown. Page through all of them with the API.
            </Notice>
          )}
          <DataTable
            caption="Rates by payer and code"
            rows={rows}
            rowKey={(_, at) => String(at)}
            columns={[
              { key: 'payer', title: 'Payer', cell: (row) => row.payer, sort: (row) => row.payer ?? '' },
              {
                key: 'code',
                title: 'Code',
                cell: (row) => <span title={row.billingCodeType}>{row.billingCode}</span>,
                sort: (row) => row.billingCode ?? '',
              },
              { key: 'class', title: 'Class', cell: (row) => row.billingClass },
              { key: 'type', title: 'Kind', cell: (row) => row.negotiatedType },
              {
                key: 'value',
                title: 'Rate',
                number: true,
                cell: (row) => (
                  <span title={String(row.value)}>
                    {row.negotiatedType === 'percentage' ? percentText(row.value) : moneyText(row.value)}
                  </span>
                ),
                sort: (row) => row.value,
              },
              {
                key: 'median',
                title: 'Market median',
                number: true,
                cell: (row) => moneyOf(market.get(marketKey(row))?.['percentile_50']),
              },
              {
                key: 'stand',
                title: 'Where it stands',
                cell: (row) => <Standing value={row.value} market={market.get(marketKey(row))} />,
              },
              { key: 'network', title: 'Networks', cell: (row) => (row.network ?? []).join(', ') },
            ]}
          />
        </>
      )}
    </section>
  )
}

const moneyOf = (value: number | undefined) => (value === undefined ? '–' : moneyText(value))
const marketKey = ({
  payer = '',
  billingCode = '',
}: {
  payer?: string | undefined
  billingCode?: string | undefined
}) => `${payer} ${billingCode}`

type RateRow = {
  payer?: string | undefined
  billingCode?: string | undefined
  billingCodeType?: string | undefined
}

/** The market's percentiles for the codes on the page: the same payers, the provider's state and specialty. */
function useMarket(
  view: View,
  payers: string[],
  rows: readonly RateRow[],
): Map<string, Readonly<Record<string, number>>> {
  const codes = [
    ...new Map(
      rows.map((row) => [
        `${row.billingCodeType} ${row.billingCode}`,
        { code: row.billingCode ?? '', type: row.billingCodeType as 'CPT' },
      ]),
    ).values(),
  ].slice(0, codesCompared)
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
            payers,
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
          groupBy: ['payer', 'billingCode'],
        },
        signal,
      ),
  })
  return new Map(groupsOf(market.data ?? []).map((group) => [`${group.payer} ${group.code}`, group.values]))
}

const bands = [
  ['percentile_10', 'below p10', 'bad'],
  ['percentile_25', 'p10 to p25', 'warn'],
  ['percentile_50', 'p25 to median', ''],
  ['percentile_75', 'median to p75', ''],
  ['percentile_90', 'p75 to p90', 'good'],
] as const

function Standing({
  value,
  market,
}: {
  value: number
  market: Readonly<Record<string, number>> | undefined
}) {
  if (!market || market['percentile_50'] === undefined) return <span className="soft">–</span>
  const band = bands.find(([name]) => value < (market[name] ?? Infinity))
  const [, text, kind] = band ?? ['', 'above p90', 'good']
  return <span className={`badge ${kind}`}>{text}</span>
}

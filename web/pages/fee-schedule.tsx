import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ask, call } from '../api.ts'
import { AsCode } from '../parts/as-code.tsx'
import { Asking } from '../parts/asking.tsx'
import { MultiSelect } from '../parts/choices.tsx'
import { CodePicker } from '../parts/code-picker.tsx'
import { countText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { codeOf } from '../question.ts'
import { FeeTable } from './fee-table.tsx'
import type { ProviderView } from './provider-view.ts'

const payersAtFirst = 5
const pageSize = 1_000

/** What a provider is paid: asked for when the user says so, because it costs credits. */
export function FeeSchedule({ view }: { view: ProviderView }) {
  const [query, setQuery] = useSearchParams()
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  if (catalog.isPending) return <Busy>Loading…</Busy>
  if (catalog.isError) return <FailureNotice failure={catalog.error} retry={() => void catalog.refetch()} />
  const loaded = catalog.data.payers.filter(({ months }) => months.length > 0)
  if (loaded.length === 0)
    return (
      <Notice title="No rates are loaded yet">
        The operator of this server loads payer files with <code>ratebook ingest</code>.
      </Notice>
    )
  const listing = loaded.filter(({ payer }) => view.payers.includes(payer))
  const proposed = (listing.length > 0 ? listing : loaded).slice(0, payersAtFirst).map(({ payer }) => payer)
  const payers = query.getAll('payers')
  const codes = query.getAll('codes')
  return (
    <section className="stack" aria-labelledby="fees-title">
      <h2 id="fees-title">Published rates</h2>
      <FeeForm
        // A link or a step back brings its own choice.
        key={query.toString()}
        payers={payers.length > 0 ? payers : proposed}
        codes={codes}
        all={loaded.map(({ payer, name }) => ({ value: payer, label: name }))}
        send={(next) =>
          setQuery([
            ...next.payers.map((payer) => ['payers', payer] as [string, string]),
            ...next.codes.map((code) => ['codes', code] as [string, string]),
          ])
        }
      />
      {payers.length > 0 ? (
        <Fees
          view={view}
          payers={payers}
          codes={codes}
          newest={new Map(loaded.map((one) => [one.payer, one.months[0] ?? '']))}
        />
      ) : (
        <Notice title="What is this provider paid?">
          “Show rates” lists what each payer published, beside the market of the same payer, state and
          specialty. It takes two credits: one for the rates, one for the market.
        </Notice>
      )}
    </section>
  )
}

function FeeForm({
  payers,
  codes,
  all,
  send,
}: {
  payers: readonly string[]
  codes: readonly string[]
  all: readonly { value: string; label: string }[]
  send: (next: { payers: readonly string[]; codes: readonly string[] }) => void
}) {
  const [draft, setDraft] = useState({ payers, codes })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.payers.length > 0) send(draft)
  }
  return (
    <form className="card" onSubmit={submit} aria-label="Whose rates">
      <div className="figures">
        <MultiSelect
          label="Payers"
          all={all}
          chosen={draft.payers}
          onChange={(chosen) => setDraft({ ...draft, payers: chosen })}
        />
        <CodePicker chosen={draft.codes} onChange={(chosen) => setDraft({ ...draft, codes: chosen })} />
      </div>
      <div className="row">
        <button type="submit" className="button primary">
          Show rates
        </button>
        <span className="soft small" role="status">
          {draft.payers.length === 0
            ? 'Choose a payer first.'
            : draft.codes.length === 0
              ? 'Without codes: all of them.'
              : ''}
        </span>
      </div>
    </form>
  )
}

function Fees({
  view,
  payers,
  codes,
  newest,
}: {
  view: ProviderView
  payers: string[]
  codes: string[]
  newest: ReadonlyMap<string, string>
}) {
  const queries = useQueryClient()
  const request = {
    providers: {
      npi: { npis: [Number(view.id)] },
      tin: { tins: [Number(view.id)] },
      ccn: { ccns: [view.id] },
    }[view.kind],
    payers,
    billingCodeAndTypes: codes.map(codeOf),
    groupBy: [
      'payer' as const,
      'billingCode' as const,
      'billingCodeType' as const,
      'billingClass' as const,
      'negotiatedType' as const,
      'network' as const,
    ],
  }
  const queryKey = ['rates', request]
  const rates = useInfiniteQuery({
    queryKey,
    staleTime: Infinity,
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      const page = await ask(
        'providerRates',
        { ...request, pagination: { pageSize, ...(pageParam !== '' && { cursor: pageParam }) } },
        signal,
      )
      return Array.isArray(page) ? { data: page, nextCursor: null } : page
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const rows = rates.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <div className="row between">
        <span className="soft small">
          {rates.isSuccess &&
            `${countText(rows.length)}${rates.hasNextPage ? ' and more' : ''} rates, newest month of each payer`}
        </span>
        <AsCode path="/api/v1/provider/rates" body={request} tool="search_provider_fee_schedule" />
      </div>
      {rates.isFetching && <Asking cancel={() => void queries.cancelQueries({ queryKey })} />}
      {rates.isError && <FailureNotice failure={rates.error} retry={() => void rates.refetch()} />}
      {rates.isPending && rates.fetchStatus === 'idle' && (
        <Notice title="Cancelled">
          <button type="button" className="button" onClick={() => void rates.refetch()}>
            Ask again
          </button>
        </Notice>
      )}
      {rates.isSuccess && rows.length === 0 && (
        <Notice title="No published rates">
          None of these payers lists such a rate for this provider in its newest month. Choose other payers or
          codes.
        </Notice>
      )}
      {rows.length > 0 && <FeeTable view={view} payers={payers} rows={rows} newest={newest} />}
      {rates.hasNextPage && (
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={rates.isFetching}
            onClick={() => void rates.fetchNextPage()}
          >
            Get the next {countText(pageSize)} rates
          </button>
          <span className="soft small">One credit a page</span>
        </div>
      )}
    </>
  )
}

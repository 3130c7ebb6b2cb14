import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiFailure, ask, call } from '../api.ts'
import { AsCode } from '../parts/as-code.tsx'
import { SelectField } from '../parts/form.tsx'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { groupsOf } from '../pivot.ts'
import { missing, type Question, queryOf, questionFrom, requestOf, type View } from '../question.ts'
import { SignedIn } from '../session.tsx'
import { ExploreForm } from './explore-form.tsx'
import { ExploreTable } from './explore-table.tsx'

const SpreadChart = lazy(() =>
  import('../parts/spread-chart.tsx').then((part) => ({ default: part.SpreadChart })),
)
const TimeChart = lazy(() =>
  import('../parts/spread-chart.tsx').then((part) => ({ default: part.TimeChart })),
)
const StateMap = lazy(() => import('../parts/state-map.tsx').then((part) => ({ default: part.StateMap })))

/** The benchmark question as a form that helps, the answer as a picture first. Every view is its address. */
export function Explore() {
  return <SignedIn>{() => <Explorer />}</SignedIn>
}

const viewNames: Record<View, string> = { payer: 'By payer', state: 'By state', time: 'Over time' }

function Explorer() {
  const [query, setQuery] = useSearchParams()
  const question = questionFrom(query)
  const change = (part: Partial<Question>) => setQuery(queryOf({ ...question, ...part }), { replace: true })
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  if (catalog.isPending) return <Busy>Loading what there is…</Busy>
  if (catalog.isError) return <FailureNotice failure={catalog.error} retry={() => void catalog.refetch()} />
  const loaded = catalog.data.payers.filter(({ months }) => months.length > 0)
  if (loaded.length === 0)
    return (
      <Notice title="No rates are loaded yet">
        The operator of this server loads payer files with <code>ratebook ingest</code>, or the synthetic demo
        with <code>ratebook demo</code>.
      </Notice>
    )
  const wanted = missing(question)
  return (
    <>
      <div className="row between">
        <h1>Explore prices</h1>
        {catalog.data.synthetic && <span className="badge warn">Synthetic demo data</span>}
      </div>
      <div className="split">
        <ExploreForm question={question} change={change} payers={loaded} />
        <div className="stack">
          <nav className="tabs" aria-label="View">
            {(Object.keys(viewNames) as View[]).map((view) => (
              <button
                key={view}
                type="button"
                aria-current={view === question.view ? 'page' : undefined}
                onClick={() => change({ view })}
              >
                {viewNames[view]}
              </button>
            ))}
          </nav>
          {wanted.length > 0 ? (
            <Notice title={`Choose ${wanted.join(', ')}`}>
              The answer appears here as soon as the question is complete.
            </Notice>
          ) : (
            <Answer question={question} change={change} months={monthsOf(loaded, question.payers)} />
          )}
        </div>
      </div>
    </>
  )
}

/** Every month that one of these payers has, oldest first. */
function monthsOf(
  loaded: readonly { payer: string; months: string[] }[],
  payers: readonly string[],
): string[] {
  return [
    ...new Set(loaded.filter(({ payer }) => payers.includes(payer)).flatMap(({ months }) => months)),
  ].sort()
}

const baselineOptions = [
  { value: 'none', label: 'Dollars' },
  ...[2025, 2024, 2023, 2022, 2021, 2020].map((year) => ({
    value: `medicare_${year}`,
    label: `Percent of Medicare ${year}`,
  })),
]

function Answer({
  question,
  change,
  months,
}: {
  question: Question
  change: (part: Partial<Question>) => void
  months: readonly string[]
}) {
  const request = requestOf(question, months)
  const [wide, setWide] = useState(false)
  const answer = useQuery({
    queryKey: ['benchmarks', request],
    staleTime: Infinity,
    gcTime: 30 * 60_000,
    queryFn: ({ signal }) => ask('marketBenchmarks', request, signal),
  })
  const asPercent = question.compare !== 'none'
  const tools = (
    <div className="row between">
      <SelectField
        label="Show rates as"
        value={question.compare}
        onChange={(compare) => change({ compare })}
        options={baselineOptions}
      />
      <AsCode
        path="/api/v1/market/benchmarks"
        body={request}
        tool="search_market_percentile_negotiated_rates"
      />
    </div>
  )
  if (answer.isPending) return <Busy>Asking…</Busy>
  if (answer.isError)
    return (
      <div className="stack">
        {tools}
        <FailureNotice failure={answer.error} retry={() => void answer.refetch()} />
        {answer.error instanceof ApiFailure && answer.error.code === 'query_too_wide' && (
          <p className="soft">Take fewer codes, states, specialties or payers.</p>
        )}
      </div>
    )
  const groups = groupsOf(answer.data)
  const drawn = groups.filter(({ values }) => values['percentile_50'] !== undefined)
  if (groups.length === 0)
    return (
      <div className="stack">
        {tools}
        <Notice title="No rates match">
          The filters may be too narrow, or this code is not in the loaded data. Take a filter off, add
          states, or choose another month.
        </Notice>
      </div>
    )
  return (
    <div className="stack">
      {tools}
      {drawn.length === 0 ? (
        <Notice>None of these rates has a Medicare amount to compare with.</Notice>
      ) : (
        <section className="card" aria-label="Picture">
          <Suspense fallback={<Busy>Drawing…</Busy>}>
            {question.view === 'payer' && (
              <SpreadChart groups={wide ? drawn : drawn.slice(0, 60)} asPercent={asPercent} />
            )}
            {question.view === 'state' && <StateMap groups={drawn} asPercent={asPercent} />}
            {question.view === 'time' &&
              (months.length > 1 ? (
                <TimeChart groups={drawn} asPercent={asPercent} />
              ) : (
                <Notice>Only one month is loaded for these payers.</Notice>
              ))}
          </Suspense>
          {question.view === 'payer' && drawn.length > 60 && !wide && (
            <button type="button" className="button" onClick={() => setWide(true)}>
              Draw all {drawn.length} groups
            </button>
          )}
        </section>
      )}
      <ExploreTable groups={groups} asPercent={asPercent} />
    </div>
  )
}

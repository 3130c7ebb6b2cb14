import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { baselines } from '../../src/vocabulary/medicare.ts'
import { ApiFailure, ask } from '../api.ts'
import { AsCode } from '../parts/as-code.tsx'
import { Asking } from '../parts/asking.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { SelectField } from '../parts/form.tsx'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { type Group, groupsOf } from '../pivot.ts'
import { type Question, queryOf, requestOf } from '../question.ts'
import { type LoadedPayer, monthsOf } from '../loaded-payers.ts'
import { ExploreTable } from './explore-table.tsx'

const SpreadChart = lazy(() =>
  import('../parts/spread-chart.tsx').then((part) => ({ default: part.SpreadChart })),
)
const TimeChart = lazy(() => import('../parts/time-chart.tsx').then((part) => ({ default: part.TimeChart })))
const StateMap = lazy(() => import('../parts/state-map.tsx').then((part) => ({ default: part.StateMap })))

const baselineOptions = [...baselines]
  .sort((a, b) => (a < b ? 1 : -1))
  .map((value) => ({
    value,
    label: value === 'none' ? 'Dollars' : `Percent of Medicare ${value.replace('medicare_', '')}`,
  }))

/** The answer to a complete question: a picture, then the numbers. */
export function ExploreAnswer({
  question,
  show,
  loaded,
}: {
  question: Question
  show: (next: Question) => void
  loaded: readonly LoadedPayer[]
}) {
  const queries = useQueryClient()
  const months = monthsOf(loaded, question.payers)
  const request = requestOf(question, months)
  const queryKey = ['benchmarks', request]
  const answer = useQuery({
    queryKey,
    staleTime: Infinity,
    gcTime: 30 * 60_000,
    queryFn: ({ signal }) => ask('marketBenchmarks', request, signal),
  })
  return (
    <div className="stack">
      <div className="row between">
        <SelectField
          label="Show rates as"
          value={question.compare}
          onChange={(compare) => show({ ...question, compare, order: '' })}
          options={baselineOptions}
        />
        <div className="row">
          <Link
            className="button"
            to={`/reports/new?${queryOf({ ...question, view: 'payer', compare: 'none', order: '' })}`}
          >
            Keep as a report
          </Link>
          <CopyButton text={location.href} label="Copy link" />
          <AsCode
            path="/api/v1/market/benchmarks"
            body={request}
            tool="search_market_percentile_negotiated_rates"
          />
        </div>
      </div>
      {answer.isPending &&
        (answer.fetchStatus === 'idle' ? (
          <Notice title="Cancelled">
            <button type="button" className="button" onClick={() => void answer.refetch()}>
              Ask again
            </button>
          </Notice>
        ) : (
          <Asking cancel={() => void queries.cancelQueries({ queryKey })} />
        ))}
      {answer.isError && (
        <>
          <FailureNotice failure={answer.error} retry={() => void answer.refetch()} />
          {isTooWide(answer.error) && (
            <p className="soft">Take fewer codes, states, specialties, payers or months, then ask again.</p>
          )}
        </>
      )}
      {answer.isSuccess && (
        <Shown groups={groupsOf(answer.data)} {...{ question, show, loaded }} several={months.length > 1} />
      )}
    </div>
  )
}

const isTooWide = (error: unknown) =>
  error instanceof ApiFailure && ['query_too_wide', 'query_timeout'].includes(error.code)

const drawnMost = 60

function Shown({
  groups,
  question,
  show,
  loaded,
  several,
}: {
  groups: readonly Group[]
  question: Question
  show: (next: Question) => void
  loaded: readonly LoadedPayer[]
  several: boolean
}) {
  const [wide, setWide] = useState(false)
  const asPercent = question.compare !== 'none'
  const drawn = groups.filter(({ values }) => values['percentile_50'] !== undefined)
  if (groups.length === 0)
    return (
      <Notice title="No rates match">
        The filters may be too narrow, or this code is not in the loaded data. Take a filter off, add states
        or specialties, or choose another month.
      </Notice>
    )
  const silent = question.payers.filter((payer) => !groups.some((group) => group.payer === payer))
  return (
    <>
      {drawn.length === 0 ? (
        <Notice title="Nothing to compare with">
          None of these rates has a Medicare amount for that year. Show them in dollars, or choose another
          year.
        </Notice>
      ) : (
        <section className="card" aria-label="Picture">
          <Suspense fallback={<Busy>Drawing…</Busy>}>
            {question.view === 'payer' && (
              <SpreadChart groups={wide ? drawn : drawn.slice(0, drawnMost)} asPercent={asPercent} />
            )}
            {question.view === 'state' && <StateMap groups={drawn} asPercent={asPercent} />}
            {question.view === 'time' &&
              (several ? (
                <TimeChart groups={drawn} asPercent={asPercent} />
              ) : (
                <Notice>Only one month is loaded for these payers; there is no course to draw yet.</Notice>
              ))}
          </Suspense>
          {question.view === 'payer' && drawn.length > drawnMost && !wide && (
            <button type="button" className="button" onClick={() => setWide(true)}>
              Draw all {drawn.length} groups
            </button>
          )}
        </section>
      )}
      {question.view !== 'state' && silent.length > 0 && (
        <p className="soft small">No matching rate from {silent.join(', ')}.</p>
      )}
      <ExploreTable
        groups={groups}
        asPercent={asPercent}
        loaded={loaded}
        order={question.order}
        onOrder={(order) => show({ ...question, order })}
      />
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../api.ts'
import { SelectField, TextField } from '../parts/form.tsx'
import { countText } from '../parts/format.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'

const DayBars = lazy(() => import('../parts/day-bars.tsx').then((part) => ({ default: part.DayBars })))

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const groupings = [
  { value: 'operation', label: 'Endpoint or tool' },
  { value: 'key', label: 'Key' },
  { value: 'day', label: 'Day' },
]

/** Calls and credits, as a picture by day and as a table by what one asks for. */
export function Usage() {
  const [query, setQuery] = useSearchParams()
  const from = query.get('from') ?? day(29)
  const to = query.get('to') ?? day(0)
  const by = (query.get('by') ?? 'operation') as 'day' | 'key' | 'operation'
  const set = (name: string, value: string) =>
    setQuery((now) => new URLSearchParams([...[...now].filter(([key]) => key !== name), [name, value]]), {
      replace: true,
    })

  const days = useQuery({
    queryKey: ['usage', from, to, 'day'],
    queryFn: ({ signal }) => call('usage', { from, to, by: 'day' }, signal),
  })
  const lines = useQuery({
    queryKey: ['usage', from, to, by],
    queryFn: ({ signal }) => call('usage', { from, to, by }, signal),
  })
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => call('keys', {}, signal) })
  const nameOf = (name: string) =>
    by === 'key'
      ? (keys.data?.find(({ id }) => id === name)?.name ?? (name === '' ? 'Web application' : name))
      : name
  const failure = days.error ?? lines.error
  if (failure)
    return (
      <FailureNotice failure={failure} retry={() => void Promise.all([days.refetch(), lines.refetch()])} />
    )
  return (
    <section className="stack">
      <div className="row">
        <TextField
          label="From"
          type="date"
          value={from}
          onChange={(event) => set('from', event.target.value)}
        />
        <TextField label="To" type="date" value={to} onChange={(event) => set('to', event.target.value)} />
        <SelectField
          label="Summed by"
          value={by}
          onChange={(value) => set('by', value)}
          options={groupings}
        />
      </div>
      {!days.data || !lines.data ? (
        <Busy>Adding up…</Busy>
      ) : (
        <>
          {days.data.length > 0 && (
            <Suspense fallback={<Busy>Drawing…</Busy>}>
              <DayBars days={days.data} from={from} to={to} />
            </Suspense>
          )}
          <DataTable
            caption="Usage"
            rows={lines.data}
            rowKey={({ name }) => name}
            empty="No calls in these days."
            columns={[
              {
                key: 'name',
                title: groupings.find(({ value }) => value === by)!.label,
                cell: ({ name }) => nameOf(name),
                sort: ({ name }) => nameOf(name),
              },
              {
                key: 'calls',
                title: 'Calls',
                number: true,
                cell: ({ calls }) => countText(calls),
                sort: ({ calls }) => calls,
              },
              {
                key: 'failures',
                title: 'Failed',
                number: true,
                cell: ({ failures }) => countText(failures),
                sort: ({ failures }) => failures,
              },
              {
                key: 'credits',
                title: 'Credits',
                number: true,
                cell: ({ credits }) => countText(credits),
                sort: ({ credits }) => credits,
              },
              {
                key: 'latency',
                title: 'Mean time',
                number: true,
                cell: ({ meanLatencyMs }) => `${meanLatencyMs.toFixed(1)} ms`,
                sort: ({ meanLatencyMs }) => meanLatencyMs,
              },
            ]}
          />
        </>
      )}
    </section>
  )
}

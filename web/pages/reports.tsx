import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { Report } from '../../src/operations/report-record.ts'
import { askReport } from '../api.ts'
import { TextField } from '../parts/form.tsx'
import { countText, dayText, monthText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { DataTable } from '../parts/table.tsx'
import { yearMonthFrom } from '../question.ts'
import { ReportBadge } from '../reports/report-badge.tsx'
import { SignedIn } from '../session.tsx'

const watchMs = 2_000

/** The organisation's reports: active or archived, found by name. */
export function Reports() {
  return <SignedIn>{() => <List />}</SignedIn>
}

const monthOf = (month: string) => monthText(yearMonthFrom(`${month.slice(0, 4)}-${month.slice(4)}`))
const isUnderWay = ({ status, refresh }: Report) =>
  status === 'queued' || status === 'running' || (refresh !== null && refresh.status !== 'failed')

function List() {
  const [query, setQuery] = useSearchParams()
  const state = query.get('state') === 'archived' ? 'archived' : 'active'
  const search = query.get('search') ?? ''
  const list = useInfiniteQuery({
    queryKey: ['reports', state, search],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }) =>
      (
        await askReport(
          'listReports',
          { state, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
          { signal },
        )
      ).value,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ reports }) => reports.some(isUnderWay)) ? watchMs : false,
  })
  const set = (part: Record<string, string>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(part))
          if (value === '') next.delete(name)
          else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const reports = list.data?.pages.flatMap((page) => page.reports) ?? []
  return (
    <>
      <div className="row between">
        <h1>Reports</h1>
        <Link className="button primary" to="/reports/new">
          New report
        </Link>
      </div>
      <div className="row between">
        <nav className="tabs" aria-label="Which reports">
          {(['active', 'archived'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-current={one === state ? 'page' : undefined}
              onClick={() => set({ state: one === 'active' ? '' : one })}
            >
              {one === 'active' ? 'Active' : 'Archived'}
            </button>
          ))}
        </nav>
        <TextField
          label="Find by name"
          type="search"
          value={search}
          onChange={(event) => set({ search: event.target.value })}
        />
      </div>
      {list.isPending && <Busy>Loading reports…</Busy>}
      {list.isError && <FailureNotice failure={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && reports.length === 0 && (
        <Notice
          title={search ? 'No such report' : state === 'active' ? 'No reports yet' : 'Nothing archived'}
        >
          {search
            ? 'No name holds these words.'
            : state === 'active'
              ? 'A report keeps a market as it is today: look at it from nine sides, set your TINs beside competitors, and see what a better contract is worth.'
              : 'Reports that you put away stand here.'}
        </Notice>
      )}
      {reports.length > 0 && (
        <DataTable<Report>
          caption={state === 'active' ? 'Active reports' : 'Archived reports'}
          rows={reports}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'name',
              title: 'Name',
              cell: ({ id, name }) => <Link to={`/reports/${id}`}>{name}</Link>,
              sort: ({ name }) => name,
            },
            { key: 'status', title: 'Status', cell: (report) => <ReportBadge report={report} /> },
            {
              key: 'rows',
              title: 'Rows',
              number: true,
              cell: ({ rowCount }) => (rowCount === null ? '–' : countText(rowCount)),
              sort: ({ rowCount }) => rowCount,
            },
            {
              key: 'months',
              title: 'Months',
              cell: ({ sourceMonths }) =>
                sourceMonths.length === 0
                  ? '–'
                  : sourceMonths.length === 1
                    ? monthOf(sourceMonths[0]!)
                    : `${monthOf(sourceMonths[0]!)} to ${monthOf(sourceMonths.at(-1)!)}`,
            },
            {
              key: 'by',
              title: 'Made by',
              cell: ({ createdBy }) => createdBy ?? '–',
              sort: ({ createdBy }) => createdBy,
            },
            {
              key: 'at',
              title: 'Made',
              cell: ({ createdAt }) => dayText(Date.parse(createdAt)),
              sort: ({ createdAt }) => createdAt,
            },
          ]}
        />
      )}
      <ShowMore list={list} />
    </>
  )
}

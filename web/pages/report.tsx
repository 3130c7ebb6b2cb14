import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { type ReportTab, reportTabs } from '../../src/operations/contract-model.ts'
import type { Report as ReportRecord } from '../../src/operations/report-record.ts'
import { askReport } from '../api.ts'
import { Busy, Notice, RecordFailure } from '../parts/notice.tsx'
import { FilterBar } from '../reports/filter-bar.tsx'
import { ReportHead } from '../reports/report-head.tsx'
import { useEditedConfig } from '../reports/saved-config.ts'
import { Setup } from '../reports/setup.tsx'
import { needsSetup, tabNames, type TabProps } from '../reports/tabs.ts'
import { SaveTrouble, Toolbar } from '../reports/toolbar.tsx'
import { SignedIn } from '../session.tsx'

const tabs: Record<ReportTab, React.LazyExoticComponent<(props: TabProps) => React.ReactNode>> = {
  interactiveChart: lazy(() => import('../reports/tab-chart.tsx').then((tab) => ({ default: tab.ChartTab }))),
  summaryPivot: lazy(() => import('../reports/tab-pivot.tsx').then((tab) => ({ default: tab.PivotTab }))),
  percentile: lazy(() =>
    import('../reports/tab-percentile.tsx').then((tab) => ({ default: tab.PercentileTab })),
  ),
  sample: lazy(() => import('../reports/tab-sample.tsx').then((tab) => ({ default: tab.SampleTab }))),
  fullData: lazy(() => import('../reports/tab-rows.tsx').then((tab) => ({ default: tab.RowsTab }))),
  rateChange: lazy(() => import('../reports/tab-change.tsx').then((tab) => ({ default: tab.ChangeTab }))),
  weightedContract: lazy(() =>
    import('../reports/tab-weighted.tsx').then((tab) => ({ default: tab.WeightedTab })),
  ),
  dummyClaims: lazy(() => import('../reports/tab-claims.tsx').then((tab) => ({ default: tab.ClaimsTab }))),
  modelContract: lazy(() => import('../reports/tab-model.tsx').then((tab) => ({ default: tab.ModelTab }))),
}

const watchMs = 1_000
const lookAgainMs = 30_000

/** One report: from nine sides, with its configuration. */
export function Report() {
  const { id = '' } = useParams()
  return <SignedIn>{() => <Loaded key={id} id={id} />}</SignedIn>
}

const isUnderWay = ({ status, refresh }: ReportRecord) =>
  status === 'queued' || status === 'running' || (refresh !== null && refresh.status !== 'failed')

function Loaded({ id }: { id: string }) {
  const record = useQuery({
    queryKey: ['report', id],
    queryFn: async ({ signal }) => {
      const { value, etag } = await askReport('readReport', { id }, { signal })
      return { report: value, etag }
    },
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data.report) ? watchMs : lookAgainMs),
  })
  const name = record.data?.report.name
  useEffect(() => {
    if (name) document.title = `${name} – Ratebook`
  }, [name])
  if (record.isPending) return <Busy>Opening the report…</Busy>
  if (record.isError)
    return (
      <RecordFailure
        what="report"
        all="/reports"
        failure={record.error}
        retry={() => void record.refetch()}
      />
    )
  const { report, etag } = record.data
  return (
    <>
      <ReportHead report={report} etag={etag} />
      {report.status === 'ready' ? (
        <Sides report={report} etag={etag} />
      ) : report.status === 'failed' ? (
        <Notice kind="bad" title="The report could not be made">
          {report.error} “Refresh” tries again.
        </Notice>
      ) : (
        <section className="card" aria-label="Progress">
          <Busy>{report.status === 'queued' ? 'Waiting for its turn…' : 'Gathering the rates…'}</Busy>
          <progress max={1} value={report.progress} aria-label="Progress of the report" />
          <p className="soft small">You can leave this page; the report goes on being made.</p>
        </section>
      )}
    </>
  )
}

/** The tabs of a report that is ready. */
function Sides({ report, etag }: { report: ReportRecord; etag: string }) {
  const [query, setQuery] = useSearchParams()
  const edited = useEditedConfig(report, etag)
  const named = query.get('tab') ?? edited.config.tabType
  const tab = reportTabs.find((known) => known === named) ?? 'interactiveChart'
  const Tab = tabs[tab]
  return (
    <>
      <SaveTrouble edited={edited} />
      <div className="stack tight">
        <Toolbar edited={edited} />
        <FilterBar report={report} edited={edited} />
        <Setup
          report={report}
          edited={edited}
          isWanted={needsSetup.has(tab) && (edited.config.yourTins ?? []).length === 0}
        />
      </div>
      <nav className="tabs" aria-label="Sides of the report">
        {reportTabs.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === tab ? 'page' : undefined}
            onClick={() => {
              edited.arrange({ tabType: one })
              setQuery({ tab: one })
            }}
          >
            {tabNames[one]}
          </button>
        ))}
      </nav>
      <section className="stack" aria-label={tabNames[tab]}>
        <Suspense fallback={<Busy>Loading…</Busy>}>
          <Tab key={tab} report={report} edited={edited} />
        </Suspense>
      </section>
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Report } from '../../src/operations/report-record.ts'
import { exportFormats } from '../../src/operations/report-rows.ts'
import { askReport, call } from '../api.ts'
import { CopyButton } from '../parts/copy.tsx'
import { manyText, timeText } from '../parts/format.ts'
import { FailureNotice } from '../parts/notice.tsx'
import { ReportBadge } from './report-badge.tsx'

const formatNames = { csv: 'CSV', parquet: 'Parquet', xlsx: 'Excel' }

/** A report's name, state, and what can be done to it as a whole. */
export function ReportHead({ report, etag }: { report: Report; etag: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const keep = ({ value, etag: next }: { value: Report; etag: string }) => {
    queries.setQueryData(['report', report.id], { report: value, etag: next })
    return queries.invalidateQueries({ queryKey: ['reports'] })
  }
  const move = useMutation({
    mutationFn: (event: 'Archive' | 'Unarchive') =>
      askReport('actOnReport', { id: report.id, archiveAction: { event } }),
    onSuccess: keep,
  })
  const remove = useMutation({
    mutationFn: () => askReport('actOnReport', { id: report.id, deleteAction: { event: 'Delete' } }),
    onSuccess: async () => {
      await navigate('/reports')
      queries.removeQueries({ queryKey: ['report', report.id] })
      await queries.invalidateQueries({ queryKey: ['reports'] })
    },
  })
  const refresh = useMutation({
    mutationFn: () => askReport('refreshReport', { id: report.id }),
    onSuccess: keep,
  })
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  const isOlder =
    report.snapshot !== null && catalog.data !== undefined && catalog.data.snapshot !== report.snapshot
  const failure = move.error ?? remove.error ?? refresh.error
  const isReady = report.status === 'ready'
  const isRefreshing = report.refresh !== null && report.refresh.status !== 'failed'
  return (
    <>
      <div className="row between">
        <div className="stack tight">
          <Link to="/reports" className="small">
            All reports
          </Link>
          <Name report={report} etag={etag} keep={keep} />
          <div className="row small soft">
            <ReportBadge report={report} />
            {report.rowCount !== null && <span>{manyText(report.rowCount, 'row')}</span>}
            {report.builtAt && <span>as of {timeText(Date.parse(report.builtAt))}</span>}
            {isOlder && <span>newer data are loaded: “Refresh” asks them</span>}
            <span>made by {report.createdBy ?? 'somebody who left'}</span>
          </div>
        </div>
        <div className="row">
          <CopyButton text={location.href} label="Copy link for colleagues" />
          {isReady && (
            <details className="menu">
              <summary className="button">Export</summary>
              <ul className="plain">
                {(['all', 'saved'] as const).flatMap((rows) =>
                  exportFormats.map((format) => (
                    <li key={rows + format}>
                      <a href={`/api/v1/reports/${report.id}/export?format=${format}&rows=${rows}`} download>
                        {rows === 'all' ? 'All rows' : 'As filtered'}, {formatNames[format]}
                      </a>
                    </li>
                  )),
                )}
              </ul>
            </details>
          )}
          {(isReady || report.status === 'failed') && (
            <button
              type="button"
              className="button"
              disabled={isRefreshing || refresh.isPending}
              title="Asks the same question of the newest data; the present rows stay until the new ones are ready. Takes one credit"
              onClick={() => refresh.mutate()}
            >
              {isRefreshing ? `Refreshing, ${Math.floor(report.refresh!.progress * 100)}%` : 'Refresh'}
            </button>
          )}
          <button
            type="button"
            className="button"
            disabled={move.isPending}
            onClick={() => move.mutate(report.state === 'active' ? 'Archive' : 'Unarchive')}
          >
            {report.state === 'active' ? 'Archive' : 'Bring back'}
          </button>
          <button
            type="button"
            className="button danger"
            disabled={remove.isPending}
            onClick={() => {
              if (confirm(`Delete “${report.name}” for good? Its rows and configuration are lost.`))
                remove.mutate()
            }}
          >
            Delete
          </button>
        </div>
      </div>
      {failure && <FailureNotice failure={failure} />}
      {report.refresh?.status === 'failed' && (
        <p className="soft small">The last refresh failed: {report.refresh.error} The rows before it stay.</p>
      )}
    </>
  )
}

/** The name, changed in place. */
function Name({
  report,
  etag,
  keep,
}: {
  report: Report
  etag: string
  keep: (answer: { value: Report; etag: string }) => Promise<void>
}) {
  const [text, setText] = useState<string>()
  const rename = useMutation({
    mutationFn: (name: string) => askReport('renameReport', { id: report.id, name }, { ifMatch: etag }),
    onSuccess: async (answer) => {
      await keep(answer)
      setText(undefined)
    },
  })
  if (text === undefined)
    return (
      <div className="row">
        <h1>{report.name}</h1>
        <button type="button" className="button quiet" onClick={() => setText(report.name)}>
          Rename
        </button>
      </div>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') rename.mutate(text)
  }
  return (
    <form className="row" onSubmit={submit}>
      <h1 className="visually-hidden">{report.name}</h1>
      <input
        aria-label="Name of the report"
        autoFocus
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText(undefined)}
      />
      <button type="submit" className="button primary" disabled={rename.isPending}>
        Save
      </button>
      <button type="button" className="button" onClick={() => setText(undefined)}>
        Cancel
      </button>
      {rename.isError && <FailureNotice failure={rename.error} />}
    </form>
  )
}

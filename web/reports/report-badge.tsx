import type { Report } from '../../src/operations/report-record.ts'

const names = { queued: 'waiting', running: 'being built', ready: 'ready', failed: 'failed' }

/** How far a report is, in a word. */
export function ReportBadge({ report: { status, progress, refresh, state } }: { report: Report }) {
  const share = (part: number) => `${Math.floor(part * 100)}%`
  return (
    <span className="row">
      <span className={`badge ${status === 'ready' ? 'good' : status === 'failed' ? 'bad' : 'warn'}`}>
        {status === 'running' ? `${names.running}, ${share(progress)}` : names[status]}
      </span>
      {refresh && (
        <span className={`badge ${refresh.status === 'failed' ? 'bad' : 'warn'}`}>
          {refresh.status === 'failed' ? 'refresh failed' : `refreshing, ${share(refresh.progress)}`}
        </span>
      )}
      {state === 'archived' && <span className="badge">archived</span>}
    </span>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApiFailure } from '../api.ts'

/** A sentence or two that needs attention. */
export function Notice({
  kind = 'info',
  title,
  children,
}: {
  kind?: 'info' | 'warn' | 'bad'
  title?: string
  children?: ReactNode
}) {
  return (
    <div className={`notice ${kind === 'info' ? '' : kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}

/** Work under way, said aloud to screen readers too. */
export function Busy({ children }: { children: ReactNode }) {
  return (
    <div className="busy" role="status">
      {children}
    </div>
  )
}

/** What went wrong, and what to do next. */
export function FailureNotice({ failure, retry }: { failure: unknown; retry?: () => void }) {
  const known = failure instanceof ApiFailure ? failure : undefined
  return (
    <Notice kind="bad" title={titleOf(known)}>
      <div className="stack tight">
        <span>{known?.message ?? 'Something unexpected happened in this page. Reload it.'}</span>
        {known && known.problems.length > 0 && (
          <ul>
            {known.problems.map(({ path, message }) => (
              <li key={path + message}>
                <code>{path}</code>: {message}
              </li>
            ))}
          </ul>
        )}
        <div className="row">
          {known?.code === 'insufficient_credit' && <Link to="/account/credits">See credits</Link>}
          {retry && known?.code !== 'insufficient_credit' && (
            <button type="button" className="button" onClick={retry}>
              Try again
            </button>
          )}
        </div>
      </div>
    </Notice>
  )
}

/** Why a record of the organisation cannot be shown: there is none, or what went wrong. */
export function RecordFailure({
  what,
  all,
  failure,
  retry,
}: {
  what: string
  /** The page that lists them all. */
  all: string
  failure: unknown
  retry: () => void
}) {
  return failure instanceof ApiFailure && [400, 404].includes(failure.status) ? (
    <Notice title={`There is no such ${what}`}>
      It may have been deleted, or belongs to another organisation. <Link to={all}>See all {what}s</Link>
    </Notice>
  ) : (
    <FailureNotice failure={failure} retry={retry} />
  )
}

function titleOf(failure: ApiFailure | undefined): string {
  switch (failure?.code ?? '') {
    case 'insufficient_credit':
      return 'No credit left'
    case 'query_too_wide':
    case 'query_timeout':
      return 'This question is too wide'
    case 'not_loaded':
      return 'No data loaded yet'
    case 'rate_limited':
      return 'Too many requests'
    case 'offline':
      return 'No connection'
    default:
      return 'That did not work'
  }
}

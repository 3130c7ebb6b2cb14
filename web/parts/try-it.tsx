import { type ReactNode, useState } from 'react'
import { Notice } from './notice.tsx'

interface Tried {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string
}

/** Makes the call with the user's key and shows the answer as it came. */
export function TryIt({
  method,
  path,
  body,
  apiKey,
  more,
}: {
  method: string
  path: string
  body: string | undefined
  apiKey: string
  more: ReactNode
}) {
  const [tried, setTried] = useState<Tried>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const answer = await fetch(path, {
        method,
        credentials: 'omit',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      })
      const told = ['x-credits-charged', 'x-credits-remaining', 'ratelimit', 'retry-after', 'x-request-id']
      const headers = told.flatMap((name) =>
        answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : [],
      )
      // A file is not shown; that it came is.
      const text = answer.headers.has('content-disposition')
        ? `(a file: ${answer.headers.get('content-disposition')})`
        : pretty(await answer.text())
      setTried({ status: answer.status, headers, text })
    } catch {
      setTried({ status: 0, headers: [], text: 'The server cannot be reached.' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={apiKey === '' || busy}
          onClick={() => void send()}
        >
          {busy ? 'Calling…' : 'Try it'}
        </button>
        {more}
        {apiKey === '' && <span className="soft small">Paste a key above to try it.</span>}
      </div>
      {tried && (
        <div aria-live="polite" className="stack tight">
          {tried.status >= 400 && (
            <Notice kind="warn">The answer is an error; its text says what to change.</Notice>
          )}
          <pre tabIndex={0} aria-label="Answer">
            {[`HTTP ${tried.status}`, ...tried.headers, '', tried.text].join('\n')}
          </pre>
        </div>
      )}
    </div>
  )
}

const shownMost = 20_000

function pretty(text: string): string {
  try {
    const whole = JSON.stringify(JSON.parse(text), null, 2)
    return whole.length > shownMost
      ? `${whole.slice(0, shownMost)}\n… ${whole.length - shownMost} more characters`
      : whole
  } catch {
    return text.slice(0, shownMost)
  }
}

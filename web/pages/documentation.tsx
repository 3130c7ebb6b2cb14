import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { curlCode, readableJson } from '../call-code.ts'
import { CopyButton } from '../parts/copy.tsx'
import { FieldList, type JsonSchema, type Named } from '../parts/field-list.tsx'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { useNarrow } from '../narrow.ts'
import { SignedIn } from '../session.tsx'

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly requestBody?: {
    content: { 'application/json': { schema: JsonSchema; examples: { request: { value: unknown } } } }
  }
  readonly responses: Record<
    string,
    { content?: { 'application/json'?: { schema: JsonSchema; examples: { response: { value: unknown } } } } }
  >
}

interface OpenApi {
  readonly info: { description: string }
  readonly servers: readonly { url: string }[]
  readonly tags: readonly { name: string; description: string }[]
  readonly paths: Record<string, Record<string, Described>>
  readonly components: { schemas: Named }
}

/** The reference, rendered from the machine-readable description. */
export function Documentation() {
  return <SignedIn>{() => <Reference />}</SignedIn>
}

function Reference() {
  const api = useQuery({
    queryKey: ['openapi'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const answer = await fetch('/openapi.json', { signal, credentials: 'same-origin' })
      if (!answer.ok) throw new Error(`The description cannot be read (${answer.status}).`)
      return (await answer.json()) as OpenApi
    },
  })
  const [apiKey, setApiKey] = useState('')
  if (api.isPending) return <Busy>Loading the reference…</Busy>
  if (api.isError) return <FailureNotice failure={api.error} retry={() => void api.refetch()} />
  const { info, tags, paths, servers, components } = api.data
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
  )
  return (
    <>
      <h1>API documentation</h1>
      <div className="split">
        <OperationList>
          {tags.map((tag) => (
            <div key={tag.name} className="stack tight">
              <strong>{tag.name}</strong>
              {operations
                .filter(({ described }) => described.tags.includes(tag.name))
                .map(({ described, method, path }) => (
                  <a key={described.operationId} href={`#${described.operationId}`}>
                    {method} {path.replace('/api/v1', '')}
                  </a>
                ))}
            </div>
          ))}
          <a href="/openapi.json">OpenAPI document</a>
          <a href="/api/doc.md">Markdown</a>
          <a href="/llms.txt">llms.txt</a>
        </OperationList>
        <div className="stack">
          {info.description.split('\n\n').map((text) => (
            <p key={text}>{text}</p>
          ))}
          <section className="card">
            <h2>Your key</h2>
            <p className="soft">
              Keys are made under <Link to="/account/keys">Account</Link> and shown once. Paste one to try the
              calls below with it; it stays in this page.
            </p>
            <div className="field">
              <label htmlFor="try-key">API key</label>
              <input
                id="try-key"
                type="password"
                autoComplete="off"
                placeholder="rb_…"
                value={apiKey}
                onChange={(event) => setApiKey(event.target.value.trim())}
              />
            </div>
          </section>
          {operations.map(({ described, method, path }) => (
            <OperationCard
              key={described.operationId}
              {...{ described, method, path, apiKey }}
              server={servers[0]?.url ?? ''}
              named={components.schemas}
            />
          ))}
        </div>
      </div>
    </>
  )
}

/** The way to each operation: beside the text where there is room, folded where there is not. */
function OperationList({ children }: { children: ReactNode }) {
  const narrow = useNarrow()
  return (
    <nav className="card small beside" aria-label="Operations">
      {narrow ? (
        <details>
          <summary>Operations</summary>
          <div className="stack">{children}</div>
        </details>
      ) : (
        children
      )}
    </nav>
  )
}

/** Text with its `code` set apart. */
function Marked({ children }: { children: string }) {
  return children.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}

interface CardProps {
  described: Described
  method: string
  path: string
  server: string
  named: Named
  apiKey: string
}

function OperationCard({ described, method, path, server, named, apiKey }: CardProps) {
  const request = described.requestBody?.content['application/json']
  const response = described.responses['200']?.content?.['application/json']
  const [body, setBody] = useState(request ? readableJson(request.examples.request.value) : '')
  const curl = curlCode(method, server + path, request && body)
  return (
    <section className="card" id={described.operationId} aria-labelledby={`${described.operationId}-title`}>
      <h2 id={`${described.operationId}-title`}>
        <code>
          {method} {path}
        </code>
      </h2>
      <p>{described.summary}.</p>
      {described.description.split('\n\n').map((text) => (
        <p key={text} className="soft small">
          <Marked>{text}</Marked>
        </p>
      ))}
      {request && (
        <details>
          <summary>Request fields</summary>
          <FieldList schema={request.schema} named={named} />
        </details>
      )}
      {response && (
        <details>
          <summary>Response</summary>
          <FieldList schema={response.schema} named={named} />
          <pre tabIndex={0}>{readableJson(response.examples.response.value)}</pre>
        </details>
      )}
      {request && (
        <div className="field">
          <label htmlFor={`${described.operationId}-body`}>Body</label>
          <textarea
            id={`${described.operationId}-body`}
            rows={Math.min(18, body.split('\n').length + 1)}
            spellCheck={false}
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        </div>
      )}
      <details>
        <summary>As a curl command</summary>
        <pre tabIndex={0}>{curl}</pre>
      </details>
      <TryIt
        method={method}
        path={path}
        body={request && body}
        apiKey={apiKey}
        more={<CopyButton text={curl} label="Copy curl" />}
      />
    </section>
  )
}

interface Tried {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string
}

function TryIt({
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
      setTried({ status: answer.status, headers, text: pretty(await answer.text()) })
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

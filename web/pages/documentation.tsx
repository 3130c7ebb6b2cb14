import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { curlCode, readableJson } from '../call-code.ts'
import { CopyButton } from '../parts/copy.tsx'
import { FieldList, type JsonSchema, type Named } from '../parts/field-list.tsx'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { TextField } from '../parts/form.tsx'
import { TryIt } from '../parts/try-it.tsx'
import { useNarrow } from '../narrow.ts'
import { SignedIn } from '../session.tsx'

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly requestBody?: {
    content: { 'application/json'?: { schema: JsonSchema; examples?: { request: { value: unknown } } } }
  }
  readonly responses: Record<
    string,
    { content?: { 'application/json'?: { schema: JsonSchema; examples?: { response: { value: unknown } } } } }
  >
  readonly parameters?: readonly Parameter[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly example?: unknown
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

/** An operation in one line; the rest of it when it is opened, by hand or by a link to it. */
function OperationCard({ described, method, path, server, named, apiKey }: CardProps) {
  const { operationId } = described
  const [isOpen, setOpen] = useState(location.hash === `#${operationId}`)
  useEffect(() => {
    const follow = () => location.hash === `#${operationId}` && setOpen(true)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [operationId])
  return (
    <section className="card" id={operationId} aria-labelledby={`${operationId}-title`}>
      <h2 id={`${operationId}-title`}>
        <code>
          {method} {path}
        </code>
      </h2>
      <div className="row between">
        <p>{described.summary}.</p>
        <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : 'Read and try'}
          <span className="visually-hidden">
            {' '}
            {method} {path}
          </span>
        </button>
      </div>
      {isOpen && <OperationBody {...{ described, method, path, server, named, apiKey }} />}
    </section>
  )
}

function OperationBody({ described, method, path, server, named, apiKey }: CardProps) {
  const request = described.requestBody?.content['application/json']
  const [, answer] = Object.entries(described.responses).find(([status]) => status.startsWith('2')) ?? []
  const response = answer?.content?.['application/json']
  const parameters = described.parameters ?? []
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === 'path')
        .map(({ name, example }) => [name, typeof example === 'string' ? example : '']),
    ),
  )
  const [body, setBody] = useState(request ? readableJson(request.examples?.request.value ?? {}) : '')
  const address = addressOf(path, parameters, values)
  const curl = curlCode(method, server + address, request && body)
  return (
    <>
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
          {response.examples && <pre tabIndex={0}>{readableJson(response.examples.response.value)}</pre>}
        </details>
      )}
      {parameters.some((one) => one.in !== 'header') && (
        <div className="inline-fields">
          {parameters
            .filter((one) => one.in !== 'header')
            .map(({ name, in: place, description }) => (
              <TextField
                key={name}
                label={name}
                hint={[place === 'path' ? 'In the path' : 'In the query', description]
                  .filter(Boolean)
                  .join(': ')}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            ))}
        </div>
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
        path={address}
        body={request && body}
        apiKey={apiKey}
        more={<CopyButton text={curl} label="Copy curl" />}
      />
    </>
  )
}

/** A path with its places filled in, and the query behind it. */
function addressOf(
  path: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : place,
  )
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && values[one.name])
      .map(({ name }) => [name, values[name]!]),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

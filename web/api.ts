import { type WebOperationName, webOperations, type WebResponse } from '../src/operations/app.ts'
import { type OperationName, operations } from '../src/operations/index.ts'
import type { z } from 'zod'

/** A failure as the server tells it. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly problems: readonly { path: string; message: string }[]
  readonly requestId: string | undefined
  /** Which of several corrections is wrong, from 0. */
  readonly operationIndex: number | undefined

  constructor(
    status: number,
    body: Partial<{
      detail: string
      code: string
      errors: { path: string; message: string }[]
      requestId: string
      message: string
      operationIndex: number
    }>,
  ) {
    super(body.detail ?? body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.problems = body.errors ?? []
    this.requestId = body.requestId
    this.operationIndex = body.operationIndex
  }

  /** What is wrong with one field of a form. */
  of(path: string): string | undefined {
    return this.problems.find((problem) => problem.path === path)?.message
  }
}

let csrfToken = ''

/** The token that the server gave this session; every change carries it. */
export function rememberCsrfToken(token: string): void {
  csrfToken = token
}

let creditsListener: (left: number) => void = () => {}

/** Tells how many credits are left, whenever a call says so. */
export function onCredits(listener: (left: number) => void): void {
  creditsListener = listener
}

async function send(method: string, url: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
  return (await sendFully(method, url, body, { ...(signal && { signal }) })).value
}

async function sendFully(
  method: string,
  url: string,
  body: unknown,
  { signal, headers }: { signal?: AbortSignal; headers?: Readonly<Record<string, string>> },
): Promise<{ value: unknown; etag: string }> {
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      ...headers,
      ...(csrfToken && { 'X-CSRF-Token': csrfToken }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw offline()
  })
  const left = response.headers.get('X-Credits-Remaining')
  if (left !== null) creditsListener(Number(left))
  const text = await response.text()
  const value = text === '' ? undefined : jsonOf(text)
  if (!response.ok) throw new ApiFailure(response.status, (value ?? {}) as object)
  return { value, etag: response.headers.get('ETag') ?? '' }
}

const offline = () =>
  new ApiFailure(0, {
    detail: 'The server cannot be reached. Check the connection and try again.',
    code: 'offline',
  })

/** A proxy in between may answer with a page of its own. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Sent<Name extends OperationName> = z.input<(typeof operations)[Name]['request']>
type Answer<Name extends OperationName> = z.output<(typeof operations)[Name]['response']>

/** Asks one of the API's questions on the organisation's credits. */
export function ask<Name extends OperationName>(
  name: Name,
  request: Sent<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const { method, path } = operations[name]
  return send(method, path, method === 'GET' ? undefined : request, signal) as Promise<Answer<Name>>
}

type AppSent<Name extends WebOperationName> = z.input<(typeof webOperations)[Name]['request']>

/** Calls one of the web application's own operations. */
export async function call<Name extends WebOperationName>(
  name: Name,
  request: AppSent<Name>,
  signal?: AbortSignal,
): Promise<WebResponse<Name>> {
  const { method, path } = webOperations[name]
  const { url, rest } = placed(path, request as Record<string, unknown>)
  return (await (method === 'GET'
    ? send(method, url + queryText(rest), undefined, signal)
    : send(method, url, rest, signal))) as WebResponse<Name>
}

/** Operations that are asked with a path, headers and the revision they were read at. */
export type ReportOperationName = {
  [Name in OperationName]: (typeof operations)[Name]['group'] extends 'Reports' ? Name : never
}[OperationName]
type ParamsOf<Operation> = Operation extends { readonly params: infer Params extends z.ZodType }
  ? z.input<Params>
  : unknown
type BodyOf<Body> = Body extends Record<string, never> ? unknown : Body
export type ReportSent<Name extends ReportOperationName> = BodyOf<Sent<Name>> &
  ParamsOf<(typeof operations)[Name]>
export type ReportAnswer<Name extends ReportOperationName> = Answer<Name>

/** Asks for something about reports; the answer comes with the revision of what it shows. */
export async function askReport<Name extends ReportOperationName>(
  name: Name,
  sent: ReportSent<Name>,
  {
    signal,
    ifMatch,
    idempotencyKey,
  }: { signal?: AbortSignal; ifMatch?: string; idempotencyKey?: string } = {},
): Promise<{ value: Answer<Name>; etag: string }> {
  const { method, path } = operations[name]
  const { url, rest } = placed(path, sent as Record<string, unknown>)
  const headers = {
    ...(ifMatch && { 'If-Match': ifMatch }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  }
  const { value, etag } = await sendFully(
    method,
    method === 'GET' ? url + queryText(rest) : url,
    method === 'GET' ? undefined : rest,
    { ...(signal && { signal }), headers },
  )
  return { value: value as Answer<Name>, etag }
}

type ContractOperationName = {
  [Name in OperationName]: (typeof operations)[Name]['group'] extends 'Contracts' ? Name : never
}[OperationName]

/** Asks for something about contracts. */
export async function askContract<Name extends ContractOperationName>(
  name: Name,
  sent: BodyOf<Sent<Name>> & ParamsOf<(typeof operations)[Name]>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const { method, path } = operations[name]
  const { url, rest } = placed(path, sent as Record<string, unknown>)
  return (await (method === 'GET'
    ? send(method, url + queryText(rest), undefined, signal)
    : send(method, url, method === 'DELETE' ? undefined : rest, signal))) as Answer<Name>
}

/** Sends a document, telling how much of it has left (0 to 1). */
export function uploadContract(
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Answer<'createContract'>> {
  const form = new FormData()
  form.append('file', file)
  // Only this old way of asking tells how far a body is.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const value = jsonOf(request.responseText)
      if (request.status < 300) resolve(value as Answer<'createContract'>)
      else reject(new ApiFailure(request.status, (value ?? {}) as object))
    })
    request.addEventListener('error', () => reject(offline()))
    request.addEventListener('abort', () => reject(new DOMException('Given up', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.open(operations.createContract.method, operations.createContract.path)
    if (csrfToken) request.setRequestHeader('X-CSRF-Token', csrfToken)
    request.send(form)
  })
}

/** A path with its `{id}` or `:id` filled in, and what is left of the request. */
function placed(path: string, sent: Readonly<Record<string, unknown>>) {
  const rest = { ...sent }
  const url = path.replaceAll(/:(\w+)|\{(\w+)\}/g, (_, colon?: string, braced?: string) => {
    const part = colon ?? braced ?? ''
    const value = String(rest[part])
    delete rest[part]
    return encodeURIComponent(value)
  })
  return { url, rest }
}

function queryText(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]),
  )
  return query.size > 0 ? `?${query}` : ''
}

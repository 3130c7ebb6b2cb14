import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keyBeginning } from '../accounts/api-keys.ts'
import type { Caller } from '../accounts/callers.ts'
import { Failure } from '../errors.ts'
import { answerPlainCall, plainCall } from '../mcp/direct-call.ts'
import { authInfoOf, type Fixtures, toolServer } from '../mcp/server.ts'
import { callerByAccessToken } from '../oauth/callers.ts'
import { toolPath, toolResources, toolScope } from '../oauth/metadata.ts'
import type { Service } from '../service.ts'
import { bearerToken } from './serve.ts'

/** Mounts the tool server: who is calling is settled here, what they may do and pay by the gate behind it. */
export function serveToolServer(app: FastifyInstance, service: Service, fixtures?: Fixtures): void {
  const server = toolServer(service, fixtures)
  app.addHook('onClose', () => server.close())
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: toolPath,
    handler: async (request, reply) => {
      refuseRebinding(service, request)
      const { token, clientId, scopes, caller } = await toolCaller(service, request)
      if (caller.suspended) throw new Failure('organization_suspended')
      const header = (name: string, value: string) => {
        if (!reply.sent && !reply.raw.headersSent) void reply.header(name, value)
      }
      void reply.header('Cache-Control', 'no-store')
      const gone = goneSignal(reply)
      const body = request.body as Buffer | undefined
      const parsedBody = request.method === 'POST' && body ? jsonOf(body) : undefined
      for (let turn = 0; turn < turnsOf(parsedBody); turn++) service.gate.takeTurn(caller, header)
      const plain = plainCall(request.headers, parsedBody)
      if (plain)
        return reply
          .type('application/json; charset=utf-8')
          .send(await answerPlainCall(service, plain, { caller, header, gone: [gone] }))
      const response = await server.fetch(webRequest(service, request, parsedBody), {
        ...(parsedBody !== undefined && { parsedBody }),
        authInfo: authInfoOf(token, clientId, scopes, { caller, header, gone }),
      })
      return isJson(response) ? sendText(reply, response) : response
    },
  })
}

/**
 * How often a request counts against its caller's rate before it is looked at: once for every message but the tool calls,
 * which the gate counts itself. Lists and handshakes cost no credit, but a flood of them is no different from any other.
 */
function turnsOf(body: unknown): number {
  const messages: unknown[] = Array.isArray(body) && body.length > 0 ? body : [body]
  return messages.filter((message) => (message as { method?: unknown } | undefined)?.method !== 'tools/call')
    .length
}

interface ToolCaller {
  readonly token: string
  readonly clientId: string
  readonly scopes: string[]
  readonly caller: Caller
}

/** Who holds the token of a request: an organisation's API key, or a client that a user let in. */
async function toolCaller(service: Service, request: FastifyRequest): Promise<ToolCaller> {
  const token = bearerToken(request)
  if (token === undefined)
    throw challenge(
      service,
      request,
      'unauthenticated',
      'Sign in, or send an API key as Authorization: Bearer <key>.',
    )
  if (token.startsWith(keyBeginning)) {
    try {
      const caller = await service.gate.caller(token)
      return { token, clientId: caller.keyId ?? 'key', scopes: [toolScope], caller }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw challenge(service, request, 'unauthenticated', error.message, 'invalid_token')
    }
  }
  const byToken = await callerByAccessToken(service.records, token, service.now())
  if (!byToken)
    throw challenge(
      service,
      request,
      'unauthenticated',
      'The token is unknown, expired or revoked.',
      'invalid_token',
    )
  const { audience, scopes, clientId, caller } = byToken
  const names = new Set(ownNames(service).map(({ href }) => href))
  if (!audience.some((name) => names.has(name)))
    throw challenge(
      service,
      request,
      'unauthenticated',
      'The token was issued for another server.',
      'invalid_token',
    )
  if (!scopes.includes(toolScope))
    throw challenge(
      service,
      request,
      'forbidden',
      `The token lacks the scope ${toolScope}.`,
      'insufficient_scope',
    )
  return { token, clientId, scopes: [...scopes], caller }
}

/** A refusal that tells the client where to get a token that will do (RFC 6750, RFC 9728). */
function challenge(
  service: Service,
  request: FastifyRequest,
  code: 'unauthenticated' | 'forbidden',
  says: string,
  error?: 'invalid_token' | 'insufficient_scope',
): Failure {
  const fields = {
    realm: 'ratebook',
    ...(error && { error, error_description: says }),
    resource_metadata: resourceMetadataUrl(ownName(service, request)),
    scope: toolScope,
  }
  const value = Object.entries(fields)
    .map(([name, text]) => `${name}="${text}"`)
    .join(', ')
  return new Failure(code, says, { headers: { 'WWW-Authenticate': `Bearer ${value}` } })
}

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'
const resourceMetadataUrl = (resource: string) => {
  const { origin, pathname } = new URL(resource)
  return origin + resourceMetadataPath + pathname
}

/** The name of the tool server that a caller used, where it is one of its names; else the first. */
export function ownName(service: Service, request: FastifyRequest): string {
  const names = ownNames(service)
  return (names.find(({ host }) => host === request.host) ?? names[0]!).href
}

let known: { baseUrl: string; names: readonly URL[] } | undefined

/** The names of the tool server, read once for the address we are known by. */
function ownNames({ address: { baseUrl } }: Service): readonly URL[] {
  if (known?.baseUrl !== baseUrl)
    known = { baseUrl, names: toolResources(baseUrl).map((name) => new URL(name)) }
  return known.names
}

/**
 * A server that listens on this machine only is guarded by nothing but that: a page that a browser loaded from elsewhere
 * must not reach it under a name of its own (DNS rebinding).
 */
function refuseRebinding(service: Service, request: FastifyRequest): void {
  const known = ownNames(service)
  const isLocal = known.length > 1
  if (isLocal && !known.some(({ hostname }) => hostname === hostnameOf(request.headers.host)))
    throw new Failure('forbidden', 'This server does not answer to that name.')
  const { origin } = request.headers
  if (origin === undefined || mayCallFrom(service, origin)) return
  const url = URL.parse(origin)
  if (!url || !known.some(({ hostname, protocol }) => url.hostname === hostname && url.protocol === protocol))
    throw new Failure(
      'forbidden',
      'This origin may not call the tool server. RATEBOOK_CORS_ORIGINS lists those that may.',
    )
}

const hostnameOf = (host: string | undefined) => URL.parse(`http://${host ?? ''}`)?.hostname

const mayCallFrom = (service: Service, origin: string) =>
  service.settings.RATEBOOK_CORS_ORIGINS.split(',').some((one) => one.trim() === '*' || one.trim() === origin)

/** Fires when the client leaves before it was answered. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** The request as the protocol library takes it. */
function webRequest(service: Service, request: FastifyRequest, parsedBody: unknown): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value)
  const body =
    request.method === 'POST' && parsedBody === undefined
      ? new Uint8Array((request.body as Buffer | undefined) ?? Buffer.alloc(0))
      : undefined
  return new Request(service.address.baseUrl + request.url, {
    method: request.method,
    headers,
    ...(body && { body }),
  })
}

const isJson = (response: Response) =>
  response.headers.get('content-type')?.startsWith('application/json') ?? false

/** A whole answer in one piece: quicker than the stream that a web response would be sent as. */
async function sendText(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) void reply.header(name, value)
  return reply.code(response.status).send(await response.text())
}

/** The value in a JSON text; undefined where it is none, and the library says so in its own words. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyServerOptions, type HTTPMethods } from 'fastify'
import { Failure, type FailureCode, failures } from '../errors.ts'
import { operationList } from '../operations/index.ts'
import type { Fixtures } from '../mcp/server.ts'
import type { Service } from '../service.ts'
import { serveAccount } from './account.ts'
import { keepBodiesRaw } from './body.ts'
import { serveData } from './data.ts'
import { serveDocumentation } from './documentation.ts'
import { problemDocument, sendFailure } from './failures.ts'
import { serveHealth } from './health.ts'
import { serveMcpDocumentation } from './mcp-documentation.ts'
import { serveMetrics } from './metrics.ts'
import { serveOAuth } from './oauth.ts'
import { refuseUnderPressure } from './pressure.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import { serve, serveUploads } from './serve.ts'
import { serveToolServer } from './tool-server.ts'
import { serveWeb } from './web.ts'

/** What a test may put in the place of the world outside. */
export interface ServerParts {
  /** What the conformance suite wants a tool server to have. */
  readonly toolFixtures?: Fixtures
  /** How client-id metadata documents are fetched. */
  readonly fetchClientDocument?: typeof fetch
}

/** Builds the web door. It does not listen: `cli/serve.ts` and the tests do. */
export async function buildServer(
  service: Service,
  logger: FastifyServerOptions['logger'] = false,
  { toolFixtures, fetchClientDocument }: ServerParts = {},
): Promise<FastifyInstance> {
  const { settings } = service
  const app = Fastify({
    logger,
    bodyLimit: settings.RATEBOOK_BODY_LIMIT,
    requestTimeout: settings.RATEBOOK_REQUEST_TIMEOUT_MS,
    http: {
      // Node gives headers 60 s, and swaps the two time-outs where the headers' is the longer one.
      headersTimeout: Math.min(60_000, settings.RATEBOOK_REQUEST_TIMEOUT_MS),
      // Node looks for slow requests twice a minute by default, which would make a time-out of seconds meaningless.
      connectionsCheckingInterval: Math.min(5_000, settings.RATEBOOK_REQUEST_TIMEOUT_MS),
    },
    keepAliveTimeout: 65_000,
    trustProxy: trustedProxies(settings.RATEBOOK_TRUST_PROXY),
    genReqId: ({ headers }) => givenRequestId(headers['x-request-id']) ?? randomUUID(),
    requestIdHeader: false,
    // A closing server answers in our words, through the hook below.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: sendClientError,
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply),
    routerOptions: { maxParamLength: 200 },
  })

  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-Id', request.id)
    if (closing && request.url !== '/healthz' && request.url !== '/readyz')
      throw new Failure('shutting_down', undefined, { headers: { 'Retry-After': '5', Connection: 'close' } })
  })
  // A connection that is kept alive would keep a closing server waiting until it times out.
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('Connection', 'close')
  })
  app.addHook('onResponse', async () => {
    if (closing) setImmediate(() => app.server.closeIdleConnections())
  })
  app.setErrorHandler(sendFailure)
  app.setNotFoundHandler(() => {
    throw new Failure('not_found')
  })
  keepBodiesRaw(app)
  const methods = methodsByPath(app)

  sendSecurityHeaders(app, contentSources, service.address.baseUrl.startsWith('https:'))
  await app.register(cors, {
    origin: corsOrigins(settings.RATEBOOK_CORS_ORIGINS),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'X-Request-Id',
      'X-Data-Snapshot',
      'Idempotency-Key',
      'If-Match',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Session-Id',
    ],
    exposedHeaders: [
      'ETag',
      'Content-Disposition',
      'X-Data-Snapshot',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Credits-Charged',
      'X-Credits-Remaining',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
    ],
    maxAge: 86_400,
  })
  await app.register(cookie)
  await app.register(compress, {
    threshold: 1_024,
    encodings: ['br', 'gzip', 'deflate'],
    brotliOptions: { params: { 0: 0, 1: 4 } },
  })
  await refuseUnderPressure(app, settings)

  await serveWeb(app)
  serveHealth(app, service, () => closing)
  serveMetrics(app, settings)
  serveDocumentation(app, service)
  serveAccount(app, service)
  serveData(app, service)
  for (const operation of operationList.filter(({ upload }) => !upload)) serve(app, service, operation)
  await serveUploads(
    app,
    service,
    operationList.filter(({ upload }) => upload),
  )
  serveToolServer(app, service, toolFixtures)
  serveMcpDocumentation(app, service)
  await serveOAuth(app, service, fetchClientDocument)
  refuseOtherMethods(app, methods)
  return app
}

// Everything comes from our own origin. Charts write style attributes, hence inline styles; scripts are never inline.
const contentSources = {
  defaultSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  objectSrc: ["'none'"],
}

const givenRequestId = (id: string | string[] | undefined) =>
  typeof id === 'string' && /^[\w.:-]{1,128}$/.test(id) ? id : undefined

function trustedProxies(text: string): boolean | string[] {
  if (text === 'on') return true
  return text === 'off' || text === '' ? false : text.split(',').map((part) => part.trim())
}

function corsOrigins(text: string): boolean | '*' | string[] {
  if (text === '*') return '*'
  return text === '' ? false : text.split(',').map((part) => part.trim())
}

function methodsByPath(app: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    methods.set(url, known)
  })
  return methods
}

const allMethods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A known address with the wrong method is a 405 that says which methods it takes. */
function refuseOtherMethods(app: FastifyInstance, methods: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, known] of new Map(methods)) {
    if (url === '*') continue
    const allow = [...known].sort().join(', ')
    app.route({
      method: allMethods.filter((method) => !known.has(method)),
      url,
      handler: () => {
        throw new Failure('method_not_allowed', `This address takes ${allow}.`, { headers: { Allow: allow } })
      },
    })
  }
}

/** What cannot even be read as HTTP, or takes too long to arrive, is answered on the bare socket. */
function sendClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const codes: Record<string, FailureCode> = {
    ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
    HPE_HEADER_OVERFLOW: 'headers_too_large',
  }
  const failure = new Failure(
    codes[error.code ?? ''] ?? 'invalid_request',
    codes[error.code ?? ''] ? undefined : 'This is not an HTTP request.',
  )
  const id = randomUUID()
  const body = JSON.stringify(problemDocument(failure, id))
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${failures[failure.code].title}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

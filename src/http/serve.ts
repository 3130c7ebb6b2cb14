import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/callers.ts'
import { inTime } from '../accounts/in-time.ts'
import { Failure } from '../errors.ts'
import { Download } from '../operations/download.ts'
import type { OperationName } from '../operations/index.ts'
import { hasBody, type Operation } from '../operations/operation.ts'
import { parseParts, parseRequest } from '../operations/parse.ts'
import type { CallContext, Service } from '../service.ts'
import { jsonBodyOf } from './body.ts'
import { jsonBody } from './json-stream.ts'
import { refuseForgery, requestSession, sessionCookie } from './sessions.ts'

/** Turns an operation into a route: through the gate, to the room behind it, and back as JSON or as a file. */
export function serve(app: FastifyInstance, service: Service, operation: Operation): void {
  const answer = service.answers[operation.name as OperationName] as Answer | undefined
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // A HEAD would do the work and charge for it without showing it.
    exposeHeadRoute: false,
    config: { failureBody: operation.failureBody },
    handler: async (request, reply) => {
      const { signal, answered } = callSignal(reply, service.settings.RATEBOOK_ANSWER_TIMEOUT_MS)
      const header = (name: string, value: string) => void reply.header(name, value)
      let isFree = false
      const value = await service.gate.pass({
        gated: operation,
        isFree: () => isFree,
        who: () => callerOf(service, request, reply),
        parse: () => sentWith(operation, request),
        work: (parsed, caller) => {
          if (!answer)
            throw new Failure(
              'not_loaded',
              `The data behind ${operation.path} are not loaded on this server.`,
            )
          const context = {
            caller,
            signal,
            header,
            snapshot: pinnedSnapshot(request),
            free: () => void (isFree = true),
            sent: (name: string) => oneHeader(request.headers[name.toLowerCase()]),
            ...(operation.upload && { body: request.body as Readable }),
          }
          return inTime(answer(parsed, context), signal)
        },
        header,
      })
      answered()
      void reply.code(operation.status ?? 200).header('Cache-Control', 'no-store')
      if (value instanceof Download) return sendDownload(reply, value)
      if (operation.status === 204) return reply.send()
      return reply.type('application/json; charset=utf-8').send(jsonBody(value))
    },
  })
}

/** Serves the operations whose body is a file: it is handed on as it arrives. */
export async function serveUploads(
  app: FastifyInstance,
  service: Service,
  operations: readonly Operation[],
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const operation of operations) serve(scope, service, operation)
  })
}

type Answer = (request: unknown, context: CallContext) => Promise<unknown>

function sentWith(operation: Operation, request: FastifyRequest): unknown {
  if (operation.upload) return operation.params ? parseRequest(operation.params, request.params) : {}
  const sent = hasBody(operation) ? jsonBodyOf(request) : request.query
  return parseParts(operation, request.params, sent)
}

function sendDownload(reply: FastifyReply, { type, fileName, stream, bytes, inline }: Download) {
  // Quotes and line ends would break the header; the second form carries the name as it is.
  const plain = fileName.replaceAll(/[^\w.() -]/g, '_')
  void reply
    .type(type)
    .header(
      'Content-Disposition',
      `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    )
  if (bytes !== undefined) void reply.header('Content-Length', String(bytes))
  return reply.send(stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false }))
}

/**
 * Who makes a call: the holder of the key it carries, else whoever is logged in to the web application.
 * A cookie travels by itself, so a call by cookie must prove that it comes from our own pages.
 */
async function callerOf(service: Service, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  if (request.headers.authorization === undefined && request.cookies[sessionCookie] !== undefined) {
    const session = await requestSession(service, request, reply)
    if (session) {
      // A link to a download cannot carry a token; the browser itself says that it stands on a page of ours.
      const ownLink = request.method === 'GET' && request.headers['sec-fetch-site'] === 'same-origin'
      if (!ownLink) refuseForgery(service, request, session)
      return service.gate.sessionCaller(session)
    }
  }
  return service.gate.caller(bearerToken(request))
}

const oneHeader = (sent: string | string[] | undefined) =>
  typeof sent === 'string' && sent !== '' ? sent : undefined

/** The state of the data that a caller asks to be answered from, as an earlier answer's `X-Data-Snapshot` named it. */
const pinnedSnapshot = (request: FastifyRequest) => oneHeader(request.headers['x-data-snapshot'])

/** The key of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token
}

/** Fires when the client leaves before it was answered, or when the answer takes too long to come. */
function callSignal(reply: FastifyReply, timeoutMs: number): { signal: AbortSignal; answered: () => void } {
  const call = new AbortController()
  // A timer of one's own can be cleared; AbortSignal.timeout would keep every call in memory until its time is up.
  const timer = setTimeout(() => call.abort(new Failure('answer_timeout')), timeoutMs).unref()
  const answered = () => clearTimeout(timer)
  reply.raw.once('close', () => {
    answered()
    if (!reply.raw.writableFinished) call.abort(new Failure('request_timeout', 'The client left.'))
  })
  return { signal: call.signal, answered }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/callers.ts'
import { inTime } from '../accounts/in-time.ts'
import { Failure } from '../errors.ts'
import type { OperationName } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { parseRequest } from '../operations/parse.ts'
import type { CallContext, Service } from '../service.ts'
import { jsonBodyOf } from './body.ts'
import { jsonBody } from './json-stream.ts'
import { refuseForgery, requestSession, sessionCookie } from './sessions.ts'

/** Turns an operation into a route: through the gate, to the room behind it, and back as JSON. */
export function serve(app: FastifyInstance, service: Service, operation: Operation): void {
  const answer = service.answers[operation.name as OperationName] as Answer | undefined
  app.route({
    method: operation.method,
    url: operation.path,
    // A HEAD would do the work and charge for it without showing it.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const signal = callSignal(reply, service.settings.RATEBOOK_ANSWER_TIMEOUT_MS)
      const header = (name: string, value: string) => void reply.header(name, value)
      const value = await service.gate.pass({
        gated: operation,
        who: () => callerOf(service, request, reply),
        parse: () =>
          parseRequest(operation.request, operation.method === 'GET' ? request.query : jsonBodyOf(request)),
        work: (parsed, caller) => {
          if (!answer)
            throw new Failure(
              'not_loaded',
              `The data behind ${operation.path} are not loaded on this server.`,
            )
          return inTime(answer(parsed, { caller, signal, header, snapshot: pinnedSnapshot(request) }), signal)
        },
        header,
      })
      return reply
        .type('application/json; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .send(jsonBody(value))
    },
  })
}

type Answer = (request: unknown, context: CallContext) => Promise<unknown>

/**
 * Who makes a call: the holder of the key it carries, else whoever is logged in to the web application.
 * A cookie travels by itself, so a call by cookie must prove that it comes from our own pages.
 */
async function callerOf(service: Service, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  if (request.headers.authorization === undefined && request.cookies[sessionCookie] !== undefined) {
    const session = await requestSession(service, request, reply)
    if (session) {
      refuseForgery(service, request, session)
      return service.gate.sessionCaller(session.organization.id)
    }
  }
  return service.gate.caller(bearerToken(request))
}

/** The state of the data that a caller asks to be answered from, as an earlier answer's `X-Data-Snapshot` named it. */
function pinnedSnapshot(request: FastifyRequest): string | undefined {
  const sent = request.headers['x-data-snapshot']
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

/** The key of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token
}

/** Fires when the client leaves before it was answered, or when the answer takes too long. */
function callSignal(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const call = new AbortController()
  // A timer of one's own can be cleared; AbortSignal.timeout would keep every call in memory until its time is up.
  const timer = setTimeout(() => call.abort(new Failure('answer_timeout')), timeoutMs).unref()
  reply.raw.once('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) call.abort(new Failure('request_timeout', 'The client left.'))
  })
  return call.signal
}

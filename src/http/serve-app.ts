import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../accounts/sessions.ts'
import { Failure } from '../errors.ts'
import type { AppOperation } from '../operations/account.ts'
import { parseRequest } from '../operations/parse.ts'
import type { Service } from '../service.ts'
import { jsonBodyOf } from './body.ts'
import { refuseForgery, requestSession } from './sessions.ts'

/** One call from the web application. */
export interface AppCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Present on every operation that needs one. */
  readonly session: Session
}

/** A function for each operation of a table. */
export type AppHandlers<Operations extends Record<string, AppOperation>> = {
  [Name in keyof Operations]: (
    sent: Operations[Name]['request']['_zod']['output'],
    call: AppCall,
  ) => Promise<Operations[Name]['response']['_zod']['output']>
}

/** Serves a table of the web application's operations: sessions instead of keys, and nothing is charged. */
export function serveApp<Operations extends Record<string, AppOperation>>(
  app: FastifyInstance,
  service: Service,
  operations: Operations,
  handlers: AppHandlers<Operations>,
): void {
  for (const [name, operation] of Object.entries<AppOperation>(operations)) {
    const handle = handlers[name] as (sent: unknown, call: AppCall) => Promise<unknown>
    app.route({
      method: operation.method,
      url: operation.path,
      handler: async (request, reply) => {
        const session = await requestSession(service, request, reply)
        if (operation.access !== 'anyone' && !session) throw new Failure('unauthenticated', 'Log in first.')
        if (operation.method !== 'GET')
          refuseForgery(service, request, operation.access === 'anyone' ? undefined : session)
        if (operation.access === 'admin' && session?.organization.role !== 'admin')
          throw new Failure('admin_required')
        const sent = parseRequest(operation.request, sentBy(request))
        const answer = await handle(sent, { request, reply, session: session! })
        void reply.code(operation.status).header('Cache-Control', 'no-store')
        return answer === undefined
          ? reply.send()
          : reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
      },
    })
  }
}

/** Path, query and body of a request as one object. */
function sentBy(request: FastifyRequest): unknown {
  const query = request.method === 'GET' ? (request.query as object) : {}
  const empty = !(request.body as Buffer | undefined)?.length && request.headers['content-type'] === undefined
  const body = request.method === 'GET' || empty ? {} : jsonBodyOf(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Failure('invalid_request', 'Send a JSON object.')
  return { ...query, ...body, ...(request.params as object) }
}

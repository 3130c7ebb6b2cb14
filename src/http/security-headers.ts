import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** Where a page may load what from, as helmet takes it. */
export type ContentSources = Readonly<Record<string, Iterable<string>>>

/**
 * Sends the headers that keep browsers from doing harm with an answer of ours. They are the same for every answer,
 * so helmet works them out once: asking it for each answer cost as much as the rest of a small call.
 */
export function sendSecurityHeaders(
  app: FastifyInstance,
  contentSources: ContentSources,
  isHttps: boolean,
): void {
  const headers = securityHeaders(contentSources, isHttps)
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
}

function securityHeaders(contentSources: ContentSources, isHttps: boolean): Record<string, string> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSources },
    hsts: isHttps,
  })
  protect(request, response, () => {})
  return response.getHeaders() as Record<string, string>
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../errors.ts'
import type { Service } from '../service.ts'
import { llmsText } from './llms.ts'
import { openApi } from './openapi.ts'
import { reference } from './reference.ts'
import { bearerToken } from './serve.ts'
import { requestSession } from './sessions.ts'

/** Serves the printed documentation to a signed-in browser or the holder of a key. It holds no credential. */
export function serveDocumentation(app: FastifyInstance, service: Service): void {
  const price = (operation: { name: string; credits: number }) => service.gate.price(operation)
  const printed = {
    '/openapi.json': {
      type: 'application/json; charset=utf-8',
      text: () => JSON.stringify(openApi(service.address.baseUrl, price), null, 2),
    },
    '/api/doc/openapi.json': {
      type: 'application/json; charset=utf-8',
      text: () => JSON.stringify(openApi(service.address.baseUrl, price), null, 2),
    },
    '/api/doc.md': {
      type: 'text/markdown; charset=utf-8',
      text: () => reference(service.address.baseUrl, price),
    },
    '/llms.txt': { type: 'text/plain; charset=utf-8', text: () => llmsText(service.address.baseUrl, price) },
  }
  for (const [url, { type, text }] of Object.entries(printed)) {
    // Printed once for each address the server is known by; it changes only when the server starts to listen.
    let known: { baseUrl: string; text: string } | undefined
    app.get(url, async (request, reply) => {
      await mayRead(service, request, reply)
      if (known?.baseUrl !== service.address.baseUrl)
        known = { baseUrl: service.address.baseUrl, text: text() }
      return reply
        .type(type)
        .header('Cache-Control', 'private, no-cache')
        .header('Vary', 'Authorization, Cookie')
        .send(known.text)
    })
  }
}

async function mayRead(service: Service, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token = bearerToken(request)
  const session = token === undefined ? await requestSession(service, request, reply) : undefined
  const { suspended } = session?.organization ?? (await service.gate.caller(token))
  if (suspended) throw new Failure('organization_suspended')
}

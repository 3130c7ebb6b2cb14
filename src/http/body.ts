import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../errors.ts'

/**
 * Keeps bodies as bytes until the gate asks for them: a caller without a key is told so before we look at what was sent.
 */
export function keepBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The JSON of a request's body; a failure that says what is wrong with it otherwise. */
export function jsonBodyOf(request: FastifyRequest): unknown {
  const bytes = request.body as Buffer | undefined
  if (request.method === 'GET' || request.method === 'HEAD') return {}
  const type = request.headers['content-type']
  if (!bytes || bytes.length === 0) {
    if (type === undefined || isJson(type))
      throw new Failure('malformed_json', 'The body is empty. Send a JSON object.')
  }
  if (type === undefined || !isJson(type))
    throw new Failure(
      'unsupported_media_type',
      `Send JSON with Content-Type: application/json, not ${type ?? 'none'}.`,
    )
  try {
    return JSON.parse(bytes!.toString('utf8')) as unknown
  } catch (error) {
    throw new Failure('malformed_json', `The body is not JSON: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

const isJson = (type: string) => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)

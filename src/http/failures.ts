import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, type FailureCode, failures, type Problem } from '../errors.ts'

/** RFC 9457, with our code, the request's id, and every problem of the request. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: FailureCode
  readonly requestId: string
  readonly errors?: readonly Problem[]
}

/** A failure as the caller reads it. */
export function problemDocument(failure: Failure, requestId: string): ProblemDocument {
  const { problems, more } = failure.details
  return {
    type: `urn:ratebook:problem:${failure.code}`,
    title: failures[failure.code].title,
    status: failure.status,
    detail: failure.message,
    code: failure.code,
    requestId,
    ...(problems && { errors: problems }),
    ...more,
  }
}

/** Where a route says that its failures have another body. */
interface FailureConfig {
  readonly failureBody?: (failure: Failure) => object | undefined
}

/** Answers with a failure, whatever was thrown. What is not a failure of ours is logged and told as `internal`. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = failureOf(error)
  if (
    failure.status >= 500 &&
    failure.code !== 'overloaded' &&
    failure.code !== 'shutting_down' &&
    failure.code !== 'not_loaded'
  )
    request.log.error({ err: error }, failure.message)
  for (const [name, value] of Object.entries(failure.details.headers ?? {})) void reply.header(name, value)
  const own = (request.routeOptions?.config as FailureConfig | undefined)?.failureBody?.(failure)
  void reply
    .code(failure.status)
    .type(`application/${own ? 'json' : 'problem+json'}; charset=utf-8`)
    .header('Cache-Control', 'no-store')
    // Set here too: an address that cannot be read fails before any hook runs.
    .header('X-Request-Id', request.id)
    .send(JSON.stringify(own ?? problemDocument(failure, request.id)))
}

// The framework's own refusals, in our words.
const fromFramework: Readonly<Record<string, FailureCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_ASYNC_CONSTRAINT: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_BAD_URL')
    return new Failure('invalid_request', 'The address cannot be read.', { cause: error })
  const known = code === undefined ? undefined : fromFramework[code]
  if (known) return new Failure(known, undefined, { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('invalid_request', (error as Error).message, { cause: error })
  return new Failure('internal', undefined, { cause: error })
}

/**
 * Every failure that a caller can meet: a code for programs, a status for the web, a sentence for people.
 * docs/errors.md explains each; a test holds the two lists equal.
 */
export const failures = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    says: 'See errors for every problem found.',
  },
  malformed_json: { status: 400, title: 'The body is not JSON', says: 'The body could not be read as JSON.' },
  invalid_cursor: {
    status: 400,
    title: 'The cursor does not fit',
    says: 'The cursor was changed, has expired, or belongs to another question.',
  },
  query_too_wide: { status: 400, title: 'Query limits exceeded', says: 'Narrow the question.' },
  query_timeout: {
    status: 400,
    title: 'Query limits exceeded',
    says: 'The query ran longer than its time limit and was stopped. Narrow the question.',
  },
  unauthenticated: {
    status: 401,
    title: 'Who is asking?',
    says: 'Send a valid API key as Authorization: Bearer <key>.',
  },
  wrong_credentials: {
    status: 401,
    title: 'Log-in failed',
    says: 'The e-mail address or the password is wrong.',
  },
  insufficient_credit: {
    status: 402,
    title: 'No credit left',
    says: 'The organisation has no credit left for this call.',
  },
  forbidden: { status: 403, title: 'Not allowed', says: 'This key or user may not use this endpoint.' },
  admin_required: {
    status: 403,
    title: 'Admin role required',
    says: 'Only an admin of the organisation may do this.',
  },
  organization_suspended: {
    status: 403,
    title: 'Organisation suspended',
    says: 'This organisation is suspended. Ask the operator of this service.',
  },
  csrf: {
    status: 403,
    title: 'Request from elsewhere',
    says: 'The request did not come from this web application. Reload the page and try again.',
  },
  not_found: { status: 404, title: 'Nothing here', says: 'There is nothing at this address.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    says: 'This address takes another method; see Allow.',
  },
  request_timeout: {
    status: 408,
    title: 'Request took too long to arrive',
    says: 'The request was not received in time.',
  },
  conflict: { status: 409, title: 'Not possible now', says: 'The present state does not allow this.' },
  report_not_ready: {
    status: 409,
    title: 'Report not ready',
    says: 'The report is still being built, or could not be. Its record says how far it is.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    says: 'Somebody else changed this. Read it again and repeat.',
  },
  too_large: { status: 413, title: 'Too large', says: 'The body is larger than this address takes.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type',
    says: 'Send JSON with Content-Type: application/json.',
  },
  headers_too_large: {
    status: 431,
    title: 'Header fields too large',
    says: 'The request headers are larger than the server takes.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    says: 'Wait as long as Retry-After says, then try again.',
  },
  internal: {
    status: 500,
    title: 'Something broke',
    says: 'The error is ours and has been logged. Quote the request id when you report it.',
  },
  not_loaded: {
    status: 503,
    title: 'Data not loaded',
    says: 'The data behind this operation are not loaded on this server.',
  },
  overloaded: { status: 503, title: 'Busy', says: 'The server is at its limit. Try again shortly.' },
  shutting_down: {
    status: 503,
    title: 'Restarting',
    says: 'The server is shutting down. Try again shortly.',
  },
  answer_timeout: {
    status: 504,
    title: 'The answer took too long',
    says: 'The answer was not ready in time and the work was stopped.',
  },
} as const satisfies Record<string, { status: number; title: string; says: string }>

export type FailureCode = keyof typeof failures

/** One thing that is wrong with a request, and where. */
export interface Problem {
  readonly path: string
  readonly message: string
}

export interface FailureDetails {
  /** What only the log may know. */
  readonly cause?: unknown
  readonly problems?: readonly Problem[]
  /** More members of the problem document, such as `getCreditsAt`. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure that the caller is told about. Everything else that is thrown becomes `internal`. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, says?: string, details: FailureDetails = {}) {
    super(says ?? failures[code].says, { cause: details.cause })
    this.name = 'Failure'
    this.code = code
    this.details = details
  }

  get status(): number {
    return failures[this.code].status
  }
}

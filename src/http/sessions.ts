import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Session, sessionOf } from '../accounts/sessions.ts'
import { sameSecret, signature } from '../accounts/tokens.ts'
import { Failure } from '../errors.ts'
import type { Service } from '../service.ts'

export const sessionCookie = 'ratebook_session'

/** How long a session lives without use. */
export const sessionLifeMs = (service: Service) => service.settings.RATEBOOK_SESSION_HOURS * 3_600_000

/** The session of a request's cookie; undefined when nobody is logged in. A session that use extended has its cookie extended too. */
export async function requestSession(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const token = request.cookies[sessionCookie]
  if (!token) return undefined
  const session = await sessionOf(service.records, token, sessionLifeMs(service), service.now())
  if (session?.extended) setSessionCookie(service, reply, token)
  return session
}

export function setSessionCookie(service: Service, reply: FastifyReply, token: string): void {
  void reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: service.address.baseUrl.startsWith('https:'),
    maxAge: Math.floor(sessionLifeMs(service) / 1_000),
  })
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(sessionCookie, { path: '/' })
}

/** What a page must send back with every change, bound to its session. */
export const csrfToken = (service: Service, sessionId: string) =>
  signature(service.secret, `csrf:${sessionId}`)

/**
 * Refuses a change that another site makes a browser send: the browser tells where a request comes from,
 * and a session's changes also carry a token that only our own pages can read.
 */
export function refuseForgery(service: Service, request: FastifyRequest, session: Session | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure('csrf')
  const { origin } = request.headers
  if (
    origin !== undefined &&
    new URL(service.address.baseUrl).origin !== origin &&
    `${request.protocol}://${request.host}` !== origin
  )
    throw new Failure('csrf')
  if (!session) return
  const sent = request.headers['x-csrf-token']
  if (typeof sent !== 'string' || !sameSecret(sent, csrfToken(service, session.id)))
    throw new Failure('csrf', 'Send the csrfToken of GET /app/api/me as X-CSRF-Token.')
}

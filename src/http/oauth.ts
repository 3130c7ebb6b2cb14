import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Session } from '../accounts/sessions.ts'
import { RateLimit } from '../accounts/rate-limit.ts'
import { sameSecret, signature } from '../accounts/tokens.ts'
import { membershipsOf } from '../accounts/users.ts'
import { Failure } from '../errors.ts'
import { connect, forgetEndedConnections } from '../oauth/connections.ts'
import {
  authorizationServerMetadata,
  oauthPaths,
  protectedResourceMetadata,
  toolPath,
  toolScope,
} from '../oauth/metadata.ts'
import { oauthProvider } from '../oauth/provider.ts'
import type { Service } from '../service.ts'
import { type ClientShown, consentPage, logInPage, pageStyle, refusalPage } from './oauth-pages.ts'
import { refuseForgery, requestSession } from './sessions.ts'
import { ownName, resourceMetadataPath } from './tool-server.ts'

// Clients register themselves once; who does so again and again fills our store.
const registrations = { perSecond: 1 / 60, burst: 30 }
const cleanEveryMs = 3_600_000

/** Serves the authorisation server: metadata, the library's own endpoints, and the pages where a user decides. */
export async function serveOAuth(
  app: FastifyInstance,
  service: Service,
  fetchDocument?: typeof fetch,
): Promise<void> {
  const provider = providerOf(service, fetchDocument)
  serveMetadata(app, service)
  await app.register(async (child) => serveProvider(child, service, provider))
  serveInteractions(app, service, provider)

  const clean = () =>
    forgetEndedConnections(service.records, service.now()).catch((error: Error) =>
      service.log(`Ended connections could not be cleared: ${error.message}`),
    )
  const timer = setInterval(() => void clean(), cleanEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** The library, made when it is first asked for: only then is it certain under which address we are known. */
function providerOf(service: Service, fetchDocument: typeof fetch | undefined): () => Promise<Provider> {
  let known: { baseUrl: string; provider: Promise<Provider> } | undefined
  return () => {
    const { baseUrl } = service.address
    if (known?.baseUrl !== baseUrl) {
      const provider = oauthProvider({
        records: service.records,
        baseUrl,
        secret: service.secret,
        now: service.now,
        interactionPath: (uid) => `/oauth/interaction/${uid}`,
        errorPage: refusalPage,
        ...(fetchDocument && { fetchDocument }),
      }).then((made) => {
        made.on('server_error', (_ctx, error: Error) =>
          service.log(`Authorisation: ${error.stack ?? error.message}`),
        )
        return made
      })
      known = { baseUrl, provider }
    }
    return known.provider
  }
}

function serveMetadata(app: FastifyInstance, service: Service): void {
  const send = (reply: FastifyReply, document: unknown) =>
    reply
      .type('application/json; charset=utf-8')
      .header('Access-Control-Allow-Origin', '*')
      .header('Cache-Control', 'public, max-age=300')
      .send(JSON.stringify(document))
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    send(reply, authorizationServerMetadata(service.address.baseUrl)),
  )
  for (const url of [resourceMetadataPath, resourceMetadataPath + toolPath])
    app.get(url, async (request, reply) =>
      send(reply, protectedResourceMetadata(ownName(service, request), service.address.baseUrl)),
    )
}

/** Hands requests to the library, body unread. */
function serveProvider(app: FastifyInstance, service: Service, provider: () => Promise<Provider>): void {
  const limit = new RateLimit(service.now)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const hand = async (request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = request
    const handle = (await provider()).callback()
    // The library builds addresses from what it reads here; we know them better than any header.
    const base = new URL(service.address.baseUrl)
    raw.headers.host = base.host
    raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1)
    raw.headers['x-forwarded-for'] = request.ip
    delete raw.headers['x-forwarded-host']
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    await handle(raw, reply.raw)
  }

  app.get(oauthPaths.authorization, (request, reply) => {
    request.raw.url = withScope(request.raw.url ?? '')
    return hand(request, reply)
  })
  app.get(`${oauthPaths.authorization}/:uid`, hand)
  app.get(oauthPaths.jwks, hand)
  app.route({ method: ['POST', 'OPTIONS'], url: oauthPaths.token, handler: hand })
  app.route({ method: ['POST', 'OPTIONS'], url: oauthPaths.revocation, handler: hand })
  app.options(oauthPaths.registration, async (_request, reply) =>
    reply
      .code(204)
      .header('Access-Control-Allow-Origin', '*')
      .header('Access-Control-Allow-Methods', 'POST')
      .header('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version')
      .send(),
  )
  app.post(oauthPaths.registration, (request, reply) => {
    const turn = limit.take(request.ip, registrations)
    if (!turn.allowed)
      throw new Failure('rate_limited', `Too many registrations. Try again in ${turn.retryInS} s.`, {
        headers: { 'Retry-After': String(turn.retryInS) },
      })
    void reply.header('Access-Control-Allow-Origin', '*')
    return hand(request, reply)
  })
}

/** A client that asks for no scope means the one there is. */
function withScope(url: string): string {
  const [path = '', query = ''] = url.split('?')
  const asked = new URLSearchParams(query)
  if (asked.get('scope')) return url
  asked.set('scope', toolScope)
  return `${path}?${asked.toString()}`
}

/** The pages on which a user logs in and agrees, or does not. */
function serveInteractions(app: FastifyInstance, service: Service, provider: () => Promise<Provider>): void {
  const html = (reply: FastifyReply, text: string, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      // Without a referrer a browser hides the origin of a form too, and we would take our own pages for strangers.
      .header('Referrer-Policy', 'same-origin')
      .send(text)

  const interaction = async (request: FastifyRequest, reply: FastifyReply) => {
    const made = await provider()
    try {
      const details = await made.interactionDetails(request.raw, reply.raw)
      if (details.uid !== (request.params as { uid: string }).uid) return undefined
      const client = await made.Client.find(String(details.params['client_id']))
      if (!client) return undefined
      return {
        provider: made,
        details,
        client,
        shown: clientShown(client, String(details.params['redirect_uri'])),
      }
    } catch {
      return undefined
    }
  }
  const over = (reply: FastifyReply) =>
    html(reply, refusalPage('This page has expired, or was opened in another browser.'), 400)
  const consentToken = (uid: string, session: Session) =>
    signature(service.secret, `consent:${uid}:${session.id}`)

  app.get('/oauth/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('Cache-Control', 'public, max-age=3600').send(pageStyle),
  )

  app.get('/oauth/interaction/:uid', async (request, reply) => {
    const found = await interaction(request, reply)
    if (!found) return over(reply)
    const { uid } = found.details
    const session = await requestSession(service, request, reply)
    if (!session) return html(reply, logInPage({ uid, client: found.shown }))
    return html(
      reply,
      consentPage({
        uid,
        client: found.shown,
        email: session.user.email,
        organizations: await membershipsOf(service.records, session.user.id),
        organizationId: session.organization.id,
        csrf: consentToken(uid, session),
      }),
    )
  })

  app.post('/oauth/interaction/:uid/log-in', async (request, reply) => {
    refuseForgery(service, request, undefined)
    const found = await interaction(request, reply)
    if (!found) return over(reply)
    const form = formOf(request)
    const email = form.get('email') ?? ''
    // The web application's own log-in: the same limits on guessing, the same session.
    const answer = await app.inject({
      method: 'POST',
      url: '/app/api/log-in',
      remoteAddress: request.ip,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ email, password: form.get('password') ?? '' }),
    })
    const { uid } = found.details
    if (answer.statusCode !== 200) {
      const { detail } = answer.json<{ detail: string }>()
      return html(reply, logInPage({ uid, client: found.shown, email, problem: detail }), answer.statusCode)
    }
    const cookie = answer.headers['set-cookie']
    if (cookie !== undefined) void reply.header('Set-Cookie', cookie)
    return reply.redirect(`/oauth/interaction/${uid}`, 303)
  })

  app.post('/oauth/interaction/:uid/confirm', async (request, reply) => {
    refuseForgery(service, request, undefined)
    const found = await interaction(request, reply)
    const session = await requestSession(service, request, reply)
    if (!found || !session) return over(reply)
    const { details, client } = found
    const form = formOf(request)
    if (!sameSecret(form.get('csrf') ?? '', consentToken(details.uid, session))) throw new Failure('csrf')
    const joined = await membershipsOf(service.records, session.user.id)
    const organization = joined.find(({ id }) => id === form.get('organization'))
    if (!organization) throw new Failure('forbidden', 'You do not belong to that organisation.')

    const grant = new found.provider.Grant({ accountId: session.user.id, clientId: client.clientId })
    const scope = typeof details.params['scope'] === 'string' ? details.params['scope'] : toolScope
    grant.addOIDCScope(scope)
    for (const resource of resourcesOf(details.params['resource'])) grant.addResourceScope(resource, scope)
    const grantId = await grant.save()
    await connect(
      service.records,
      {
        grantId,
        userId: session.user.id,
        organizationId: organization.id,
        clientId: client.clientId,
        clientName: found.shown.name,
      },
      service.now(),
    )
    const next = await found.provider.interactionResult(request.raw, reply.raw, {
      login: { accountId: session.user.id, remember: false },
      consent: { grantId },
    })
    return reply.redirect(next, 303)
  })

  app.post('/oauth/interaction/:uid/abort', async (request, reply) => {
    refuseForgery(service, request, undefined)
    const found = await interaction(request, reply)
    if (!found) return over(reply)
    const next = await found.provider.interactionResult(request.raw, reply.raw, {
      error: 'access_denied',
      error_description: 'The user did not agree.',
    })
    return reply.redirect(next, 303)
  })
}

const formOf = (request: FastifyRequest) =>
  new URLSearchParams((request.body as Buffer | undefined)?.toString('utf8') ?? '')

const resourcesOf = (resource: unknown): string[] =>
  resource === undefined ? [] : ([resource].flat() as string[])

function clientShown(
  { clientId, clientName }: { clientId: string; clientName?: string | undefined },
  redirectUri: string,
): ClientShown {
  const redirect = URL.parse(redirectUri)
  const isDocument = clientId.startsWith('https://')
  return {
    name: clientName?.slice(0, 100) ?? (isDocument ? new URL(clientId).host : clientId),
    redirectHost: redirect?.host || (redirect?.protocol ?? redirectUri),
    ...(isDocument && { documentHost: new URL(clientId).host }),
  }
}

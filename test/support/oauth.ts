import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { signedUp } from './service.ts'
import type { Listening } from './tool-server.ts'

export const redirectUri = 'http://127.0.0.1:33999/callback'
export const scope = 'ratebook:mcp:read'

/** A browser without scripts: it keeps cookies, follows redirects within a site, and submits forms. */
export class PlainBrowser {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  /** The page shown last. */
  url = ''
  text = ''
  status = 0

  async open(url: string, form?: URLSearchParams): Promise<this> {
    let next = { url, form }
    for (let hops = 0; hops < 10; hops++) {
      const target = new URL(next.url)
      const response = await fetch(target, {
        method: next.form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          cookie: this.#cookieHeader(target.pathname),
          ...(next.form && {
            'content-type': 'application/x-www-form-urlencoded',
            origin: target.origin,
            'sec-fetch-site': 'same-origin',
          }),
        },
        ...(next.form && { body: next.form.toString() }),
      })
      this.#keep(response.headers.getSetCookie())
      const location = response.headers.get('location')
      if (!location) {
        Object.assign(this, { url: target.href, text: await response.text(), status: response.status })
        return this
      }
      const to = new URL(location, target)
      // What leaves the site is the client's business.
      if (to.origin !== target.origin) {
        Object.assign(this, { url: to.href, text: '', status: response.status })
        return this
      }
      next = { url: to.href, form: undefined }
    }
    throw new Error('too many redirects')
  }

  /** Submits the form of the page whose action ends so, with its hidden fields. */
  submit(ending: string, fields: Record<string, string> = {}): Promise<this> {
    const [, action = '', inside = ''] =
      new RegExp(`<form method="post" action="([^"]*${ending})">([\\s\\S]*?)</form>`).exec(this.text) ?? []
    if (action === '') throw new Error(`no form ${ending} on ${this.url}: ${this.text}`)
    const form = new URLSearchParams()
    for (const [, name = '', value = ''] of inside.matchAll(
      /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
    ))
      form.set(name, value)
    const [, selected] = /<option value="([^"]*)" selected>/.exec(inside) ?? []
    if (selected !== undefined) form.set('organization', selected)
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return this.open(new URL(action, this.url).href, form)
  }

  #cookieHeader(path: string): string {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  #keep(headers: readonly string[]): void {
    for (const header of headers) {
      const [pair = '', ...attributes] = header.split(/;\s*/)
      const at = pair.indexOf('=')
      const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
      const ended = attributes.some((one) => /^expires=/i.test(one) && Date.parse(one.slice(8)) < Date.now())
      if (ended) this.#cookies.delete(pair.slice(0, at))
      else this.#cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), path })
    }
  }
}

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export async function register(
  { baseUrl }: Pick<Listening, 'baseUrl'>,
  metadata: Record<string, unknown> = {},
): Promise<{ client_id: string; client_secret?: string } & Record<string, unknown>> {
  const response = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Sample Assistant',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  })
  const body = (await response.json()) as { client_id: string }
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return body
}

/** The address that starts an authorisation. An undefined parameter is left out. */
export function authorizeUrl(
  { baseUrl, toolUrl }: Pick<Listening, 'baseUrl' | 'toolUrl'>,
  clientId: string,
  challenge: string,
  more: Record<string, string | undefined> = {},
): string {
  const url = new URL(`${baseUrl}/oauth/authorize`)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope,
    state: randomUUID(),
    resource: toolUrl.href,
    ...more,
  }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** A post to the token or revocation endpoint. */
export async function tokenCall(
  { baseUrl }: Pick<Listening, 'baseUrl'>,
  parameters: Record<string, string>,
  { path = '/oauth/token', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(parameters),
  })
  const text = await response.text()
  return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} }
}

/** A user who can log in on the pages. */
export async function userOf({ service }: Pick<Listening, 'service'>, credits = 5) {
  const email = `${randomUUID()}@example.org`
  return { ...(await signedUp(service, { email, credits })), email, password: 'a long password' }
}

/** Logs in and consents; where the user is sent afterwards. */
export async function authorizedInBrowser(
  url: string,
  user: { email: string; password: string },
  browser = new PlainBrowser(),
): Promise<string> {
  await browser.open(url)
  await browser.submit('/log-in', { email: user.email, password: user.password })
  await browser.submit('/confirm')
  return browser.url
}

/** A code, gone all the way through log-in and consent. */
export async function codeFor(
  server: Listening,
  clientId: string,
  user: { email: string; password: string },
  more: Record<string, string | undefined> = {},
): Promise<{ code: string; verifier: string; back: URL; browser: PlainBrowser }> {
  const { verifier, challenge } = pkce()
  const browser = new PlainBrowser()
  const back = new URL(
    await authorizedInBrowser(authorizeUrl(server, clientId, challenge, more), user, browser),
  )
  return { code: back.searchParams.get('code') ?? '', verifier, back, browser }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

/** A connected client: registered, let in, with tokens. */
export async function connected(
  server: Listening,
  user: { email: string; password: string },
): Promise<Tokens & { clientId: string }> {
  const { client_id } = await register(server)
  const { code, verifier } = await codeFor(server, client_id, user)
  const { status, body } = await tokenCall(server, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id,
    code_verifier: verifier,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { ...(body as unknown as Tokens), clientId: client_id }
}

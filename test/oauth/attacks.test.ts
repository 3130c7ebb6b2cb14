import { describe, expect, it } from 'vitest'
import { addMember, changeMember } from '../../src/accounts/users.ts'
import { tokenHash } from '../../src/accounts/tokens.ts'
import { call } from '../support/service.ts'
import {
  authorizeUrl,
  codeFor,
  connected,
  pkce,
  PlainBrowser,
  redirectUri,
  register,
  tokenCall,
  userOf,
} from '../support/oauth.ts'
import { type Listening, listeningServer, rawCall } from '../support/tool-server.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const list = (server: Listening, token: string | undefined) => rawCall(server.toolUrl, token, ping)

const exchange = (server: Listening, clientId: string, code: string, verifier: string, more = {}) =>
  tokenCall(server, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
    ...more,
  })

/** Changes what the store holds of an access token. */
async function tamper(
  { service }: Listening,
  token: string,
  change: Record<string, unknown>,
  expiresAt?: number,
) {
  const row = service.records.db
    .selectFrom('oauth_records')
    .select('payload')
    .where('model', '=', 'AccessToken')
    .where('id', '=', tokenHash(token))
  const { payload } = await row.executeTakeFirstOrThrow()
  await service.records.db
    .updateTable('oauth_records')
    .set({
      payload: JSON.stringify({ ...(JSON.parse(payload) as object), ...change }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    })
    .where('model', '=', 'AccessToken')
    .where('id', '=', tokenHash(token))
    .execute()
}

describe('tokens', () => {
  it('are refused with a pointer to the authorisation server when there is none', async () => {
    const server = await listeningServer()
    const response = await list(server, undefined)
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    expect(challenge).toContain('scope="ratebook:mcp:read"')
    const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    expect(metadataUrl).toBe(`${server.baseUrl}/.well-known/oauth-protected-resource/api/v1/open/mcp`)
    const metadata = (await (await fetch(metadataUrl)).json()) as Record<string, unknown>
    expect(metadata).toMatchObject({ resource: server.toolUrl.href, authorization_servers: [server.baseUrl] })
    expect((await list(server, 'nonsense')).headers.get('www-authenticate')).toContain(
      'error="invalid_token"',
    )
  })

  it('work for the tool server they were issued for, and for nothing else', async () => {
    const server = await listeningServer()
    const { access_token } = await connected(server, await userOf(server))
    expect((await list(server, access_token)).status).toBe(200)
    expect((await call(server.app, access_token, 'GET', '/api/v1/payers')).statusCode).toBe(401)
    await tamper(server, access_token, { aud: 'https://elsewhere.example/api/v1/open/mcp' })
    const refused = await list(server, access_token)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('are not issued for another server', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const browser = await new PlainBrowser().open(
      authorizeUrl(server, client_id, pkce().challenge, { resource: 'https://elsewhere.example/mcp' }),
    )
    expect(new URL(browser.url).searchParams.get('error')).toBe('invalid_target')
  })

  it('need the scope', async () => {
    const server = await listeningServer()
    const { access_token } = await connected(server, await userOf(server))
    await tamper(server, access_token, { scope: 'offline_access' })
    const refused = await list(server, access_token)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  })

  it('end: when expired, when revoked, when the refresh token is revoked', async () => {
    const server = await listeningServer()
    const user = await userOf(server)
    const expired = await connected(server, user)
    await tamper(server, expired.access_token, {}, Date.now() - 1)
    expect((await list(server, expired.access_token)).status).toBe(401)

    const revoked = await connected(server, user)
    const revoke = (token: string, client_id: string) =>
      tokenCall(server, { token, client_id }, { path: '/oauth/revoke' })
    // Another client cannot revoke it.
    await revoke(revoked.access_token, expired.clientId)
    expect((await list(server, revoked.access_token)).status).toBe(200)
    expect((await revoke(revoked.access_token, revoked.clientId)).status).toBe(200)
    expect((await list(server, revoked.access_token)).status).toBe(401)

    const whole = await connected(server, user)
    await revoke(whole.refresh_token, whole.clientId)
    expect((await list(server, whole.access_token)).status).toBe(401)
  })

  it('are nowhere in the store', async () => {
    const server = await listeningServer()
    const { access_token, refresh_token } = await connected(server, await userOf(server))
    const rows = await server.service.records.db.selectFrom('oauth_records').selectAll().execute()
    const text = JSON.stringify(rows)
    expect(rows.map(({ model }) => model)).toContain('RefreshToken')
    expect(text).not.toContain(access_token)
    expect(text).not.toContain(refresh_token)
  })
})

describe('codes', () => {
  it('work once; a second use ends what the first one gave', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const { code, verifier } = await codeFor(server, client_id, await userOf(server))
    const first = await exchange(server, client_id, code, verifier)
    expect(first.status).toBe(200)
    expect(await exchange(server, client_id, code, verifier)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect((await list(server, String(first.body['access_token']))).status).toBe(401)
  })

  it('of which two uses come at once give at most one working token', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const { code, verifier } = await codeFor(server, client_id, await userOf(server))
    const both = await Promise.all([1, 2, 3, 4].map(() => exchange(server, client_id, code, verifier)))
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('need the verifier, the redirect address and the client they were made for', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const other = await register(server)
    const user = await userOf(server)
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    const one = await codeFor(server, client_id, user)
    expect(await exchange(server, client_id, one.code, pkce().verifier)).toMatchObject(refused)
    const two = await codeFor(server, client_id, user)
    expect(
      await exchange(server, client_id, two.code, two.verifier, { redirect_uri: 'http://127.0.0.1:1/else' }),
    ).toMatchObject(refused)
    // Mix-up: a client is made to send a code to where it does not belong.
    const three = await codeFor(server, client_id, user)
    expect(await exchange(server, other.client_id, three.code, three.verifier)).toMatchObject(refused)
  })
})

describe('refresh tokens', () => {
  it('rotate; an old one ends the connection', async () => {
    const server = await listeningServer()
    const { refresh_token, clientId } = await connected(server, await userOf(server))
    const refresh = (token: string) =>
      tokenCall(server, { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
    const next = await refresh(refresh_token)
    expect(next.status).toBe(200)
    expect(await refresh(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await refresh(String(next.body['refresh_token']))).status).toBe(400)
    expect((await list(server, String(next.body['access_token']))).status).toBe(401)
  })
})

describe('authorisation requests', () => {
  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
  ])('%s are refused, for public and confidential clients', async (_, more) => {
    const server = await listeningServer()
    for (const method of ['none', 'client_secret_basic']) {
      const { client_id } = await register(server, { token_endpoint_auth_method: method })
      const browser = await new PlainBrowser().open(authorizeUrl(server, client_id, pkce().challenge, more))
      expect(new URL(browser.url).searchParams.get('error')).toBe('invalid_request')
    }
  })

  it('with a foreign redirect address are answered on our own page', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    for (const foreign of [
      'https://evil.example/callback',
      'http://127.0.0.1:33999/other',
      'http://localhost:33999/callback',
    ]) {
      const browser = await new PlainBrowser().open(
        authorizeUrl(server, client_id, pkce().challenge, { redirect_uri: foreign }),
      )
      expect(browser.url).toContain(server.baseUrl)
      expect(browser.status).toBe(400)
      expect(browser.text).toContain('redirect_uri')
    }
  })

  it('of a program on the user’s machine may come back to another port (RFC 8252)', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const { back } = await codeFor(server, client_id, await userOf(server), {
      redirect_uri: 'http://127.0.0.1:45678/callback',
    })
    expect(back.port).toBe('45678')
    expect(back.searchParams.get('code')).toBeTruthy()
  })

  it('that ask for nothing get the one scope and the one resource there are', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const { code, verifier } = await codeFor(server, client_id, await userOf(server), {
      scope: undefined,
      resource: undefined,
    })
    const { body } = await exchange(server, client_id, code, verifier)
    expect(body['scope']).toBe('ratebook:mcp:read')
    expect((await list(server, String(body['access_token']))).status).toBe(200)
  })

  it('cannot be answered silently', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const user = await userOf(server)
    const { browser } = await codeFor(server, client_id, user)
    await browser.open(authorizeUrl(server, client_id, pkce().challenge, { prompt: 'none' }))
    expect(new URL(browser.url).searchParams.get('error')).toBe('login_required')
  })
})

describe('consent', () => {
  it('cannot be given from another site, without the page’s token, or in another browser', async () => {
    const server = await listeningServer()
    const user = await userOf(server)
    const { client_id } = await register(server)
    const browser = await new PlainBrowser().open(authorizeUrl(server, client_id, pkce().challenge))
    const stranger = await fetch(browser.url)
    expect(stranger.status).toBe(400)
    const foreign = await fetch(`${browser.url}/confirm`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'csrf=x',
    })
    expect(foreign.status).toBe(403)
    await browser.submit('/log-in', { email: user.email, password: user.password })
    await browser.submit('/confirm', { csrf: 'guessed' })
    expect(browser.status).toBe(403)
  })

  it('cannot name an organisation of others', async () => {
    const server = await listeningServer()
    const [user, other] = [await userOf(server), await userOf(server)]
    const { client_id } = await register(server)
    const browser = await new PlainBrowser().open(authorizeUrl(server, client_id, pkce().challenge))
    await browser.submit('/log-in', { email: user.email, password: user.password })
    await browser.submit('/confirm', { organization: other.organization.id })
    expect(browser.status).toBe(403)
  })

  it('acts for the organisation chosen, and ends with the membership', async () => {
    const server = await listeningServer()
    const [user, other] = [await userOf(server), await userOf(server)]
    const { records } = server.service
    await addMember(records, other.organization.id, user.user.id, 'member')
    const { client_id } = await register(server)
    const { verifier, challenge } = pkce()
    const browser = await new PlainBrowser().open(authorizeUrl(server, client_id, challenge))
    await browser.submit('/log-in', { email: user.email, password: user.password })
    await browser.submit('/confirm', { organization: other.organization.id })
    const code = new URL(browser.url).searchParams.get('code') ?? ''
    const { body } = await exchange(server, client_id, code, verifier)
    expect((await list(server, String(body['access_token']))).status).toBe(200)
    await changeMember(records, other.organization.id, user.user.id, null)
    expect((await list(server, String(body['access_token']))).status).toBe(401)
    const again = await tokenCall(server, {
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      client_id,
    })
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})

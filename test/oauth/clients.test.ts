import { describe, expect, it } from 'vitest'
import { issueClient, oauthClients } from '../../src/oauth/clients.ts'
import { addMember } from '../../src/accounts/users.ts'
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

const list = (server: Listening, token: string) =>
  rawCall(server.toolUrl, token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

describe('operator-issued clients', () => {
  it('need their secret, which is kept hashed', async () => {
    const server = await listeningServer()
    const { records } = server.service
    const { clientId, clientSecret = '' } = await issueClient(
      records,
      'Hosted AI',
      [redirectUri],
      'client_secret_basic',
    )
    const kept = await records.db.selectFrom('oauth_clients').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(clientSecret)

    const user = await userOf(server)
    const ask = async (headers: Record<string, string>, more: Record<string, string> = {}) => {
      const { code, verifier } = await codeFor(server, clientId, user)
      return tokenCall(
        server,
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          ...more,
        },
        { headers },
      )
    }
    expect((await ask(basic(clientId, 'wrong'))).status).toBe(401)
    expect((await ask({}, { client_id: clientId })).status).toBe(401)
    expect((await ask(basic(clientId, clientSecret))).status).toBe(200)
    expect((await oauthClients(records))[0]).toMatchObject({ name: 'Hosted AI', origin: 'operator' })
  })

  it('take only redirect addresses that are safe', async () => {
    const server = await listeningServer()
    for (const bad of ['http://example.org/cb', 'https://example.org/cb#x', 'nonsense'])
      await expect(issueClient(server.service.records, 'x', [bad], 'none')).rejects.toThrow()
  })
})

describe('registration', () => {
  it('gives a secret to those who ask for one, and keeps its hash', async () => {
    const server = await listeningServer()
    const made = await register(server, { token_endpoint_auth_method: 'client_secret_post' })
    expect(made.client_secret).toBeTruthy()
    const kept = await server.service.records.db.selectFrom('oauth_clients').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(made.client_secret)
    const { code, verifier } = await codeFor(server, made.client_id, await userOf(server))
    const { status } = await tokenCall(server, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: made.client_id,
      client_secret: made.client_secret!,
    })
    expect(status).toBe(200)
  })

  it('takes clients as they come: unknown scopes fall away, unsafe redirect addresses are refused', async () => {
    const server = await listeningServer()
    expect(await register(server, { scope: 'openid profile ratebook:mcp:read' })).toMatchObject({
      scope: 'ratebook:mcp:read',
    })
    expect(
      await register(server, {
        redirect_uris: ['https://host.example/redirect', 'http://127.0.0.1/', 'app.sample:/callback'],
      }),
    ).toMatchObject({ application_type: 'native' })
    await expect(register(server, { redirect_uris: ['http://evil.example/cb'] })).rejects.toThrow('400')
    await expect(register(server, { redirect_uris: ['javascript:alert(1)'] })).rejects.toThrow('400')
    await expect(register(server, { redirect_uris: [] })).rejects.toThrow('400')
  })

  it('is slowed down when one machine does it again and again', async () => {
    const server = await listeningServer()
    const tries = await Promise.allSettled(Array.from({ length: 35 }, () => register(server)))
    expect(tries.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})

describe('clients that describe themselves', () => {
  const clientId = 'https://assistant.example/client.json'
  const document = {
    client_id: clientId,
    client_name: 'Self-described Assistant',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  const documents = (body: unknown) => async () => Response.json(body)

  it('are shown with the host of their description, and can be let in', async () => {
    const server = await listeningServer({}, { fetchClientDocument: documents(document) })
    const user = await userOf(server)
    const { verifier, challenge } = pkce()
    const browser = await new PlainBrowser().open(authorizeUrl(server, clientId, challenge))
    await browser.submit('/log-in', { email: user.email, password: user.password })
    expect(browser.text).toContain('Self-described Assistant')
    expect(browser.text).toContain('assistant.example')
    await browser.submit('/confirm')
    const code = new URL(browser.url).searchParams.get('code') ?? ''
    const { status, body } = await tokenCall(server, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
    })
    expect(status).toBe(200)
    expect((await list(server, String(body['access_token']))).status).toBe(200)
  })

  it('are refused when the description is not theirs', async () => {
    const server = await listeningServer(
      {},
      { fetchClientDocument: documents({ ...document, client_id: 'https://other.example/client.json' }) },
    )
    const browser = await new PlainBrowser().open(authorizeUrl(server, clientId, pkce().challenge))
    expect(browser.status).toBe(400)
  })
})

describe('connected clients of an organisation', () => {
  it('are listed and disconnected in the web application, each organisation its own', async () => {
    const server = await listeningServer()
    const [user, other] = [await userOf(server), await userOf(server)]
    const { access_token } = await connected(server, user)
    await connected(server, other)
    const mine = await signIn(server, user)
    const listed = await mine('GET', '/app/api/clients')
    expect(listed.body).toMatchObject([{ clientName: 'Sample Assistant', email: user.email }])
    const [{ id }] = listed.body as [{ id: string }]

    const theirs = await signIn(server, other)
    expect((await theirs('DELETE', `/app/api/clients/${id}`)).status).toBe(404)
    expect((await list(server, access_token)).status).toBe(200)
    expect((await mine('DELETE', `/app/api/clients/${id}`)).status).toBe(204)
    expect((await list(server, access_token)).status).toBe(401)
    expect((await mine('GET', '/app/api/clients')).body).toEqual([])
  })

  it('are hidden from members who did not let them in', async () => {
    const server = await listeningServer()
    const [admin, member] = [await userOf(server), await userOf(server)]
    await connected(server, admin)
    await addMember(server.service.records, admin.organization.id, member.user.id, 'member')
    const asMember = await signIn(server, member)
    await asMember('POST', '/app/api/organization/switch', { organizationId: admin.organization.id })
    expect((await asMember('GET', '/app/api/clients')).body).toEqual([])
  })
})

/** The web application's own requests, by a user who is logged in. */
async function signIn({ baseUrl }: Listening, { email, password }: { email: string; password: string }) {
  const response = await fetch(`${baseUrl}/app/api/log-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        cookie,
        'x-csrf-token': csrfToken,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text ? (JSON.parse(text) as unknown) : undefined }
  }
}

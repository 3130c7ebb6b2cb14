import { describe, expect, it } from 'vitest'
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
import { listeningServer, rawCall, sdkClients } from '../support/tool-server.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

describe('connecting a client', () => {
  it('registers, logs in, consents, calls a tool with the token, and refreshes', async () => {
    const server = await listeningServer()
    const user = await userOf(server)
    const tokens = await connected(server, user)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'ratebook:mcp:read' })
    const client = await sdkClients['SDK v1 (2025-11-25 and older)'](server.toolUrl, tokens.access_token)
    expect((await client.listTools()).tools).toHaveLength(5)

    const refreshed = await tokenCall(server, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: tokens.clientId,
    })
    expect(refreshed.status).toBe(200)
    expect(refreshed.body['access_token']).not.toBe(tokens.access_token)
    expect(refreshed.body['refresh_token']).not.toBe(tokens.refresh_token)
    const after = await rawCall(server.toolUrl, String(refreshed.body['access_token']), initialize)
    expect(after.status).toBe(200)
  })

  it('names the client, the organisation and what is asked on the consent page', async () => {
    const server = await listeningServer()
    const user = await userOf(server)
    const { client_id } = await register(server, { client_name: '<b>Evil</b> & Co' })
    const browser = await new PlainBrowser().open(authorizeUrl(server, client_id, pkce().challenge))
    expect(browser.text).toContain('&lt;b&gt;Evil&lt;/b&gt; &amp; Co')
    await browser.submit('/log-in', { email: user.email, password: 'wrong password' })
    expect(browser.status).toBe(401)
    expect(browser.text).toContain('role="alert"')
    await browser.submit('/log-in', { email: user.email, password: user.password })
    expect(browser.text).toContain('Sample Clinic')
    expect(browser.text).toContain('127.0.0.1:33999')
    await browser.submit('/abort')
    expect(new URL(browser.url).searchParams.get('error')).toBe('access_denied')
  })

  it('tells the issuer with the code, so that a client knows whose it is (RFC 9207)', async () => {
    const server = await listeningServer()
    const { client_id } = await register(server)
    const { back } = await codeFor(server, client_id, await userOf(server), { state: 'abc' })
    expect(back.origin + back.pathname).toBe(redirectUri)
    expect(back.searchParams.get('iss')).toBe(server.baseUrl)
    expect(back.searchParams.get('state')).toBe('abc')
  })
})

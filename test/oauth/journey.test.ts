import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { tokenHash } from '../../src/accounts/tokens.ts'
import { tokenCall, type Tokens } from '../support/oauth.ts'
import { sampleAnswers, sampleToolAnswers } from '../support/tool-answers.ts'
import { listeningServer, rawCall, type ToolClient } from '../support/tool-server.ts'
import { tools } from '../../src/operations/tools.ts'

const chromiumPath = process.env['RATEBOOK_TEST_CHROMIUM'] ?? '/usr/bin/chromium'
const hasBrowser = existsSync(chromiumPath)
if (!hasBrowser) console.warn(`No browser at ${chromiumPath}: the sign-in journey is skipped.`)

/** What an AI client keeps of a sign-in, as the official libraries ask for it. */
class Keeper {
  readonly redirectUrl: string
  readonly clientMetadata: Record<string, unknown>
  asked: URL | undefined
  #client: unknown
  #tokens: unknown
  #verifier = ''
  #discovery: unknown

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: 'Journey Assistant',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: unknown) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: unknown) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
  discoveryState() {
    return this.#discovery
  }
  saveDiscoveryState(state: unknown) {
    this.#discovery = state
  }
}

interface Connection {
  connect(): Promise<ToolClient>
  finish(back: URL): Promise<void>
}

const info = { name: 'Journey Assistant', version: '1' }

const generations: Record<string, (url: URL, keeper: Keeper) => Connection> = {
  'SDK v1': (url, keeper) => {
    let transport = new TransportV1(url, { authProvider: keeper as never })
    return {
      async connect() {
        const client = new ClientV1(info)
        transport = new TransportV1(url, { authProvider: keeper as never })
        await client.connect(transport as never)
        return client as unknown as ToolClient
      },
      finish: (back) => transport.finishAuth(back.searchParams.get('code') ?? ''),
    }
  },
  'SDK v2': (url, keeper) => {
    let transport = new TransportV2(url, { authProvider: keeper as never })
    return {
      async connect() {
        const client = new ClientV2(info, { versionNegotiation: { mode: 'auto' } })
        transport = new TransportV2(url, { authProvider: keeper as never })
        await client.connect(transport)
        return client as unknown as ToolClient
      },
      finish: (back) => transport.finishAuth(back.searchParams),
    }
  },
}

describe.runIf(hasBrowser)('the journey of an AI client, with a real browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  }, 60_000)
  afterAll(() => browser.close())

  it.each(Object.entries(generations))(
    '%s signs up, registers, consents, calls a tool, refreshes and is revoked',
    async (_, generation) => {
      const server = await listeningServer({ answers: sampleAnswers, toolAnswers: sampleToolAnswers })
      const email = `${randomUUID()}@example.org`
      const password = 'a long password'
      const signedUp = await fetch(`${server.baseUrl}/app/api/sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password, organization: 'Journey Clinic' }),
      })
      expect(signedUp.status).toBe(201)

      const callback = await callbackServer()
      const keeper = new Keeper(callback.url)
      const connection = generation(server.toolUrl, keeper)
      await expect(connection.connect()).rejects.toThrow()
      expect(keeper.asked?.href).toContain(`${server.baseUrl}/oauth/authorize`)

      const context = await browser.newContext()
      onTestFinished(() => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(keeper.asked!.href)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill('not my password')
      await page.getByRole('button', { name: 'Log in' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('wrong')
      complaints.length = 0
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Log in' }).click()
      expect(await page.getByRole('heading').textContent()).toBe('Allow Journey Assistant?')
      expect(await page.textContent('main')).toContain('Journey Clinic')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${callback.url}**`)
      // The style is loaded and nothing breaks the content security policy.
      expect(complaints).toEqual([])

      await connection.finish(await callback.came)
      const client = await connection.connect()
      const { name, example } = tools.search_providers
      const result = await client.callTool({ name, arguments: example.request as Record<string, unknown> })
      expect(result.structuredContent).toMatchObject({ npis: [{ npi: 1234567893 }] })
      const usage = await server.service.records.db.selectFrom('usage').selectAll().execute()
      expect(usage).toMatchObject([{ operation: name, status: 200, credits: 1, key_id: null }])

      // When the token ends, the client gets the next one by itself.
      const before = keeper.tokens() as Tokens
      await server.service.records.db
        .updateTable('oauth_records')
        .set({ expires_at: 1 })
        .where('id', '=', tokenHash(before.access_token))
        .execute()
      expect((await client.listTools()).tools).toHaveLength(5)
      const after = keeper.tokens() as Tokens
      expect(after.access_token).not.toBe(before.access_token)
      expect(after.refresh_token).not.toBe(before.refresh_token)

      const { client_id } = keeper.clientInformation() as { client_id: string }
      await tokenCall(server, { token: after.refresh_token, client_id }, { path: '/oauth/revoke' })
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      expect((await rawCall(server.toolUrl, after.access_token, list)).status).toBe(401)
    },
    60_000,
  )
})

/** Where the browser is sent after consent: the client's own little server. */
async function callbackServer(): Promise<{ url: string; came: Promise<URL> }> {
  let arrive: (url: URL) => void
  const came = new Promise<URL>((resolve) => (arrive = resolve))
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,">Done.')
    if (request.url?.startsWith('/callback')) arrive(new URL(request.url, 'http://127.0.0.1'))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, came }
}

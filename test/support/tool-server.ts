import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { buildServer, type ServerParts } from '../../src/http/server.ts'
import type { Service } from '../../src/service.ts'
import { testService, type TestServiceOptions } from './service.ts'

export interface Listening {
  readonly app: FastifyInstance
  readonly service: Service
  readonly baseUrl: string
  readonly toolUrl: URL
}

/** A whole server on a port of its own, closed when the test ends. */
export async function listeningServer(
  options: TestServiceOptions = {},
  parts: ServerParts = {},
): Promise<Listening> {
  const service = await testService(options)
  const app = await buildServer(service, false, parts)
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  service.address.baseUrl = baseUrl
  onTestFinished(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return { app, service, baseUrl, toolUrl: new URL(`${baseUrl}/api/v1/open/mcp`) }
}

const info = { name: 'test client', version: '1' }
const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

/** The two generations of the official client, behind the few deeds that tests need. */
export const sdkClients = {
  'SDK v1 (2025-11-25 and older)': async (url: URL, token: string) => {
    const client = new ClientV1(info)
    await client.connect(new TransportV1(url, bearer(token)) as never)
    onTestFinished(() => client.close())
    return client as unknown as ToolClient
  },
  'SDK v2 (2026-07-28)': async (url: URL, token: string) => {
    const client = new ClientV2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new TransportV2(url, bearer(token)))
    onTestFinished(() => client.close())
    return client as unknown as ToolClient
  },
} satisfies Record<string, (url: URL, token: string) => Promise<ToolClient>>

export interface ToolResult {
  readonly content: { type: string; text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly _meta?: Record<string, unknown>
}

export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly inputSchema: Record<string, unknown>
  readonly outputSchema?: Record<string, unknown>
  readonly annotations?: Record<string, unknown>
}

/** What both clients can do. */
export interface ToolClient {
  listTools(): Promise<{ tools: ListedTool[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<ToolResult>
  listResources(): Promise<{ resources: { uri: string; name: string }[] }>
  readResource(what: { uri: string }): Promise<{ contents: { text: string }[] }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  getPrompt(what: {
    name: string
    arguments: Record<string, string>
  }): Promise<{ messages: { content: { text: string } }[] }>
  complete(what: unknown): Promise<{ completion: { values: string[] } }>
  getServerVersion(): { name: string } | undefined
}

/** A request in the field's own words, for what no client library would send. */
export async function rawCall(
  url: URL,
  token: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
}

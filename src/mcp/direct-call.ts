import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { Service } from '../service.ts'
import { callTool, isTool, type ToolCall } from './call-tool.ts'
import { serverInfo } from './server-info.ts'

type Json = Readonly<Record<string, unknown>>

/** The headers of a request, as far as they decide how it is answered. */
export type ToolHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A tool call in the form that clients send day in, day out. */
export interface PlainCall {
  readonly id: string | number
  readonly name: string
  readonly arguments: Json | undefined
  /** The revision of 2026-07-28 says more in an answer than the older ones. */
  readonly isModern: boolean
}

const modernRevision = '2026-07-28'
const envelope = 'io.modelcontextprotocol/'
const olderRevisions: ReadonlySet<string> = new Set(
  SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => revision < modernRevision),
)

/**
 * The tool call in a request, where it is one and has nothing about it that the protocol library would have to look at:
 * every header and member is there, is well-formed, and is none but these. The library takes two thirds of the time of a small
 * call to find that out; whatever is not plain is left to it, and so is every other method and every mistake.
 */
export function plainCall(headers: ToolHeaders, body: unknown): PlainCall | undefined {
  if (!isObject(body) || !hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return undefined
  const { jsonrpc, id, method, params } = body
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isObject(params)) return undefined
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (!hasOnly(params, ['name', 'arguments', '_meta'])) return undefined
  const { name, arguments: sent, _meta: meta } = params
  if (typeof name !== 'string' || !isTool(name) || (sent !== undefined && !isObject(sent))) return undefined
  if (!takesEither(headers['accept']) || !isJson(headers['content-type'])) return undefined
  const revision = headers['mcp-protocol-version']
  const isModern = revision === modernRevision
  const isPlain = isModern ? isModernCall(headers, name, meta) : isOlderCall(headers, revision, meta)
  return isPlain ? { id: id as string | number, name, arguments: sent, isModern } : undefined
}

function isModernCall(headers: ToolHeaders, name: string, meta: unknown): boolean {
  if (headers['mcp-method'] !== 'tools/call' || headers['mcp-name'] !== name) return false
  if (Object.keys(headers).some((header) => header.startsWith('mcp-param-'))) return false
  const keys = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((key) => envelope + key)
  if (!isObject(meta) || !hasOnly(meta, keys)) return false
  const [version, client, capabilities] = keys.map((key) => meta[key])
  return (
    version === modernRevision &&
    isObject(client) &&
    hasOnly(client, ['name', 'version', 'title']) &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    (client['title'] === undefined || typeof client['title'] === 'string') &&
    isObject(capabilities) &&
    Object.keys(capabilities).length === 0
  )
}

function isOlderCall(headers: ToolHeaders, revision: unknown, meta: unknown): boolean {
  return (
    (revision === undefined || (typeof revision === 'string' && olderRevisions.has(revision))) &&
    headers['mcp-method'] === undefined &&
    headers['mcp-session-id'] === undefined &&
    meta === undefined
  )
}

/** Answers a plain call: the JSON of the message that the protocol library would send. */
export async function answerPlainCall(
  service: Service,
  { id, name, arguments: sent, isModern }: PlainCall,
  call: ToolCall,
): Promise<string> {
  if (!isTool(name)) throw new Error(`There is no tool ${name}.`)
  const result = await callTool(service, name, sent, call)
  const told = isModern
    ? {
        ...result,
        _meta: { ...result._meta, [`${envelope}serverInfo`]: serverInfo },
        resultType: 'complete',
      }
    : result
  return JSON.stringify({ result: told, jsonrpc: '2.0', id })
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (value: Json, keys: readonly string[]) =>
  Object.keys(value).every((key) => keys.includes(key))

const takesEither = (accept: unknown) =>
  typeof accept === 'string' && accept.includes('application/json') && accept.includes('text/event-stream')

const isJson = (type: unknown) => typeof type === 'string' && /^application\/json\s*(;|$)/i.test(type)

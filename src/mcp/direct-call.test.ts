import { describe, expect, it } from 'vitest'
import { plainCall, type ToolHeaders } from './direct-call.ts'

const name = 'search_medicare_rates'
const info = { name: 'client', version: '1' }
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': info,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const json = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  authorization: 'Bearer key',
}
const modern: ToolHeaders = {
  ...json,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
}
const older: ToolHeaders = { ...json, 'mcp-protocol-version': '2025-11-25' }
const message = (params: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: { medicareType: 'Anesthesia' }, ...params },
})

describe('a plain call', () => {
  it('is what clients of either generation send', () => {
    const call = { id: 7, name, arguments: { medicareType: 'Anesthesia' } }
    expect(plainCall(modern, message({ _meta: meta }))).toEqual({ ...call, isModern: true })
    expect(plainCall(older, message())).toEqual({ ...call, isModern: false })
    expect(plainCall(json, { ...message(), id: 'a' })).toEqual({ ...call, id: 'a', isModern: false })
  })

  it.each<[string, ToolHeaders, unknown]>([
    ['a batch', older, [message()]],
    ['no JSON', older, undefined],
    ['another method', older, { ...message(), method: 'tools/list' }],
    ['a notification', older, { jsonrpc: '2.0', method: 'tools/call', params: { name } }],
    ['a broken id', older, { ...message(), id: 1.5 }],
    ['a missing version of JSON-RPC', older, { ...message(), jsonrpc: undefined }],
    ['an unknown member', older, { ...message(), result: {} }],
    ['an unknown tool', older, message({ name: 'search_everything' })],
    ['a name of every object', older, message({ name: 'constructor' })],
    ['arguments that are a list', older, message({ arguments: [] })],
    ['a task', older, message({ task: {} })],
    ['a progress token', older, message({ _meta: { progressToken: 1 } })],
    ['a session', { ...older, 'mcp-session-id': 'x' }, message()],
    ['an unknown revision', { ...older, 'mcp-protocol-version': '1999-01-01' }, message()],
    ['a client that takes JSON only', { ...older, accept: 'application/json' }, message()],
    ['a client that takes anything', { ...older, accept: '*/*' }, message()],
    ['no JSON by its type', { ...older, 'content-type': 'text/plain' }, message()],
    ['no envelope', modern, message()],
    ['an envelope of another revision', older, message({ _meta: meta })],
    ['another name in the header', { ...modern, 'mcp-name': 'search_providers' }, message({ _meta: meta })],
    ['another method in the header', { ...modern, 'mcp-method': 'tools/list' }, message({ _meta: meta })],
    ['no method in the header', { ...modern, 'mcp-method': undefined }, message({ _meta: meta })],
    ['parameters in headers', { ...modern, 'mcp-param-x': '1' }, message({ _meta: meta })],
    ['a trace', modern, message({ _meta: { ...meta, traceparent: '00-1-2-01' } })],
    ['answers to questions', modern, message({ _meta: meta, inputResponses: {} })],
    [
      'capabilities',
      modern,
      message({ _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } } }),
    ],
    [
      'a client without a name',
      modern,
      message({ _meta: { ...meta, 'io.modelcontextprotocol/clientInfo': { version: '1' } } }),
    ],
    [
      'an envelope that names another revision',
      modern,
      message({ _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } }),
    ],
  ])('has not %s', (_, headers, body) => {
    expect(plainCall(headers, body)).toBeUndefined()
  })
})

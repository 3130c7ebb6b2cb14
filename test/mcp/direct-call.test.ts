import { expect, it } from 'vitest'
import { tools } from '../../src/operations/tools.ts'
import { newCaller } from '../support/doors.ts'
import { sampleAnswers, sampleToolAnswers } from '../support/tool-answers.ts'
import { listeningServer, rawCall } from '../support/tool-server.ts'

interface Message {
  readonly id: unknown
  readonly result: { _meta: Record<string, unknown> }
}

/** The one message of an answer, sent as JSON or as an event. */
async function messageOf(response: Response): Promise<Message> {
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Message
}

it('answers a plain call as the protocol library would, message for message', async () => {
  const { service, toolUrl } = await listeningServer({
    answers: sampleAnswers,
    toolAnswers: sampleToolAnswers,
  })
  const { apiKey } = await newCaller(service, 100)
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  // A token for progress is something for the library to look at; an answer does not depend on it.
  const eras = [
    { modern: true, plain: { _meta: envelope }, other: { _meta: { ...envelope, progressToken: 'p' } } },
    { modern: false, plain: {}, other: { _meta: { progressToken: 'p' } } },
  ]
  for (const { name, example } of Object.values(tools))
    for (const sent of [example.request, { wrong: true }, undefined])
      for (const { modern, plain, other } of eras) {
        const headers: Record<string, string> = modern
          ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
          : { 'mcp-protocol-version': '2025-11-25' }
        const answer = (more: object) =>
          rawCall(
            toolUrl,
            apiKey,
            { jsonrpc: '2.0', id: 'one', method: 'tools/call', params: { name, arguments: sent, ...more } },
            headers,
          )
        const direct = await answer(plain)
        expect(direct.headers.get('content-type')).toContain('application/json')
        expect(direct.headers.get('x-credits-remaining')).toMatch(/^\d+$/)
        const [ours, theirs] = [await messageOf(direct), await messageOf(await answer(other))]
        const charged = ours.result._meta['ratebook/creditsCharged'] as number
        const left = ours.result._meta['ratebook/creditsRemaining'] as number
        expect(charged).toBe(sent === example.request ? 1 : 0)
        expect(theirs).toEqual({
          ...ours,
          result: {
            ...ours.result,
            _meta: { ...ours.result._meta, 'ratebook/creditsRemaining': left - charged },
          },
        })
      }
}, 30_000)

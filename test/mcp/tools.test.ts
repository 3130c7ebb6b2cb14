import { describe, expect, it } from 'vitest'
import { signedUp } from '../support/service.ts'
import { listeningServer, sdkClients } from '../support/tool-server.ts'
import { sampleAnswers, sampleToolAnswers } from '../support/tool-answers.ts'

const names = [
  'search_market_percentile_negotiated_rates',
  'search_market_negotiated_rates',
  'search_provider_fee_schedule',
  'search_providers',
  'search_medicare_rates',
]

describe.each(Object.entries(sdkClients))('%s', (_, connect) => {
  it('lists the five tools with schemas that every client can read', async () => {
    const { service, toolUrl } = await listeningServer()
    const client = await connect(toolUrl, (await signedUp(service)).apiKey)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(names)
    for (const { title, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toBeTruthy()
      expect(annotations).toMatchObject({ readOnlyHint: true })
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      const text = JSON.stringify([inputSchema, outputSchema])
      expect(text).not.toContain('$ref')
      const enums = [...text.matchAll(/"enum":(\[[^\]]*\])/g)].map(
        ([, list]) => JSON.parse(list!) as string[],
      )
      expect(Math.max(0, ...enums.map((list) => list.length))).toBeLessThan(15)
    }
    expect(client.getServerVersion()?.name).toBe('ratebook')
  })

  it('answers every tool with structured content and a readable table', async () => {
    const { service, toolUrl } = await listeningServer({
      answers: sampleAnswers,
      toolAnswers: sampleToolAnswers,
    })
    const { tools } = await import('../../src/operations/tools.ts')
    const client = await connect(toolUrl, (await signedUp(service, { credits: 10 })).apiKey)
    await client.listTools()
    for (const { name, example } of Object.values(tools)) {
      const result = await client.callTool({ name, arguments: example.request as Record<string, unknown> })
      expect(result).not.toHaveProperty('isError', true)
      expect(result.structuredContent).toBeTypeOf('object')
      expect(result.content[0]?.text).toContain('|')
      expect(result._meta).toMatchObject({ 'ratebook/creditsCharged': 1 })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { changeOrganization } from '../../src/accounts/organizations.ts'
import { createKey } from '../../src/accounts/api-keys.ts'
import { tools } from '../../src/operations/tools.ts'
import { newCaller } from '../support/doors.ts'
import { sampleAnswers, sampleToolAnswers } from '../support/tool-answers.ts'
import { listeningServer, rawCall, sdkClients } from '../support/tool-server.ts'

const connect = sdkClients['SDK v2 (2026-07-28)']
const benchmark = tools.search_market_percentile_negotiated_rates
const example = benchmark.example.request as { filters: Record<string, unknown>; metrics: object }

async function opened(credits = 5) {
  const server = await listeningServer({ answers: sampleAnswers, toolAnswers: sampleToolAnswers })
  const caller = await newCaller(server.service, credits)
  const client = await connect(server.toolUrl, caller.apiKey)
  const ask = (name: string, sent: unknown) =>
    client.callTool({ name, arguments: sent as Record<string, unknown> })
  const usage = () => server.service.records.db.selectFrom('usage').selectAll().execute()
  return { ...server, ...caller, client, ask, usage }
}

describe('a tool error', () => {
  it('names the argument, the nearest values and where the list is', async () => {
    const { ask, usage } = await opened()
    const { isError, content } = await ask(benchmark.name, {
      ...example,
      filters: {
        ...example.filters,
        payers: ['Aetnna', 'BCBS of Texas'],
        taxonomyCodes: ['cardiology'],
        states: ['Florida'],
      },
      groupBy: ['payor'],
    })
    const text = content[0]!.text
    expect(isError).toBe(true)
    expect(text).toContain('filters.payers[0]')
    expect(text).toContain('Aetna')
    expect(text).toContain('"Blue Cross Blue Shield of Texas"')
    expect(text).toContain('207RC0000X (Cardiovascular Disease Physician)')
    expect(text).toContain('FL')
    expect(text).toContain('search-rates-options-payers')
    expect(text).toContain('groupBy[0]')
    expect(await usage()).toMatchObject([{ operation: benchmark.name, status: 400, credits: 0 }])
  })

  it('says which property is unknown and which is missing', async () => {
    const { ask } = await opened()
    const { content } = await ask('search_provider_fee_schedule', { payer: ['Aetna'], providers: {} })
    const text = content[0]!.text
    expect(text).toContain('payers: required')
    expect(text).toContain('payer: unknown property; nearest: payers')
    expect(text).toContain('groupBy: required')
    expect(text).toContain('search_providers')
  })

  it('says what the document’s limits are', async () => {
    const { ask } = await opened()
    const market = tools.search_market_negotiated_rates
    const over = await ask(market.name, { ...(market.example.request as object), limit: { offset: 101 } })
    expect(over.content[0]!.text).toContain('limit.offset')
    const both = await ask(market.name, {
      ...(market.example.request as object),
      aggregatedColumns: ['payer'],
    })
    expect(both.content[0]!.text).toContain('aggregatedColumns[0]')
    const medicare = await ask('search_medicare_rates', { medicareType: 'Physician', limit: 0 })
    expect(medicare.content[0]!.text).toContain('"Physician FFS"')
    expect(medicare.content[0]!.text).toContain('limit')
    const nobody = await ask('search_providers', { types: ['npi'] })
    expect(nobody.content[0]!.text).toContain('taxonomyCodes')
  })

  it('says where credits are to be had, and charges nothing', async () => {
    const { ask, baseUrl } = await opened(1)
    expect(await ask(benchmark.name, example)).toMatchObject({ _meta: { 'ratebook/creditsRemaining': 0 } })
    const { isError, content, _meta } = await ask(benchmark.name, example)
    expect(isError).toBe(true)
    expect(content[0]!.text).toContain(`${baseUrl}/account/credits`)
    expect(_meta).toMatchObject({ 'ratebook/failure': 'insufficient_credit', 'ratebook/creditsCharged': 0 })
  })

  it('says that data are not loaded', async () => {
    const server = await listeningServer({ toolAnswers: { search_medicare_rates: undefined } as object })
    const { apiKey } = await newCaller(server.service)
    const client = await connect(server.toolUrl, apiKey)
    const { content, isError } = await client.callTool({
      name: 'search_medicare_rates',
      arguments: { medicareType: 'Anesthesia' },
    })
    expect(isError).toBe(true)
    expect(content[0]!.text).toContain('not loaded')
  })

  it('does not tell what broke inside', async () => {
    const server = await listeningServer({
      toolAnswers: { search_medicare_rates: () => Promise.reject(new Error('secret detail')) },
    })
    const { apiKey } = await newCaller(server.service)
    const client = await connect(server.toolUrl, apiKey)
    const { content, isError } = await client.callTool({
      name: 'search_medicare_rates',
      arguments: { medicareType: 'Anesthesia' },
    })
    expect(isError).toBe(true)
    expect(content[0]!.text).not.toContain('secret detail')
  })
})

describe('access', () => {
  it('lists and serves only what the organisation and the key may use', async () => {
    const { service, organization, apiKey, toolUrl } = await opened()
    await changeOrganization(service.records, organization.id, {
      tools: ['search_providers', 'search_medicare_rates'],
    })
    const names = async (key: string) =>
      (await (await connect(toolUrl, key)).listTools()).tools.map(({ name }) => name)
    expect(await names(apiKey)).toEqual(['search_providers', 'search_medicare_rates'])
    const narrow = await createKey(service.records, organization.id, 'narrow', {
      limits: { groups: null, tools: ['search_providers', benchmark.name], expiresAt: null },
    })
    expect(await names(narrow.apiKey)).toEqual(['search_providers'])
    const client = await connect(toolUrl, narrow.apiKey)
    const refused = await client.callTool({ name: benchmark.name, arguments: example })
    expect(refused.isError).toBe(true)
    expect(refused.content[0]!.text).toContain('operator')
  })

  it('is refused to a suspended organisation', async () => {
    const { service, organization, apiKey, toolUrl } = await opened()
    await changeOrganization(service.records, organization.id, { suspendedAt: 1 })
    const response = await rawCall(toolUrl, apiKey, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(response.status).toBe(403)
  })

  it('charges one credit, counted under the tool’s name', async () => {
    const { ask, usage, key } = await opened()
    await ask(benchmark.name, example)
    expect(await usage()).toMatchObject([
      { operation: benchmark.name, status: 200, credits: 1, key_id: key.id },
    ])
  })

  it('refuses other names of a server on this machine, and other origins (DNS rebinding)', async () => {
    const { toolUrl, apiKey } = await opened()
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await rawCall(toolUrl, apiKey, list, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await rawCall(toolUrl, apiKey, list, { origin: 'http://localhost:6274' })).status).toBe(200)
  })

  it('answers a tool that does not exist, and a body that is none, by the protocol', async () => {
    const { toolUrl, apiKey } = await opened()
    const unknown = await rawCall(toolUrl, apiKey, {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'no_such_tool', arguments: {} },
    })
    expect(await unknown.text()).toContain('-32602')
    const nonsense = await fetch(toolUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{nonsense',
    })
    expect(nonsense.status).toBe(400)
    expect(await nonsense.text()).toContain('-32700')
  })
})

describe('the rate of requests', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const callOf = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: benchmark.name, arguments: example },
  })

  it('counts every message, also those that cost no credit', async () => {
    const { service, toolUrl } = await listeningServer({
      answers: sampleAnswers,
      env: { RATEBOOK_RATE_PER_SECOND: '0.1', RATEBOOK_RATE_BURST: '4' },
    })
    const { apiKey } = await newCaller(service, 5)
    const other = await newCaller(service, 5)
    const answers: Response[] = []
    for (let at = 0; at < 6; at++) answers.push(await rawCall(toolUrl, apiKey, list))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
    expect(Number(answers[5]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answers[5]!.json()).toMatchObject({ code: 'rate_limited' })
    expect((await rawCall(toolUrl, other.apiKey, list)).status).toBe(200)
  })

  it('counts a tool call once', async () => {
    const { service, toolUrl } = await listeningServer({
      answers: sampleAnswers,
      env: { RATEBOOK_RATE_PER_SECOND: '0.1', RATEBOOK_RATE_BURST: '2' },
    })
    const { apiKey } = await newCaller(service, 5)
    const failures: unknown[] = []
    for (let id = 1; id <= 3; id++) {
      const { result } = (await (await rawCall(toolUrl, apiKey, callOf(id))).json()) as {
        result: { _meta: Record<string, unknown> }
      }
      failures.push(result._meta['ratebook/failure'])
    }
    expect(failures).toEqual([undefined, undefined, 'rate_limited'])
  })
})

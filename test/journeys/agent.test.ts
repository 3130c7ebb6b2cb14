import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MarketRow, ProviderRateRow } from '../../src/operations/rate-rows.ts'
import { type DemoServer, startDemoServer } from '../support/demo-server.ts'
import { codeFor, redirectUri, register, tokenCall } from '../support/oauth.ts'
import type { Listening, ToolClient, ToolResult } from '../support/tool-server.ts'

/**
 * "What does each payer pay cardiologists in Florida for an echo, against Medicare": an agent finds its way through the tools
 * alone, on the demo's data, in the real server. It knows nothing beforehand but the question.
 */
const echo = { code: '93306', type: 'CPT' }
const user = {
  email: 'analyst@lakeside.example',
  password: 'a long password',
  organization: 'Lakeside Health',
  credits: 1_000,
}

let server: DemoServer
let place: Listening
let apiKey: string
const clients: ToolClient[] = []

beforeAll(async () => {
  server = await startDemoServer({ RATEBOOK_RATE_PER_SECOND: '1000', RATEBOOK_RATE_BURST: '1000' })
  place = { baseUrl: server.url, toolUrl: new URL(`${server.url}/api/v1/open/mcp`) } as Listening
  apiKey = (await server.createAccount(user)).apiKey
}, 600_000)
afterAll(async () => {
  for (const client of clients) await (client as unknown as Client).close()
  await server.stop()
})

async function connected(token: string): Promise<ToolClient> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(place.toolUrl, { requestInit }))
  clients.push(client as unknown as ToolClient)
  return client as unknown as ToolClient
}

/** Signs in as an AI client does: registered by itself, let in by the user, with a token for this server. */
async function accessToken(): Promise<string> {
  const { client_id } = await register(place)
  const { code, verifier } = await codeFor(place, client_id, user)
  const { body } = await tokenCall(place, {
    grant_type: 'authorization_code',
    client_id,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource: place.toolUrl.href,
  })
  return String(body['access_token'])
}

async function rest<Body>(path: string, sent?: unknown): Promise<Body> {
  const response = await fetch(server.url + path, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

/** A call that must succeed: its structured answer, which the text must show too. */
async function called<Answer>(client: ToolClient, name: string, sent: object): Promise<Answer> {
  const result = await client.callTool({ name, arguments: sent as Record<string, unknown> })
  expect(result).not.toHaveProperty('isError', true)
  expect(result.content[0]!.text).toMatch(/^(NPIs\n\n)?\|/)
  expect(JSON.stringify(result).length).toBeLessThan(200_000)
  return result.structuredContent as Answer
}

const refused = async (client: ToolClient, name: string, sent: object): Promise<string> => {
  const result: ToolResult = await client.callTool({ name, arguments: sent as Record<string, unknown> })
  expect(result.isError).toBe(true)
  return result.content[0]!.text
}

interface Market {
  readonly rows: MarketRow[]
}

describe.each([
  ['an API key', async () => apiKey],
  ['OAuth', accessToken],
])('an agent with %s', (_, tokenOf) => {
  it('answers the question from what the server tells it', async () => {
    const client = await connected(await tokenOf())
    const { tools } = await client.listTools()
    const market = tools.find(({ name }) => name === 'search_market_percentile_negotiated_rates')!
    // The specialty, the word for "no modifier" and the grouping stand in the schema.
    const schema = JSON.stringify(market)
    expect(schema).toContain('cardiology 207RC0000X')
    const taxonomyCodes = ['207RC0000X']

    const { resources } = await client.listResources()
    const options = async (name: string) => {
      const { uri } = resources.find((resource) => resource.uri.endsWith(name))!
      return JSON.parse((await client.readResource({ uri })).contents[0]!.text) as {
        value: string
        name?: string
        states?: string[]
        yearMonths?: unknown[]
      }[]
    }
    expect(await options('search-rates-options-taxonomies')).toContainEqual({
      value: '207RC0000X',
      name: 'Cardiovascular Disease Physician',
    })
    const payers = (await options('search-rates-options-payers'))
      .filter(({ states = [], yearMonths = [] }) => yearMonths.length > 0 && states.includes('FL'))
      .map(({ value }) => value)
    expect(payers.length).toBeGreaterThanOrEqual(3)

    const filters = {
      states: ['FL'],
      taxonomyCodes,
      payers,
      billingCodeAndTypes: [echo],
      billingClasses: ['professional'],
      billingCodeModifiers: ['none'],
    }
    const question = { filters, metrics: { aggregations: ['percentile_50'] }, groupBy: ['payer'] }
    const against = { ...question, metrics: { ...question.metrics, comparedTo: 'medicare_2025' } }
    const dollars = await called<Market>(client, market.name, question)
    const percents = await called<Market>(client, market.name, against)
    expect(dollars.rows.map(({ payer }) => payer)).toEqual([...payers].sort())
    expect(percents.rows.map(({ payer }) => payer)).toEqual([...payers].sort())
    expect(dollars.rows).toEqual(await rest('/api/v1/market/benchmarks', question))
    expect(percents.rows).toEqual(await rest('/api/v1/market/benchmarks', against))

    // Dollars, percents and Medicare's own amounts tell one story: the median percent lies between the extremes of the localities.
    const medicare = await called<{
      rows: { modifier: string | null; nonFacilityAmount: number; year: number; state: string }[]
    }>(client, 'search_medicare_rates', {
      medicareType: 'Physician FFS',
      codes: [echo.code],
      years: [2025],
      states: ['FL'],
    })
    const amounts = medicare.rows
      .filter(({ modifier }) => !modifier)
      .map(({ nonFacilityAmount }) => nonFacilityAmount)
    expect(amounts.length).toBeGreaterThan(1)
    for (const [at, { value }] of dollars.rows.entries()) {
      const percent = percents.rows[at]!.value
      expect(percent).toBeGreaterThanOrEqual((value / Math.max(...amounts)) * 100 * 0.6)
      expect(percent).toBeLessThanOrEqual((value / Math.min(...amounts)) * 100 * 1.6)
    }

    // Who is paid most, page by page.
    const listing = { filters, sortInfo: [{ id: 'rate', desc: true }] }
    interface Page {
      rows: { npi: number; tin: number; payer: string; rate: number }[]
      totalRows: number
      nextStart: number | null
    }
    const page = (start: number, offset: number) =>
      called<Page>(client, 'search_market_negotiated_rates', { ...listing, limit: { start, offset } })
    const first = await page(0, 40)
    const second = await page(first.nextStart!, 40)
    expect(first.totalRows).toBe(second.totalRows)
    expect([...first.rows, ...second.rows].slice(0, 60)).toEqual(
      [...first.rows, ...second.rows.slice(0, 20)].toSorted((a, b) => b.rate - a.rate),
    )
    expect([...first.rows, ...second.rows].slice(0, 50)).toEqual((await page(0, 50)).rows)

    // One of them by name, and its fee schedule.
    const { npi, tin, payer, rate } = first.rows[0]!
    const found = await called<{ npis: { npi: number; name: string; inNetworkPayers: string[] }[] }>(
      client,
      'search_providers',
      { providerName: String(npi), limit: 1 },
    )
    expect(found.npis[0]).toMatchObject({ npi })
    expect(found.npis[0]!.inNetworkPayers).toContain(payer)
    const byName = await called<{ npis: { npi: number }[] }>(client, 'search_providers', {
      providerName: found.npis[0]!.name,
      states: ['FL'],
      limit: 50,
    })
    expect(byName.npis.map((one) => one.npi)).toContain(npi)
    const asked = {
      providers: { npis: [npi], tins: [tin] },
      payers: [payer],
      billingCodeAndTypes: [echo],
      groupBy: ['payer', 'billingCode', 'billingCodeModifier', 'network'],
    }
    const schedule = await called<{ rows: ProviderRateRow[] }>(client, 'search_provider_fee_schedule', asked)
    expect(schedule.rows).toEqual(await rest('/api/v1/provider/rates', asked))
    expect(schedule.rows).toContainEqual(
      expect.objectContaining({ metrics: `npi_${npi}`, value: rate, billingCodeModifier: 'none' }),
    )
  }, 120_000)

  it('is told how to mend what it guessed wrong', async () => {
    const client = await connected(await tokenOf())
    const text = await refused(client, 'search_market_percentile_negotiated_rates', {
      filters: {
        states: ['FL'],
        taxonomyCodes: ['cardiology'],
        payers: ['all payers', 'Demo Atlantik'],
        billingCodeAndTypes: [echo],
      },
      metrics: { aggregations: ['median'], comparedTo: 'medicare' },
      groupBy: ['payer'],
    })
    expect(text).toContain('207RC0000X (Cardiovascular Disease Physician)')
    expect(text).toContain('There is no word for all payers: name each')
    expect(text).toContain('Demo Atlantic')
    expect(text).toContain('medicare_2025')
    expect(text).toContain('median_rate')
    // Those with data in the state asked about come first; each hint is given once.
    const [, named = ''] = /Payers with data here: ([^.]*)/.exec(text) ?? []
    expect(named.split(', ')[0]).toBe('Demo Atlantic')
    expect(text.match(/search-rates-options-payers/g)).toHaveLength(1)
  }, 60_000)

  it('is told that a payer has no data here, and which have', async () => {
    const client = await connected(await tokenOf())
    const { structuredContent } = await client.callTool({
      name: 'search_market_percentile_negotiated_rates',
      arguments: {
        filters: {
          states: ['FL'],
          taxonomyCodes: ['207RC0000X'],
          payers: ['Aetna'],
          billingCodeAndTypes: [echo],
        },
        metrics: { aggregations: ['percentile_50'] },
        groupBy: ['payer'],
      },
    })
    expect(structuredContent).toMatchObject({ rows: [], totalRows: 0 })
    expect(structuredContent!['advice']).toMatch(/No data are loaded for Aetna\. .*Demo Atlantic/)
  }, 60_000)
})

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Pricing } from '../../src/pricing/pricing.ts'
import type { Providers } from '../../src/providers/open.ts'
import { answersOf } from '../../src/service/answers.ts'
import { newCaller } from '../support/doors.ts'
import { publishedFiles } from '../support/payer-files.ts'
import { directory, marketQuestion, providerQuestion } from '../support/pricing-questions.ts'
import { attributesOf, publishFiles } from '../support/published.ts'
import { call } from '../support/service.ts'
import { listeningServer, sdkClients } from '../support/tool-server.ts'

const questions = 25
const rowsMost = 500

it('gives the same numbers through REST and through the tools', async () => {
  const [files = []] = fc.sample(publishedFiles, { numRuns: 1, seed: 7 })
  const [providers = []] = fc.sample(directory, { numRuns: 1, seed: 7 })
  const published = await publishFiles(files)
  const attributes = attributesOf(providers)
  const pricing = new Pricing(
    published.rates,
    { attributes: async () => attributes },
    { secret: 'a secret that is long enough for a test', now: Date.now },
  )
  try {
    const { app, service, toolUrl } = await listeningServer({
      answers: answersOf(pricing, {} as Providers, 10_000),
      env: { RATEBOOK_RATE_PER_SECOND: '10000', RATEBOOK_RATE_BURST: '10000' },
    })
    const { apiKey } = await newCaller(service, 10_000)
    const clients = await Promise.all(Object.values(sdkClients).map((connect) => connect(toolUrl, apiKey)))
    let rowsSeen = 0
    const same = async (path: string, tool: string, question: unknown) => {
      const asked = JSON.parse(JSON.stringify(question)) as Record<string, unknown>
      const rest = await call(app, apiKey, 'POST', path, { groupBy: [], ...asked })
      // A question that one door refuses, the other refuses too: here, a baseline that is not loaded.
      const rows = rest.statusCode === 200 ? rest.json<unknown[]>().slice(0, rowsMost) : undefined
      rowsSeen += rows?.length ?? 0
      for (const client of clients) {
        const result = await client.callTool({ name: tool, arguments: { groupBy: [], ...asked } })
        expect(result.structuredContent?.['rows']).toEqual(rows)
      }
    }
    for (const question of fc.sample(marketQuestion, { numRuns: questions, seed: 11 }))
      await same('/api/v1/market/benchmarks', 'search_market_percentile_negotiated_rates', question)
    for (const question of fc.sample(providerQuestion, { numRuns: questions, seed: 13 }))
      await same('/api/v1/provider/rates', 'search_provider_fee_schedule', question)
    expect(rowsSeen).toBeGreaterThan(100)
  } finally {
    published.remove()
  }
}, 60_000)

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publishedFiles } from '../../test/support/payer-files.ts'
import {
  directory,
  marketQuestion,
  marketRatesQuestion,
  providerQuestion,
} from '../../test/support/pricing-questions.ts'
import { attributesOf, publishFiles } from '../../test/support/published.ts'
import { openRates } from '../warehouse/rates.ts'
import type { BenchmarksRequest } from './benchmarks.ts'
import type { MarketRatesRequest } from './market-rates.ts'
import { Pricing, type PricingSettings } from './pricing.ts'
import type { ProviderRatesRequest } from './provider-rates.ts'

/** Ways to run the engine that must not be seen in an answer: memory, length of turns, how many at once, one by one or all together. */
const ways: readonly {
  readonly cacheBytes?: number
  readonly together: boolean
  readonly settings: Omit<PricingSettings, 'secret'>
}[] = [
  { together: false, settings: {} },
  { cacheBytes: 1, together: false, settings: { turnMs: 1_000 } },
  { cacheBytes: 2_000, together: true, settings: { turnMs: 0 } },
  {
    together: true,
    settings: { turnMs: 0, scheduler: { heavyRows: 0, heavyAtOnce: 1, waitingMost: 1_000 } },
  },
  {
    together: true,
    settings: { turnMs: 0.05, scheduler: { heavyRows: 3, heavyAtOnce: 7, waitingMost: 1_000 } },
  },
]

const question = fc.oneof(
  marketQuestion.map((request) => ({ kind: 'benchmarks' as const, request })),
  marketRatesQuestion.map((request) => ({ kind: 'market rates' as const, request })),
  providerQuestion.map((request) => ({ kind: 'provider rates' as const, request })),
)
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never

async function answer(pricing: Pricing, { kind, request }: Question): Promise<string> {
  const call = { organization: 'one' }
  const asked = {
    benchmarks: () => pricing.benchmarks(request as BenchmarksRequest, call),
    'market rates': () => pricing.marketRates(request as MarketRatesRequest, call),
    'provider rates': () => pricing.providerRates(request as ProviderRatesRequest, call),
  }
  return JSON.stringify(await asked[kind]())
}

describe('settings of the engine', () => {
  it('do not change a byte of an answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        publishedFiles,
        directory,
        fc.array(question, { minLength: 10, maxLength: 10 }),
        async (files, providers, questions) => {
          const published = await publishFiles(files)
          const attributes = attributesOf(providers)
          const medicare = { locality: () => 0, amount: () => 1_000_000 }
          try {
            const answers: string[][] = []
            for (const { cacheBytes, together, settings } of ways) {
              const rates = openRates(published.folder, cacheBytes === undefined ? {} : { cacheBytes })
              const references = { attributes: async () => attributes, medicare: async () => medicare }
              const pricing = new Pricing(rates, references, { secret: 'x'.repeat(32), ...settings })
              if (together) answers.push(await Promise.all(questions.map((asked) => answer(pricing, asked))))
              else {
                const one: string[] = []
                for (const asked of questions) one.push(await answer(pricing, asked))
                answers.push(one)
              }
              rates.close()
            }
            for (const other of answers.slice(1)) expect(other).toEqual(answers[0])
          } finally {
            published.remove()
          }
        },
      ),
      { numRuns: Number(process.env['RATEBOOK_TEST_RUNS'] ?? 8) },
    )
  }, 600_000)
})

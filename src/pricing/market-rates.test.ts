import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveMarketRates } from '../../test/support/naive-market-rates.ts'
import { naiveEntries } from '../../test/support/naive-rates.ts'
import { publishedFiles } from '../../test/support/payer-files.ts'
import { directory, marketRatesQuestion } from '../../test/support/pricing-questions.ts'
import { attributesOf, publishFiles } from '../../test/support/published.ts'
import { marketRates, type MarketRatesRequest } from './market-rates.ts'

const runs = Number(process.env['RATEBOOK_TEST_RUNS'] ?? 15)
const questionsPerRun = 12

describe('market rates', () => {
  it(
    'agree with a plain reading of the rules, row by row, in order, page by page',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          publishedFiles,
          directory,
          fc.array(marketRatesQuestion, { minLength: questionsPerRun, maxLength: questionsPerRun }),
          async (files, providers, questions) => {
            const published = await publishFiles(files)
            try {
              const snapshot = await published.rates.current()
              const attributes = attributesOf(providers)
              const entries = naiveEntries(files)
              for (const question of questions) {
                const page = await marketRates({ snapshot, attributes }, question as MarketRatesRequest)
                const expected = naiveMarketRates({ entries, directory: providers }, question)
                expect(page.total).toBe(expected.total)
                expect(page.rows.map(shown)).toEqual(
                  expected.rows.map(({ payer, month, columns, entries: count }) => ({
                    payer,
                    yearMonth: { year: Math.floor(month / 100), month: month % 100 },
                    ...columns,
                    entries: count,
                  })),
                )
                for (const [at, { rate, source }] of page.rows.entries()) {
                  expect(Math.abs(rate - expected.rows[at]!.rate)).toBeLessThan(1e-5)
                  expect([...expected.rows[at]!.sources]).toContain(placeOf(source))
                }
              }
            } finally {
              published.remove()
            }
          },
        ),
        { numRuns: runs },
      )
    },
    60_000 + runs * 1_000,
  )
})

const shown = ({ rate: _, source: __, ...row }: Record<string, unknown>) => row

function placeOf({ file, place }: { file: string; place: string }): string {
  const [, item, rate] = /^in_network\[(\d+)\]\.negotiated_rates\[(\d+)\]$/.exec(place)!
  return `${file} ${item} ${rate}`
}

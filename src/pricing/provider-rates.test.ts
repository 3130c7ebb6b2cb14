import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveProviderRates } from '../../test/support/naive-provider-rates.ts'
import { naiveEntries } from '../../test/support/naive-rates.ts'
import { npis, publishedFiles } from '../../test/support/payer-files.ts'
import { directory, providerQuestion } from '../../test/support/pricing-questions.ts'
import { attributesOf, publishFiles } from '../../test/support/published.ts'
import { providerRates, type ProviderRatesRequest } from './provider-rates.ts'

const runs = Number(process.env['RATEBOOK_TEST_RUNS'] ?? 20)
const questionsPerRun = 12

const hospitals: Record<string, number[]> = { '050454': [npis[0]!, npis[7]!], '45S033': [npis[3]!] }
const codeGroup = (type: string, code: string) =>
  code === 'J1100' ? undefined : { group: type, subgroup: code.slice(0, 1) }

describe('provider rates', () => {
  it(
    'agree with a plain reading of the rules, row by row and in order',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          publishedFiles,
          directory,
          fc.array(providerQuestion, { minLength: questionsPerRun, maxLength: questionsPerRun }),
          async (files, providers, questions) => {
            const published = await publishFiles(files)
            try {
              const snapshot = await published.rates.current()
              const attributes = attributesOf(providers)
              const reference = {
                entries: naiveEntries(files),
                published: files,
                directory: providers,
                medicare: () => undefined,
                codeGroup,
                hospitals,
              }
              for (const question of questions) {
                const { rows } = await providerRates(
                  { snapshot, attributes, codeGroup, hospitalNpis: (ccn) => hospitals[ccn] ?? [] },
                  question as ProviderRatesRequest,
                )
                expect(rows).toEqual(naiveProviderRates(reference, question))
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

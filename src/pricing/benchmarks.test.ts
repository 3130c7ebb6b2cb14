import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveBenchmarks, type NaiveReference } from '../../test/support/naive-benchmarks.ts'
import { naiveEntries } from '../../test/support/naive-rates.ts'
import { publishedFiles } from '../../test/support/payer-files.ts'
import { directory, marketQuestion, zips } from '../../test/support/pricing-questions.ts'
import { attributesOf, publishFiles } from '../../test/support/published.ts'
import type { MedicareAmounts } from './baseline.ts'
import { benchmarks, type BenchmarksRequest } from './benchmarks.ts'

const runs = Number(process.env['RATEBOOK_TEST_RUNS'] ?? 20)
const questionsPerRun = 12

/** Invented Medicare amounts: one code without any, ZIPs as localities, one modifier, two places. */
const medicare: MedicareAmounts = {
  locality: (_, zip) => (zip === '10001' ? undefined : zips.indexOf(zip)),
  amount: ({ code, modifiers, facility, locality }) =>
    code === '470'
      ? undefined
      : (Number(code.replace(/\D/g, '')) +
          locality * 7 +
          (modifiers.includes('26') ? 3 : 0) +
          (facility ? 11 : 0)) *
        1_000,
}

const facilityPlaces = new Set(['02', '22'])
const naiveMedicare: NaiveReference['medicare'] = (entry, provider) => {
  if (entry.code === '470' || provider.zip === '10001') return undefined
  const places = entry.serviceCodes.filter((place) => place !== 'CSTM-00')
  const facility =
    places.length > 0
      ? places.every((place) => facilityPlaces.has(place))
      : entry.billingClass === 'institutional'
  const base = Number(entry.code.replace(/\D/g, '')) + zips.indexOf(provider.zip) * 7
  return (base + (entry.modifiers.includes('26') ? 3 : 0) + (facility ? 11 : 0)) / 10
}

const codeGroup = (type: string, code: string) =>
  code === 'J1100' ? undefined : { group: type, subgroup: code.slice(0, 1) }

describe('benchmarks', () => {
  it(
    'agree with a plain reading of the rules, to the cent and to the count',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          publishedFiles,
          directory,
          fc.array(marketQuestion, { minLength: questionsPerRun, maxLength: questionsPerRun }),
          async (files, providers, questions) => {
            const published = await publishFiles(files)
            try {
              const snapshot = await published.rates.current()
              const attributes = attributesOf(providers)
              const reference: NaiveReference = {
                entries: naiveEntries(files),
                published: files,
                directory: providers,
                medicare: naiveMedicare,
                codeGroup,
              }
              for (const question of questions) {
                const rows = await benchmarks(
                  { snapshot, attributes, medicare, codeGroup },
                  question as BenchmarksRequest,
                )
                const expected = naiveBenchmarks(reference, question)
                expect(rows.map(withoutValue)).toEqual(expected.map(withoutValue))
                for (const [at, row] of rows.entries())
                  expect(Math.abs(row.value - Number(expected[at]!['value']))).toBeLessThan(1e-5)
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

const withoutValue = (row: Record<string, unknown>) => ({ ...row, value: undefined })

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFile } from '../src/ingestion/reader/reader.ts'
import type { SourceMonth } from '../src/vocabulary/period.ts'
import { buildMonth } from '../src/warehouse/build-month.ts'
import { Build } from '../src/warehouse/build.ts'
import { benchmarks, type BenchmarksRequest } from '../src/pricing/benchmarks.ts'
import { providerRates, type ProviderRatesRequest } from '../src/pricing/provider-rates.ts'
import { publishBuilds } from '../src/warehouse/manifest.ts'
import { openRates } from '../src/warehouse/rates.ts'
import { comparable, entriesOf } from './support/build-entries.ts'
import { naiveBenchmarks } from './support/naive-benchmarks.ts'
import { naiveProviderRates } from './support/naive-provider-rates.ts'
import { type NaiveEntry, naiveEntries } from './support/naive-rates.ts'
import type { PayerFile } from './support/payer-file.ts'
import { attributesOf, temporaryFolder } from './support/published.ts'
import { madeDirectory, realQuestions } from './support/real-questions.ts'
import { type LooseFile, normalFile, realFileBytes, realFileNames } from './support/real-files.ts'

const pricesMost = 2_000
const entriesMost = 250_000

/** Some codes of a file, spread over it, few enough to spell out every entry. */
function sampledCodes(file: PayerFile): Set<string> {
  const groups = new Map(
    (file.provider_references ?? []).map((reference) => [
      reference.provider_group_id,
      reference.provider_groups.reduce((sum, { npi }) => sum + npi.length, 0),
    ]),
  )
  const sizes = new Map<string, number>()
  for (const { billing_code, negotiated_rates } of file.in_network)
    for (const rate of negotiated_rates) {
      const inline = (rate.provider_groups ?? []).reduce((sum, { npi }) => sum + npi.length, 0)
      const named = (rate.provider_references ?? []).reduce((sum, id) => sum + (groups.get(id) ?? 0), 0)
      sizes.set(
        billing_code,
        (sizes.get(billing_code) ?? 0) + (inline + named) * rate.negotiated_prices.length,
      )
    }
  const codes = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1))
  const step = Math.max(1, Math.floor(codes.length / 40))
  const chosen = new Set<string>()
  let entries = 0
  for (let at = 0; at < codes.length && chosen.size < pricesMost; at += step) {
    const [code, size] = codes[at]!
    if (entries + size > entriesMost) continue
    entries += size
    chosen.add(code)
  }
  return chosen
}

const questionsEach = 3 * Number(process.env['RATEBOOK_TEST_RUNS'] ?? 10)
const withoutValue = (row: Record<string, unknown>) => ({ ...row, value: undefined })

/** Asks random questions about the sampled codes, of the product and of the naive reference. */
async function expectSameAnswers(
  folder: string,
  entries: readonly NaiveEntry[],
  published: readonly { readonly payer: string; readonly month: number }[],
): Promise<void> {
  if (entries.length === 0) return
  const directory = madeDirectory(entries)
  const attributes = attributesOf(directory)
  const rates = openRates(folder)
  try {
    const sources = { snapshot: await rates.current(), attributes }
    const { market, provider } = realQuestions(entries, questionsEach, 2026)
    for (const question of market) {
      const asked = new Set(question.filters.billingCodeAndTypes.map(({ type, code }) => `${type} ${code}`))
      const reference = {
        entries: entries.filter(({ type, code }) => asked.has(`${type} ${code}`)),
        published,
        directory,
        medicare: () => undefined,
        codeGroup: () => undefined,
      }
      const rows = await benchmarks(sources, question as BenchmarksRequest)
      const expected = naiveBenchmarks(reference, question)
      expect(rows.map(withoutValue)).toEqual(expected.map(withoutValue))
      for (const [at, row] of rows.entries())
        expect(Math.abs(row.value - Number(expected[at]!['value']))).toBeLessThan(1e-5)
    }
    for (const question of provider) {
      const reference = {
        entries,
        published,
        directory,
        medicare: () => undefined,
        codeGroup: () => undefined,
        hospitals: {},
      }
      const { rows } = await providerRates(sources, question as ProviderRatesRequest)
      expect(rows).toEqual(naiveProviderRates(reference, question))
    }
  } finally {
    rates.close()
  }
}

describe.skipIf(realFileNames.length === 0)('real payer files', () => {
  it.each(realFileNames)(
    '%s: published entries are those of the JSON, and so are the answers',
    async (name) => {
      const bytes = realFileBytes(name)
      const folder = temporaryFolder('real')
      try {
        const stage = join(folder, 'stage')
        await readFile([bytes], stage)
        const built = await buildMonth({
          payer: 'Aetna',
          month: 202605 as SourceMonth,
          sources: [{ stage, digest: 'real', plans: ['PPO'], networks: [] }],
          ratesFolder: folder,
        })
        const file = normalFile(JSON.parse(bytes.toString()) as LooseFile)
        expect(built.counts.pricesPublished).toBe(
          file.in_network.reduce(
            (sum, item) =>
              sum + item.negotiated_rates.reduce((all, rate) => all + rate.negotiated_prices.length, 0),
            0,
          ),
        )
        const codes = sampledCodes(file)
        const sampled = {
          ...file,
          in_network: file.in_network.map((item) =>
            codes.has(item.billing_code) ? item : { ...item, negotiated_rates: [] },
          ),
        }
        const build = new Build(join(folder, 'builds', built.build))
        const published = {
          payer: 'Aetna',
          month: 202605,
          digest: 'real',
          plans: ['PPO'],
          networks: [],
          file: sampled,
        }
        const entries = naiveEntries([published])
        const [ours, theirs] = [comparable(entriesOf(build, codes)), comparable(entries)]
        expect(ours.length).toBe(theirs.length)
        const differs = ours.findIndex((entry, at) => entry !== theirs[at])
        expect([ours[differs], theirs[differs]]).toEqual([undefined, undefined])
        build.close()
        await publishBuilds(folder, [built])
        await expectSameAnswers(folder, entries, [published])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    120_000,
  )
})

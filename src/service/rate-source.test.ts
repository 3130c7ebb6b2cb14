import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NaiveEntry, naiveEntries } from '../../test/support/naive-rates.ts'
import type { PublishedFile } from '../../test/support/payer-file.ts'
import { publishedFiles } from '../../test/support/payer-files.ts'
import { publishFiles } from '../../test/support/published.ts'
import type { WebRequest } from '../operations/app.ts'
import { rateSource } from './rate-source.ts'

type Question = WebRequest<'rateSource'>

const monthText = (month: number) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
const hospital = '050454'

const questionOf = (entry: NaiveEntry, kind: Question['kind']): Question => ({
  payer: entry.payer,
  month: monthText(entry.month),
  type: entry.type,
  code: entry.code,
  kind,
  id: { npi: String(entry.npi), tin: entry.tin, ccn: hospital }[kind],
  value: String(entry.rate / 10_000),
})

/** Whether the place in the file holds such a rate of such a provider, looked up in the JSON itself. */
function holds(
  files: readonly PublishedFile[],
  digest: string,
  place: string,
  entry: NaiveEntry,
  kind: string,
) {
  const { file } = files.find((one) => one.digest === digest)!
  const [, item = '', rate = ''] = /^in_network\[(\d+)\]\.negotiated_rates\[(\d+)\]$/.exec(place) ?? []
  const { billing_code: code, negotiated_rates: rates } = file.in_network[Number(item)]!
  const at = rates[Number(rate)]!
  const groups = [
    ...(at.provider_groups ?? []),
    ...(at.provider_references ?? []).flatMap((id) =>
      (file.provider_references ?? [])
        .filter((reference) => reference.provider_group_id === id)
        .flatMap((reference) => reference.provider_groups),
    ),
  ]
  const tins = groups.filter(({ npi }) => npi.includes(entry.npi)).map(({ tin }) => tin.value)
  return (
    code === entry.code &&
    at.negotiated_prices.some((price) => Math.round(price.negotiated_rate * 10_000) === entry.rate) &&
    // A hospital is also whoever is paid under its TINs.
    (kind === 'npi'
      ? tins.length > 0
      : kind === 'tin'
        ? groups.some(({ tin }) => tin.value === entry.tin)
        : true)
  )
}

describe('where a rate was read', () => {
  it('is a place in a file of that payer and month which holds it', async () => {
    await fc.assert(
      fc.asyncProperty(publishedFiles, async (files) => {
        const published = await publishFiles(files)
        try {
          for (const entry of naiveEntries(files).slice(0, 30))
            for (const kind of ['npi', 'tin', 'ccn'] as const) {
              if (kind === 'npi' && entry.npi === 0) continue
              const providers = { hospitalBilling: async () => [{ ccn: hospital, npis: [entry.npi] }] }
              if (kind === 'ccn' && entry.npi === 0) continue
              const source = await rateSource(published.rates, providers as never, questionOf(entry, kind))
              const file = files.find(({ digest }) => digest === source.digest)!
              expect(file).toMatchObject({ payer: entry.payer, month: entry.month })
              expect(holds(files, source.digest, source.place, entry, kind)).toBe(true)
              expect(source.offset).toBeGreaterThanOrEqual(0)
            }
        } finally {
          published.remove()
        }
      }),
      { numRuns: 15 },
    )
  }, 60_000)

  it('is said not to be there when the rate, the provider, the code, the month or the payer is another', async () => {
    const [files] = fc.sample(
      publishedFiles.filter((some) => naiveEntries(some).some(({ npi }) => npi !== 0)),
      1,
    )
    const published = await publishFiles(files!)
    try {
      const entry = naiveEntries(files!).find(({ npi }) => npi !== 0)!
      const right = questionOf(entry, 'npi')
      const none = { hospitalBilling: async () => [] }
      await expect(rateSource(published.rates, none, right)).resolves.toBeTruthy()
      const wrong: Partial<Question>[] = [
        { value: '7.77' },
        { value: 'a lot' },
        { id: '1999999984' },
        { code: '00000' },
        { month: '2020-01' },
        { month: '2020-13' },
        { payer: 'Nobody' },
        { kind: 'ccn', id: hospital },
      ]
      for (const part of wrong)
        await expect(rateSource(published.rates, none, { ...right, ...part })).rejects.toMatchObject({
          code: 'not_found',
        })
    } finally {
      published.remove()
    }
  })
})

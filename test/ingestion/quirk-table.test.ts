// What real payer files do, from the file to what is published; single values are tried in src/ingestion/reader/quirks.test.ts.
// docs/ingestion.md says which test stands for which habit of publishers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '../../src/ingestion/ingest.ts'
import { status } from '../../src/ingestion/status.ts'
import type { SourceMonth } from '../../src/vocabulary/source-month.ts'
import { Build } from '../../src/warehouse/build.ts'
import { entriesOf } from '../support/build-entries.ts'
import { bytesOf, inNetworkFile, item, price, reference } from '../support/in-network.ts'

let folder: string
let rates: string
const may = 202605 as SourceMonth

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quirks-'))
  rates = join(folder, 'rates')
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (name: string, bytes: Uint8Array | string) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
const run = (...sources: string[]) => ingest({ ratesFolder: rates, sources, threads: 1 })

/** The published entries as short texts, in order. */
async function published(...sources: string[]): Promise<string[]> {
  const { months } = await run(...sources)
  const build = new Build(join(rates, 'builds', months[0]!.build))
  try {
    return entriesOf(build)
      .map(({ tin, npi, type, code, severity, rate }) => [tin, npi, type, code + severity, rate].join(' '))
      .sort()
  } finally {
    build.close()
  }
}

const quality = async () => (await status(rates, { payer: 'Aetna', month: may })).payers[0]!.months[0]!

const patience = { timeout: 120_000 }

describe('the same rates, however a publisher lays them out', patience, () => {
  const groups = [
    { npi: [1234567893, 1111111112], tin: { type: 'ein', value: '12-3456789' } },
    { npi: [0], tin: { type: 'ein', value: '98-7654321' } },
  ]
  const prices = [price(100.25)]
  const rest = { name: 'x', billing_code_type: 'CPT', billing_code: '99213' }
  const header = { reporting_entity_name: 'Aetna', reporting_entity_type: 'i', last_updated_on: '2026-05-01' }
  const named = [
    { ...rest, negotiated_rates: [{ negotiated_prices: prices, provider_references: [690.6447] }] },
  ]
  const references = [{ provider_group_id: 690.6447, provider_groups: groups }]
  const layouts: Record<string, Buffer> = {
    'references first': bytesOf({ ...header, provider_references: references, in_network: named }),
    'references last': bytesOf({ ...header, in_network: named, provider_references: references }),
    'groups in the rate': bytesOf({
      ...header,
      in_network: [{ ...rest, negotiated_rates: [{ provider_groups: groups, negotiated_prices: prices }] }],
    }),
    'an id with a zero behind it': Buffer.from(
      JSON.stringify({ ...header, provider_references: references, in_network: named }).replace(
        '690.6447',
        '690.64470',
      ),
    ),
    'numbers as texts, one value for a list, a capital key, nulls and empty texts': Buffer.from(
      `\ufeff${JSON.stringify({
        ...header,
        provider_references: [
          {
            provider_group_id: '690.6447',
            provider_groups: [
              { NPI: ['1234567893', 1111111112, null, ''], tin: { type: 'EIN', value: '123456789' } },
              { npi: 0, tin: { type: 'ein', value: '98-7654321' } },
            ],
          },
        ],
        in_network: {
          ...rest,
          billing_code: 99213,
          negotiated_rates: {
            negotiated_prices: { ...price(0), negotiated_rate: '100.250', service_code: '11', setting: null },
            provider_references: '690.6447',
          },
        },
      })}`,
    ),
    'lines and blanks between all parts': Buffer.from(
      JSON.stringify({ ...header, provider_references: references, in_network: named }, undefined, '\r\n\t '),
    ),
  }

  it.each(Object.entries(layouts))('%s', async (_what, bytes) => {
    expect(await published(put('2026-05-01_a.json', bytes))).toEqual([
      '123456789 1111111112 CPT 99213 1002500',
      '123456789 1234567893 CPT 99213 1002500',
      '987654321 0 CPT 99213 1002500',
    ])
  })
})

it(
  'merges the items of a code, keeps an entry once and counts how often it was published',
  patience,
  async () => {
    const file = inNetworkFile({
      in_network: [
        item('CPT', '99213', [1], [price(100), price(100), price(80)]),
        item('CPT', '99213', [1], [price(100)]),
        item('MS-DRG', '0100', [1], [price(5_000)]),
        item('MS-DRG', '100', [1], [price(5_000)]),
        item('RC', '450', [1], [price(7)]),
        item('APR-DRG', '0451', [1], [price(9)]),
      ],
    })
    expect(await published(put('2026-05-01_a.json', bytesOf(file)))).toEqual([
      '123456789 1234567893 APR-DRG 0451 90000',
      '123456789 1234567893 CPT 99213 1000000',
      '123456789 1234567893 CPT 99213 800000',
      '123456789 1234567893 MS-DRG 100 50000000',
      '123456789 1234567893 RC 0450 70000',
    ])
    const month = await quality()
    expect(month.counts).toMatchObject({ pricesPublished: 8, prices: 5, entries: 5, codes: 4 })
  },
)

it('reads equal bytes once, whatever number of names they have', patience, async () => {
  const bytes = gzipSync(bytesOf(inNetworkFile()))
  const summary = await run(put('2026-05-01_host-a.json.gz', bytes), put('2026-05-01_host-b.json.gz', bytes))
  expect(summary.months).toMatchObject([{ counts: { files: 1, pricesPublished: 2 } }])
  const { files = [] } = await quality()
  expect(new Set(files.map(({ digest }) => digest)).size).toBe(1)
})

it('tells a table of commas from JSON, and says so', patience, async () => {
  const good = put('2026-05-01_a.json', bytesOf(inNetworkFile()))
  const summary = await run(good, put('2026-05-01_rates.json', 'NPI,TIN,RATE\n1234567893,123456789,7\n'))
  expect(summary.files).toMatchObject({ read: 1, failed: 1 })
  expect(summary.problems).toMatchObject([{ says: expect.stringContaining('NPI,TIN,RATE') as string }])
})

describe('the quality of a month', patience, () => {
  it('counts every kind of weakness, by file and in all', async () => {
    const weak = inNetworkFile({
      last_updated_on: '2025-11-01',
      version: '1.0.0',
      provider_references: [
        {
          ...reference(1, [1234567893], '12-3456789'),
          provider_groups: [
            // One of four is no NPI, one of two is no TIN.
            { npi: [1234567893, 1111111112, 12345], tin: { type: 'ein', value: '12-3456789' } },
            { npi: [1234567893], tin: { type: 'ein', value: '1234' } },
          ],
        },
        { provider_group_id: 2, provider_groups: [] },
        { provider_group_id: 3, provider_groups: [] },
      ],
      in_network: [
        item(
          'CPT',
          '99213',
          [1],
          [
            price(0),
            price(100_000_000.5),
            price(10, { expiration_date: '2026-04-30' }),
            price(11, { expiration_date: '2026-05-01' }),
          ],
        ),
        item('CPT', '99214', [9], [price(12)]),
      ],
    })
    const sound = inNetworkFile({ in_network: [item('CPT', '99215', [1], [price(1), price(2), price(3)])] })
    await run(put('2026-05-01_weak.json', bytesOf(weak)), put('2026-05-02_sound.json', bytesOf(sound)))
    const { quality: all, files = [] } = await quality()
    expect(all).toMatchObject({
      files: 2,
      schemaVersions: { '1.0.0': 1, '2.0.0': 1 },
      prices: 8,
      zeroRates: 1,
      zeroRateShare: 1 / 8,
      absurdRates: 1,
      npis: 5,
      invalidNpis: 1,
      invalidNpiShare: 1 / 5,
      groups: 3,
      invalidTins: 1,
      invalidTinShare: 1 / 3,
      references: 4,
      unusedReferences: 2,
      unusedReferenceShare: 2 / 4,
      undefinedReferences: 1,
      expiredRates: 1,
      expiredRateShare: 1 / 8,
      // From the first of November to the last of May.
      staleDays: 212,
    })
    const [first, second] = files
    expect(first).toMatchObject({
      zeroRates: 1,
      expiredRates: 1,
      staleDays: 212,
      lastUpdatedOn: '2025-11-01',
    })
    expect(first?.findings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['month_disagrees', 'version_disagrees', 'reference_undefined', 'stale']),
    )
    expect(second).toMatchObject({ zeroRates: 0, invalidNpis: 0, expiredRates: 0, staleDays: 31 })
  })
})

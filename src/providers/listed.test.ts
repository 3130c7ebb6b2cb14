import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveEntries } from '../../test/support/naive-rates.ts'
import type { PublishedFile } from '../../test/support/payer-file.ts'
import { publishedFiles } from '../../test/support/payer-files.ts'
import { buildFiles, temporaryFolder } from '../../test/support/published.ts'
import { writeTable } from '../../test/support/small-directory.ts'
import { buildIndex } from './build-index.ts'
import { listedIn } from './listed.ts'
import { npis, npiSearch } from './npis.ts'
import { OpenedProviders, sharedProviders } from './opened.ts'
import { tins } from './tins.ts'

/** Every (payer, TIN, NPI) that builds list. */
const listings = (folders: readonly string[]) =>
  [...listedIn(folders)].flatMap(({ payer, tins: taxpayers, npis: providers, pairTin, pairNpi }) =>
    Array.from(
      pairTin,
      (place, pair) => `${payer} ${taxpayers[place]} ${providers[pairNpi[pair] ?? -1] ?? 'none'}`,
    ),
  )

const file = (payer: string, digest: string, tin: string, npi: readonly number[]): PublishedFile => ({
  payer,
  month: 202605,
  digest,
  plans: [],
  networks: [],
  file: {
    in_network: [
      {
        billing_code_type: 'CPT',
        billing_code: '99213',
        negotiated_rates: [
          {
            provider_groups: [{ npi, tin: { type: 'ein', value: tin, business_name: 'SHARED PRACTICE' } }],
            negotiated_prices: [
              { negotiated_type: 'negotiated', negotiated_rate: 100, billing_class: 'professional' },
            ],
          },
        ],
      },
    ],
  },
})

describe('who lists whom', () => {
  it('is what the entries of the published builds say, each pair once', async () => {
    await fc.assert(
      fc.asyncProperty(publishedFiles, async (files) => {
        const folder = temporaryFolder('listed')
        try {
          const built = await buildFiles(folder, files)
          const folders = built.map(({ build }) => join(folder, 'builds', build))
          const found = listings(folders).sort()
          const meant = built.flatMap(({ payer, month }) => [
            ...new Set(
              naiveEntries(files)
                .filter((entry) => entry.payer === payer && entry.month === month)
                .map(({ tin, npi }) => `${payer} ${tin} ${npi}`),
            ),
          ])
          expect(found).toEqual(meant.sort())
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      }),
      { numRuns: 20 },
    )
  }, 60_000)

  it('puts the namesake whom more payers list first, and tells payers and TINs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ratebook-listed-'))
    try {
      const built = await buildFiles(folder, [
        file('Aetna', 'a'.repeat(64), '123456789', [1_000_000_038]),
        file('Cigna', 'b'.repeat(64), '012345678', [1_000_000_038, 1_000_000_020]),
      ])
      await writeTable(
        join(folder, 'providers.duckdb'),
        `create table providers as
         select npi::ubigint as npi, 'individual' as entity_type, 'JANE SAMPLE' as name, []::varchar[] as other_names,
           null::varchar as credentials, null::varchar as primary_taxonomy, []::varchar[] as taxonomies, 'FL' as state,
           []::varchar[] as counties, false as deactivated
         from (values (1000000012), (1000000020), (1000000038)) as made (npi)`,
      )
      const index = join(folder, 'index')
      const described = await buildIndex(index, {
        providersFile: join(folder, 'providers.duckdb'),
        listed: listedIn(built.map(({ build }) => join(folder, 'builds', build))),
      })
      writeFileSync(join(index, 'index.json'), JSON.stringify(described))
      const opened = new OpenedProviders(sharedProviders(index))
      try {
        const found = npiSearch(opened, { searchTerm: 'jane sample', limit: 10 })
        expect(found.map(({ value }) => value)).toEqual([1_000_000_038, 1_000_000_020, 1_000_000_012])
        expect(npis(opened, { npis: [1_000_000_038] })).toMatchObject([
          { payers: ['Aetna', 'Cigna'], tins: [12_345_678, 123_456_789] },
        ])
        expect(tins(opened, { tins: [12_345_678] })).toMatchObject({
          tins: [{ tinName: 'SHARED PRACTICE', states: ['FL'] }],
        })
      } finally {
        opened.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})

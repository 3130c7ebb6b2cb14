import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '../../src/ingestion/ingest.ts'
import { republish } from '../../src/ingestion/republish.ts'
import { npisOfStates } from '../../src/ingestion/state-npis.ts'
import type { Target } from '../../src/ingestion/target.ts'
import type { SourceMonth } from '../../src/vocabulary/source-month.ts'
import { Build } from '../../src/warehouse/build.ts'
import { entriesOf } from '../support/build-entries.ts'
import { fileServer, serving, type FileServer } from '../support/file-server.ts'
import { bytesOf, price } from '../support/in-network.ts'
import { writeDirectory } from '../support/small-directory.ts'

let folder: string
let server: FileServer | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'targets-'))
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true })
})

interface Group {
  readonly npi: readonly number[]
  readonly tin: { readonly type: string; readonly value: string }
}
const group = (tin: string, ...npi: number[]): Group => ({ npi, tin: { type: 'ein', value: tin } })

const [florida, texas, other] = [1000000012, 1000000020, 1111111112]
/** Who stands behind each reference. */
const groups: Record<number, Group[]> = {
  1: [group('12-3456789', florida, other), group('98-7654321', 0)],
  2: [group('12-3456789', texas)],
  3: [group('55-5555555', other)],
}
/** Codes, each with the references of its rates. */
const codes: Record<string, number[][]> = { '99213': [[1, 3], [2]], '99214': [[3]], '0470': [[2, 3]] }

const items = (providers: (references: number[]) => object) =>
  Object.entries(codes).map(([code, rates]) => ({
    billing_code_type: code === '0470' ? 'MS-DRG' : 'CPT',
    billing_code: code,
    negotiated_rates: rates.map((references, rate) => ({
      ...providers(references),
      negotiated_prices: [price(100 + rate)],
    })),
  }))
const named = items((references) => ({ provider_references: references }))
const inline = items((references) => ({ provider_groups: references.flatMap((id) => groups[id] ?? []) }))
const defined = Object.entries(groups).map(([id, list]) => ({
  provider_group_id: Number(id),
  provider_groups: list,
}))
const header = {
  reporting_entity_name: 'Aetna',
  reporting_entity_type: 'insurer',
  last_updated_on: '2026-05-01',
  version: '1.0.0',
}
const layouts: Record<string, () => object> = {
  'references first': () => ({ ...header, provider_references: defined, in_network: named }),
  'references last': () => ({ ...header, in_network: named, provider_references: defined }),
  'groups in rates': () => ({ ...header, in_network: inline }),
  'references elsewhere': () => ({
    ...header,
    provider_references: defined.map(({ provider_group_id: id }) => ({
      provider_group_id: id,
      location: `${server?.address}/${id}.json`,
    })),
    in_network: named,
  }),
}

/** What a target asks for, read straight from the tables above. */
function expected({ codes: asked, npis, tins }: Target): string[] {
  const entries = new Set<string>()
  for (const [code, rates] of Object.entries(codes))
    for (const [rate, references] of rates.entries())
      for (const { npi: list, tin } of references.flatMap((id) => groups[id] ?? []))
        for (const npi of list) {
          const digits = tin.value.replace('-', '')
          const provider = !npis && !tins ? true : npis?.includes(npi) || tins?.includes(digits)
          if (provider && (!asked || asked.includes(code)))
            entries.add(`${code === '0470' ? '470' : code} ${digits} ${npi} ${(100 + rate) * 10_000}`)
        }
  return [...entries].sort()
}

const targets: Target[] = [
  { npis: [florida] },
  { tins: ['987654321'], npis: [texas] },
  { codes: ['99213', '0470'], npis: [other] },
  { npis: [1999999992] },
]

const entriesIn = (build: string) => {
  const opened = new Build(join(folder, 'rates', 'builds', build))
  try {
    return entriesOf(opened)
      .map(({ code, tin, npi, rate }) => `${code} ${tin} ${npi} ${rate}`)
      .sort()
  } finally {
    opened.close()
  }
}

const patience = { timeout: 180_000 }

describe('a targeted ingest publishes what is asked for and nothing else', patience, () => {
  it.each(Object.keys(layouts))('%s', async (layout) => {
    server = await fileServer(
      Object.fromEntries(
        Object.entries(groups).map(([id, provider_groups]) => [
          `/${id}.json`,
          serving(bytesOf({ version: '1.0.0', provider_groups })),
        ]),
      ),
    )
    const path = join(folder, '2026-05-01_a.json')
    writeFileSync(path, bytesOf(layouts[layout]!()))
    for (const target of targets) {
      const { months } = await ingest({
        ratesFolder: join(folder, 'rates'),
        sources: [path],
        target,
        replace: true,
        threads: 1,
      })
      const [month] = months
      expect({ target, entries: entriesIn(month!.build) }).toEqual({ target, entries: expected(target) })
      expect(month?.counts).toMatchObject({ entries: expected(target).length, pricesWithoutProviders: 0 })
    }
  })
})

it('asks the provider directory who practises in a state', patience, async () => {
  await writeDirectory(folder, 'a')
  const npis = await npisOfStates(folder, ['FL'])
  expect(npis).toContain(florida)
  expect(npis).not.toContain(texas)
  const path = join(folder, '2026-05-01_a.json')
  writeFileSync(path, bytesOf(layouts['references last']!()))
  const { months } = await ingest({ ratesFolder: join(folder, 'rates'), sources: [path], target: { npis } })
  expect(entriesIn(months[0]!.build)).toEqual(expected({ npis: [florida] }))
  // Built anew from what was read, it is the same: the target is not needed any more.
  const { build } = months[0]!
  rmSync(join(folder, 'rates', 'builds', build), { recursive: true })
  await republish(join(folder, 'rates'), 'Aetna', 202605 as SourceMonth)
  expect(entriesIn(build)).toEqual(expected({ npis: [florida] }))
})

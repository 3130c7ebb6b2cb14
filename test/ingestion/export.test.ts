import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { exportMonths } from '../../src/ingestion/export.ts'
import { ingest } from '../../src/ingestion/ingest.ts'
import { openEngine } from '../../src/warehouse/engine.ts'
import { bytesOf, inNetworkFile, item, price, reference } from '../support/in-network.ts'

const folder = mkdtempSync(join(tmpdir(), 'export-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('writes a published month as Parquet that holds every entry', async () => {
  const source = join(folder, '2026-05-01_a.json')
  const file = inNetworkFile({
    provider_references: [
      reference(1, [1234567893, 1111111112], '12-3456789'),
      reference(2, [0], '98-7654321'),
    ],
    in_network: [
      item('CPT', '99213', [1, 2], [price(100.25, { billing_code_modifier: ['26'] }), price(80.1234)]),
      item('MS-DRG', '0100', [1], [price(9_000, { service_code: [], billing_class: 'institutional' })]),
    ],
  })
  writeFileSync(source, bytesOf(file))
  const rates = join(folder, 'rates')
  const { months } = await ingest({ ratesFolder: rates, sources: [source], threads: 1 })
  const [exported] = await exportMonths({ ratesFolder: rates, folder: join(folder, 'out') })
  expect(exported).toMatchObject({ payer: 'Aetna', month: 202605, prices: months[0]?.counts.prices })

  const engine = await openEngine(':memory:')
  try {
    const parquet = (name: string) => `'${join(folder, 'out', '*', '*', `${name}.parquet`)}'`
    const rows = await engine.rows(
      `select payer, month::int as month, billing_code, negotiated_rate::varchar as rate, modifiers::varchar as modifiers, tin, npi::varchar as npi, networks::varchar as networks
       from read_parquet(${parquet('prices')}, hive_partitioning = true)
         join ${parquet('provider_sets')} using (payer, month, provider_set)
         join ${parquet('provider_groups')} using (payer, month, provider_group)
       order by all`,
    )
    expect(rows).toHaveLength(months[0]?.counts.entries ?? 0)
    expect(rows[0]).toEqual({
      payer: 'Aetna',
      month: 202605,
      billing_code: '100',
      rate: '9000.0000',
      modifiers: '[]',
      tin: '123456789',
      npi: '1111111112',
      networks: '[Open Network]',
    })
    expect(rows.filter(({ npi }) => npi === null)).toHaveLength(2)
    expect(await engine.rows(`select address from ${parquet('files')}`)).toEqual([{ address: source }])
  } finally {
    await engine.close()
  }
})

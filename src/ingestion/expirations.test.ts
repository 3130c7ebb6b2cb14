import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { expirations } from './expirations.ts'
import { readFile } from './reader/reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'expirations-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('counts prices by the month in which they expire', async () => {
  const dates = ['2027-01-31', '2027-01-01', '9999-12-31', 'never', '2027-01-01', '', '2027-01-01'.repeat(20)]
  const prices = dates.map(
    (date, place) =>
      `{"negotiated_rate":${place + 1},"negotiated_type":"negotiated","expiration_date":"${date}"}`,
  )
  const text = `{"in_network":[{"billing_code":"1","negotiated_rates":[{"provider_references":[1],"negotiated_prices":[${prices.join(',')}]}]}]}`
  await readFile([Buffer.from(text)], folder)
  expect(expirations(folder)).toEqual({ '2027-01': 3, '9999-12': 1, '': 3 })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readFile } from '../../src/ingestion/reader/reader.ts'
import { readStage } from '../../src/ingestion/reader/stage.ts'
import { StagedTexts } from '../../src/warehouse/staged-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'staged-texts-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('finds texts by their numbers, whatever their size and order', async () => {
  const notes = Array.from({ length: 3_000 }, (_, place) => `é${'x'.repeat((place * 37) % 700)} ${place}`)
  notes[1_500] = 'y'.repeat(200_000)
  const prices = notes.map((note) => `{"negotiated_rate":1,"additional_information":"${note}"}`)
  const text = `{"in_network":[{"billing_code":"1","negotiated_rates":[{"provider_references":[1],"negotiated_prices":[${prices.join(',')}]}]}]}`
  await readFile([Buffer.from(text)], folder)
  const columns = readStage(folder)
  const bytes = Buffer.from(columns.bytes('texts', 'bytes'))
  const ends = columns.wholes('texts', 'end')
  const all = Array.from(ends, (end, id) => bytes.toString('utf8', id === 0 ? 0 : ends[id - 1], end))
  expect(all).toEqual(expect.arrayContaining(notes))
  for (const held of [0, 100_000, undefined]) {
    const texts = new StagedTexts(folder, held)
    expect(all.map((_, id) => texts.text(id))).toEqual(all)
    const jumps = all.map((_, id) => (id * 7_919) % all.length)
    expect(jumps.map((id) => texts.text(id))).toEqual(jumps.map((id) => all[id]))
  }
})

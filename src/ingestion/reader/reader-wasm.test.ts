import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readerWasm } from '../../../scripts/reader-wasm.ts'
import { openAccelerator } from './accelerator.ts'
import { FindingBook } from '../findings.ts'
import { bufferedNumbers } from './stage.ts'
import { groupSlots, listSlots, priceSlots } from './twin.ts'
import { windowBytes } from './window.ts'

it('the committed WebAssembly is what its source compiles to', async () => {
  const committed = readFileSync(join(import.meta.dirname, 'reader.wasm'))
  expect(committed.equals(await readerWasm())).toBe(true)
}, 60_000)

it('both readers agree about sizes', () => {
  expect(openAccelerator(new FindingBook())?.places).toMatchObject({
    priceSlots,
    listSlots,
    groupSlots,
    windowBytes,
    bufferRows: bufferedNumbers,
  })
})

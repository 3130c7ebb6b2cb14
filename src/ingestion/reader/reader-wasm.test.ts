import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compiledWasm, wasmPaths } from '../../../scripts/reader-wasm.ts'
import { openAccelerator } from './accelerator.ts'
import { FindingBook } from '../findings.ts'
import { bufferedNumbers } from './stage.ts'
import { groupSlots, listSlots, priceSlots } from './twin.ts'
import { windowBytes } from './window.ts'

it.each(wasmPaths)(
  '%s is what its source compiles to',
  async (path) => {
    const committed = readFileSync(join(import.meta.dirname, '../../..', path))
    expect(committed.equals(await compiledWasm(path))).toBe(true)
  },
  60_000,
)

it('both readers agree about sizes', () => {
  expect(openAccelerator(new FindingBook())?.memory.places).toMatchObject({
    priceSlots,
    listSlots,
    groupSlots,
    windowBytes,
    bufferRows: bufferedNumbers,
  })
})

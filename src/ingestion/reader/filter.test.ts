import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { choices, jsonText } from '../../../test/support/json-layout.ts'
import { payerDocument } from '../../../test/support/payer-document.ts'
import { stageDifferences } from '../../../test/support/stage-lines.ts'
import { readFile } from './reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'filter-'))
afterAll(() => rmSync(folder, { recursive: true }))

function* pieces(bytes: Uint8Array, size: () => number) {
  for (let at = 0, end = 0; at < bytes.length; at = end) {
    end = at + size()
    yield bytes.subarray(at, end)
  }
}

it('what is not asked for is passed over, by both readers and wherever a chunk ends', async () => {
  await fc.assert(
    fc.asyncProperty(payerDocument, fc.nat(), fc.nat(), async (document, layout, cuts) => {
      const choose = choices(cuts)
      const bytes = Buffer.from(jsonText(document, layout))
      const whole = await readFile([bytes], undefined)
      const codes = [...bytes.toString().matchAll(/"billing_code"\s*:\s*"([^"\\]+)"/g)].map(
        ([, code]) => code!,
      )
      const filter = { codes: new Set(codes.length > 0 ? [codes[choose(codes.length)]!] : ['none']) }
      const largest = [1, 7, 64, 4096][choose(4)]!
      const chunks = pieces(bytes, () => 1 + choose(largest))
      const wasm = await readFile(chunks, join(folder, 'wasm'), { filter })
      const plain = await readFile([bytes], join(folder, 'plain'), { filter, plain: true })
      expect(wasm).toEqual(plain)
      expect(stageDifferences(join(folder, 'wasm'), join(folder, 'plain'))).toEqual([])
      expect(wasm.counts.items).toBe(whole.counts.items)
      expect(wasm.counts.itemsKept).toBeLessThanOrEqual(whole.counts.items)
    }),
    { numRuns: 30, seed: 11 },
  )
}, 60_000)

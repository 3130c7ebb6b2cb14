import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonText, choices } from '../../../test/support/json-layout.ts'
import { naiveFile } from '../../../test/support/naive-reader.ts'
import { payerDocument } from '../../../test/support/payer-document.ts'
import { stageDifferences, stageLines } from '../../../test/support/stage-lines.ts'
import { readFile } from './reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'stage-'))
afterAll(() => rmSync(folder, { recursive: true }))

function* pieces(bytes: Uint8Array, size: () => number) {
  for (let at = 0; at < bytes.length;) {
    const end = at + size()
    yield bytes.subarray(at, end)
    at = end
  }
}

describe('a document, however it is laid out', () => {
  it('reads as what it says', async () => {
    await fc.assert(
      fc.asyncProperty(payerDocument, fc.nat(), fc.nat(), async (document, layout, cuts) => {
        const bytes = Buffer.from(jsonText(document, layout))
        const choose = choices(cuts)
        const largest = [1, 7, 64, 4096][choose(4)]!
        const plain = await readFile([bytes], join(folder, 'plain'), { plain: true })
        const file = await readFile(
          pieces(bytes, () => 1 + choose(largest)),
          join(folder, 'layout'),
        )
        const naive = naiveFile(document)
        const read = stageLines(join(folder, 'layout'))
        expect(file).toEqual(plain)
        expect(stageDifferences(join(folder, 'layout'), join(folder, 'plain'))).toEqual([])
        expect(file.complete).toBe(true)
        expect(read.lines).toEqual(naive.lines)
        expect(read.definitions).toEqual(naive.definitions)
        expect(file.counts).toMatchObject({
          items: naive.items,
          prices: naive.prices,
          pricesZero: naive.zero,
          groupsPublished: naive.groups,
          npisPublished: naive.npis,
        })
      }),
      { numRuns: 100 },
    )
  }, 120_000)

  it('reads the same whichever byte a chunk ends at', async () => {
    const printed = fc
      .sample(payerDocument, { numRuns: 200, seed: 11 })
      .map((document) => jsonText(document, 3))
    const inside = Buffer.from(printed.find((text) => text.length > 700 && text.length < 1_000)!)
    const whole = await readFile([inside], undefined)
    const same = JSON.stringify(whole)
    const different: number[] = []
    for (let cut = 1; cut < inside.length; cut++) {
      const halves = await readFile([inside.subarray(0, cut), inside.subarray(cut)], undefined)
      if (JSON.stringify(halves) !== same) different.push(cut)
    }
    expect(different).toEqual([])
  }, 120_000)
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { choices, jsonErrorAt, jsonText } from '../../../test/support/json-layout.ts'
import { naiveFile } from '../../../test/support/naive-reader.ts'
import { payerDocument } from '../../../test/support/payer-document.ts'
import { spoiled } from '../../../test/support/spoiled-bytes.ts'
import { stageDifferences, stageLines } from '../../../test/support/stage-lines.ts'
import { readFile } from './reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'soak-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** About twelve minutes of processor time; SOAK_TIMES=10 is a night's work. */
const times = Number(process.env.SOAK_TIMES ?? 1)
const layoutsRead = 5_000 * times
const roundsSpoiled = 200 * times
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000_000)

function* pieces(bytes: Uint8Array, size: () => number) {
  for (let at = 0, end = 0; at < bytes.length; at = end) {
    end = at + size()
    yield bytes.subarray(at, end)
  }
}

it(`reads ${layoutsRead} documents in any layout, seed ${seed}`, async () => {
  await fc.assert(
    fc.asyncProperty(payerDocument, fc.nat(), fc.nat(), async (document, layout, cuts) => {
      const choose = choices(cuts)
      const bytes = Buffer.from(jsonText(document, layout))
      const largest = [1, 7, 64, 4096][choose(4)]!
      const file = await readFile(
        pieces(bytes, () => 1 + choose(largest)),
        join(folder, 'wasm'),
      )
      const plain = await readFile([bytes], join(folder, 'plain'), { plain: true })
      expect(file).toEqual(plain)
      expect(stageDifferences(join(folder, 'wasm'), join(folder, 'plain'))).toEqual([])
      expect(stageLines(join(folder, 'wasm')).lines).toEqual(naiveFile(document).lines)
    }),
    { numRuns: layoutsRead, seed },
  )
})

it(`judges ${roundsSpoiled * 100} broken documents as JSON.parse does, seed ${seed}`, async () => {
  const ends = new Set(['bad_json', 'truncated', 'trailing_bytes', 'too_deep', 'html_page', 'empty_file'])
  for (let round = 0; round < roundsSpoiled; round++) {
    const documents = fc.sample(payerDocument, { numRuns: 10, seed: seed + round })
    const choose = choices(seed + round)
    for (const document of documents) {
      for (let layout = 0; layout < 10; layout++) {
        const text = jsonText(document, layout).replaceAll(/\P{ASCII}/gu, '?')
        const bytes = spoiled(Buffer.from(text), choose)
        const file = await readFile(
          pieces(bytes, () => 1 + choose(300)),
          undefined,
          { plain: layout % 2 === 0 },
        )
        const said = file.findings.kept.find(({ kind }) => ends.has(kind))?.offset
        expect({ text: bytes.toString('latin1'), at: said }).toEqual({
          text: bytes.toString('latin1'),
          at: jsonErrorAt(bytes.toString('latin1')),
        })
      }
    }
  }
})

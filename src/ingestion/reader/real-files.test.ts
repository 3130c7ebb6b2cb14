import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { naiveFile } from '../../../test/support/naive-reader.ts'
import { stageDifferences, stageLines } from '../../../test/support/stage-lines.ts'
import { readFile } from './reader.ts'

const realData = process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../../shared/data')
const payerFiles = join(realData, 'payer-files')
if (!existsSync(payerFiles))
  console.warn(`No real data at ${realData}: the comparison with real files is skipped.`)

const folder = mkdtempSync(join(tmpdir(), 'stage-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Long texts by their hash, so that a hundred thousand lines fit in memory. */
const hashes = new Map<string, string>()
function short(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const hash = createHash('sha1').update(text).digest('base64')
  if (text.length < 1_000) hashes.set(text, hash)
  return hash
}

const unpacked = (path: string) =>
  path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)

function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const inNetwork = globSync(['*in-network*.json.gz', 'cms-guide/*/examples/in-network-rates/*.json'], {
  cwd: payerFiles,
})

describe.skipIf(!existsSync(payerFiles))('real in-network files', () => {
  it('are there', () => expect(inNetwork.length).toBeGreaterThan(10))

  it.each(inNetwork)(
    '%s reads as the naive reader reads it',
    async (name) => {
      const bytes = unpacked(join(payerFiles, name))
      const stage = join(folder, basename(name))
      const file = await readFile(pieces(bytes, 100_003), stage)
      const plain = await readFile(pieces(bytes, 1 << 18), `${stage}-plain`, { plain: true })
      expect(plain).toEqual(file)
      expect(stageDifferences(stage, `${stage}-plain`)).toEqual([])
      const read = stageLines(stage, short)
      const naive = naiveFile(JSON.parse(bytes.toString('utf8').trim()), short)
      expect(file.complete).toBe(true)
      expect(file.kind).toBe('in-network')
      expect(read.file).toEqual(file)
      expect(read.definitions).toEqual(naive.definitions)
      expect(read.lines.length).toBe(naive.lines.length)
      expect(naive.lines.filter((line, row) => read.lines[row] !== line).slice(0, 3)).toEqual([])
      expect(read.amounts).toBe(naive.amounts)
      expect(file.counts).toMatchObject({
        bytes: bytes.length,
        items: naive.items,
        itemsKept: naive.items,
        prices: naive.prices,
        pricesZero: naive.zero,
        groupsPublished: naive.groups,
        npisPublished: naive.npis,
      })
    },
    300_000,
  )

  it('finds in the CareFirst file what is known of it', async () => {
    const file = await readFile(
      pieces(unpacked(join(payerFiles, 'carefirst-in-network.json.gz')), 1 << 18),
      undefined,
    )
    expect(file.counts).toMatchObject({
      items: 1_773,
      prices: 122_310,
      referencesDefined: 370,
      referencesRemote: 370,
      referencesUsed: 74,
      referencesUnused: 296,
    })
    expect(file.findings.counts).toEqual({})
  })
})

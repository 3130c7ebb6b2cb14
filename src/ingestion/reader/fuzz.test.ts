import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choices, jsonErrorAt, jsonText } from '../../../test/support/json-layout.ts'
import { payerDocument } from '../../../test/support/payer-document.ts'
import { spoiled } from '../../../test/support/spoiled-bytes.ts'
import type { StagedFile } from './output.ts'
import { readFile } from './reader.ts'

/** Where the reader says that the JSON breaks; undefined where it says nothing of the kind. */
function breakAt({ findings }: StagedFile): number | undefined {
  const kinds = new Set([
    'bad_json',
    'truncated',
    'trailing_bytes',
    'too_deep',
    'too_large',
    'html_page',
    'empty_file',
  ])
  return findings.kept.find(({ kind }) => kinds.has(kind))?.offset
}

function* cutAt(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const plainJson = 'x{"in_network":[]}'.slice(1)

describe('broken bytes', () => {
  it('are told from JSON as JSON.parse tells them, and placed exactly', async () => {
    const documents = fc.sample(payerDocument, { numRuns: 60, seed: 5 })
    const wrong: { text: string; said: number | undefined; is: number | undefined }[] = []
    for (const [number, document] of documents.entries()) {
      const choose = choices(number)
      for (let round = 0; round < 8; round++) {
        // Bytes beyond ASCII would make characters and bytes differ; those have their own test.
        const text = jsonText(document, round).replaceAll(/\P{ASCII}/gu, '?')
        const bytes = spoiled(Buffer.from(text), choose)
        const spoiledText = bytes.toString('latin1')
        const is = jsonErrorAt(spoiledText)
        const file = await readFile(cutAt(bytes, 1 + choose(300)), undefined, { plain: round % 2 === 0 })
        const said = breakAt(file)
        const parses = parsesAsJson(spoiledText)
        if (said !== is || parses !== (is === undefined)) wrong.push({ text: spoiledText, said, is })
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('beyond ASCII never stop the reader', async () => {
    const documents = fc.sample(payerDocument, { numRuns: 40, seed: 6 })
    for (const [number, document] of documents.entries()) {
      const choose = choices(number + 1_000)
      const bytes = spoiled(Buffer.from(jsonText(document, number)), choose, 256)
      const file = await readFile(cutAt(bytes, 1 + choose(300)), undefined)
      expect(file.complete || breakAt(file) !== undefined).toBe(true)
    }
  }, 60_000)

  it('that begin as JSON keep what came before', async () => {
    const text = `{"in_network":[{"billing_code":"1","billing_code_type":"CPT","negotiated_rates":[
      {"provider_references":[1],"negotiated_prices":[{"negotiated_rate":1,"negotiated_type":"negotiated","billing_class":"both"}]},
      {"provider_references":[2],"negotiated_prices":[{"negotiated_rate":2,"negotiated_type":"negotiated","billing_class":"both"},{"negotiated_rate":3,]}]}]}`
    const file = await readFile([Buffer.from(text)], undefined)
    expect(file).toMatchObject({ complete: false, counts: { items: 1, prices: 1, rates: 1 } })
    expect(file.findings.kept.find(({ kind }) => kind === 'bad_json')).toMatchObject({
      offset: text.indexOf(',]') + 1,
      path: 'in_network[0].negotiated_rates[1].negotiated_prices[1]',
    })
  })
})

function parsesAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('hostile sizes', () => {
  const mb = 1 << 20

  async function peak(chunks: Iterable<Uint8Array>) {
    const before = process.memoryUsage().rss
    const file = await readFile(chunks, undefined)
    return { file, grown: process.memoryUsage().rss - before }
  }

  function* repeat(head: string, body: string, times: number, tail: string) {
    yield Buffer.from(head)
    const many = Buffer.from(body.repeat(Math.ceil(mb / body.length)))
    const per = Math.ceil(mb / body.length)
    for (let left = times; left > 0; left -= per) yield many.subarray(0, Math.min(left, per) * body.length)
    yield Buffer.from(tail)
  }

  it('a bomb of nesting is an error with its place', async () => {
    for (const head of ['{"x":', '{"in_network":[{"negotiated_rates":[{"x":', '{"in_network":[{"name":']) {
      const { file, grown } = await peak(repeat(head, '[', 5_000_000, ''))
      expect(file.complete).toBe(false)
      expect(breakAt(file)).toBeLessThan(head.length + 200)
      expect(grown).toBeLessThan(200 * mb)
    }
  })

  it('millions of elements of a list are read in bounded memory', async () => {
    const price = '{"negotiated_type":"negotiated","negotiated_rate":7,"billing_class":"both"}'
    const rate = `"negotiated_prices":[${price}]`
    const head = `{"in_network":[{"billing_code":"1","billing_code_type":"CPT","negotiated_rates":[{${rate}`
    const { file, grown } = await peak(
      repeat(`${head},"provider_references":[1`, ',123456', 3_000_000, ']}]}]}'),
    )
    expect(file.findings.counts).toMatchObject({ reference_repeated: 2_999_999 })
    expect(file.counts).toMatchObject({ prices: 1, referencesUsed: 2 })
    expect(grown).toBeLessThan(300 * mb)
    const group = ',{"npi":[1234567893],"tin":{"type":"ein","value":"123456789"}}'
    const groups = await peak(
      repeat(`${head},"provider_groups":[${group.slice(1)}`, group, 300_000, ']}]}]}'),
    )
    expect(groups.file.counts).toMatchObject({ prices: 1, groupsPublished: 300_001 })
    const many = await peak(repeat(head.slice(0, -1), `,${price}`, 300_000, ']}]}]}'))
    expect(many.file.counts).toMatchObject({ prices: 300_001, items: 1 })
  }, 60_000)

  it('a text or list beyond the limit is left out, and the rest is read', async () => {
    const tail = '","negotiated_rates":[],"billing_code":"9","billing_code_type":"CPT"}]}'
    const { file } = await peak(repeat('{"in_network":[{"description":"', 'x', 20_000_000, tail))
    expect(file).toMatchObject({
      complete: true,
      counts: { items: 1 },
      findings: { counts: { too_large: 1 } },
    })
    const npis = await peak(
      repeat(
        '{"in_network":[],"provider_references":[{"provider_group_id":1,"provider_groups":[{"npi":[1',
        ',1234567893',
        2_000_000,
        ']}]}]}',
      ),
    )
    expect(npis.file).toMatchObject({ complete: true, findings: { counts: { too_large: 1 } } })
    expect(npis.file.findings.kept.find(({ kind }) => kind === 'too_large')?.path).toBe(
      'provider_references[0].provider_groups[0]',
    )
  }, 60_000)

  it('white space and a byte order mark are no content', async () => {
    const { file } = await peak(repeat('\ufeff', ' \n', 4_000_000, plainJson))
    expect(file).toMatchObject({
      complete: true,
      kind: 'in-network',
      findings: { counts: { byte_order_mark: 1 } },
    })
  })
})

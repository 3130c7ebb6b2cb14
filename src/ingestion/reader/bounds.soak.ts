import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { httpClient } from '../../files/http-client.ts'
import { readSource } from '../read-source.ts'
import { readFile } from './reader.ts'

const mb = 1 << 20
const gb = 1 << 30
const memoryMax = 700 * mb
const folder = mkdtempSync(join(tmpdir(), 'bounds-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `head`, then `body` as often as makes `bytes`, then `tail`. */
function* repeated(head: string, body: string, bytes: number, tail: string) {
  yield Buffer.from(head)
  const many = Buffer.from(body.repeat(Math.ceil(mb / body.length)))
  for (let left = bytes; left > 0; left -= many.length) yield many
  yield Buffer.from(tail)
}

/** The most memory that the process had while it read. */
async function peakOf(deed: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  let peak = 0
  const look = () => (peak = Math.max(peak, process.memoryUsage().rss))
  const timer = setInterval(look, 20)
  await deed()
  clearInterval(timer)
  look()
  return peak
}

const price = '{"negotiated_type":"negotiated","negotiated_rate":7.5,"billing_class":"both"}'
const item = '{"in_network":[{"billing_code":"1","billing_code_type":"CPT","negotiated_rates":['

it('an element of 1 GB, whatever fills it', async () => {
  const fillings: [string, string, string][] = [
    [`${item}{"provider_references":[1],"negotiated_prices":[${price}`, `,${price}`, ']}]}]}'],
    [`${item}{"negotiated_prices":[${price}],"provider_references":[1`, ',123456', ']}]}]}'],
    [
      `${item}{"negotiated_prices":[${price}],"provider_groups":[{"npi":[1234567893],"tin":{"type":"ein","value":"123456789"}}`,
      ',{"npi":[1234567893],"tin":{"type":"ein","value":"12-3456789"}}',
      ']}]}]}',
    ],
    [
      `{"in_network":[],"provider_references":[{"provider_group_id":1,"provider_groups":[{"npi":[1`,
      ',1234567893',
      ']}]}]}',
    ],
    ['{"in_network":[],"provider_references":[{"provider_group_id":1,"network_name":["a"', ',"b"', ']}]}'],
    [`${item}{"negotiated_prices":[{"negotiated_rate":1,"service_code":["11"`, ',"12"', ']}]}]}]}'],
    [`${item}{"negotiated_prices":[{"negotiated_rate":1,"additional_information":"`, 'z', '"}]}]}]}'],
    [
      item.replace('"negotiated_rates":[', '"bundled_codes":[{"billing_code":"1"}'),
      ',{"billing_code":"2"}',
      ']}]}',
    ],
    ['{"in_network":[],"unknown":"', 'x', '"}'],
    ['{"in_network":[],"unknown":[0', ',{"a":[1,2]}', ']}'],
    [item.replace('"negotiated_rates":[', '"description":"'), 'y', '","negotiated_rates":[]}]}'],
  ]
  for (const [head, body, tail] of fillings) {
    const startedAt = performance.now()
    const peak = await peakOf(async () => {
      const file = await readFile(repeated(head, body, gb, tail), undefined)
      expect(file.counts.bytes).toBeGreaterThan(gb)
      expect(file.complete).toBe(true)
    })
    console.log(
      `${head.slice(-40)}…: ${Math.round(peak / mb)} MB, ${Math.round((performance.now() - startedAt) / 1_000)} s`,
    )
    expect(peak).toBeLessThan(memoryMax)
  }
})

it('lists of ten million, and nesting without end', async () => {
  const rates = `{"provider_references":[1],"negotiated_prices":[${price}]}`
  const peak = await peakOf(async () => {
    const many = await readFile(
      repeated(`${item}${rates}`, `,${rates}`, 1e7 * (rates.length + 1), ']}]}'),
      undefined,
    )
    expect(many.counts.rates).toBeGreaterThan(9_999_999)
    const deep = await readFile(repeated(`${item}{"x":`, '[', 1e7, ''), undefined)
    expect(deep.findings.counts).toMatchObject({ too_deep: 1 })
  })
  expect(peak).toBeLessThan(memoryMax)
})

it('archives that unpack a thousandfold', async () => {
  const tooLarge = expect.objectContaining({ kind: 'unpacks_too_large' }) as unknown
  const bomb = join(folder, 'bomb.json.gz')
  await pipeline(
    Readable.from(repeated('{"in_network":[', ' ', 3 * gb, ']}'), { objectMode: false }),
    createGzip({ level: 9 }),
    createWriteStream(bomb),
  )
  const peak = await peakOf(async () => {
    const outcome = await readSource(httpClient(), { address: bomb, from: bomb })
    expect(outcome).toMatchObject({
      outcome: 'read',
      documents: [{ findings: expect.arrayContaining([tooLarge]) as unknown }],
    })
  })
  expect(peak).toBeLessThan(memoryMax)
  const archive = new ZipFile()
  const zipped = join(folder, 'bomb.zip')
  archive.addReadStream(
    Readable.from(repeated('{"in_network":[', ' ', gb, ']}'), { objectMode: false }),
    '2026-05-01_bomb.json',
    { mtime: new Date(0) },
  )
  archive.end()
  await pipeline(archive.outputStream, createWriteStream(zipped))
  expect(await readSource(httpClient(), { address: zipped, from: zipped })).toMatchObject({
    documents: [{ findings: expect.arrayContaining([tooLarge]) as unknown }],
  })
  // Packed twice it is no JSON any more.
  const twice = join(folder, 'twice.gz')
  await pipeline(createReadStream(bomb), createGzip(), createWriteStream(twice))
  expect(await readSource(httpClient(), { address: twice, from: twice })).toMatchObject({
    documents: [{ findings: [{ kind: 'not_json' }] }],
  })
})

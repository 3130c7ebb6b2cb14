import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../test/support/zip.ts'
import { unpacked, type Packed, type PackingProblem } from './unpack.ts'

const folder = mkdtempSync(join(tmpdir(), 'unpack-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function* chunked(bytes: Uint8Array, sizes: readonly number[] = [1_000]) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

interface Result {
  entry: string | undefined
  packing: string
  text: string
  problem: PackingProblem | undefined
}

async function all(packed: Packed): Promise<Result[]> {
  const results: Result[] = []
  for await (const { entry, packing, bytes, problem } of unpacked(packed)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    results.push({ entry, packing, text: Buffer.concat(chunks).toString(), problem: problem() })
  }
  return results
}

const one = async (bytes: Uint8Array, sizes?: readonly number[]) =>
  (await all({ bytes: chunked(bytes, sizes), spool: join(folder, 'spool') }))[0]

const json = `{"reporting_entity_name":"${'x'.repeat(5_000)}"}`

describe('what a publisher serves', () => {
  it('is plain JSON, also after a byte-order mark and blanks', async () => {
    expect(await one(Buffer.from(json))).toMatchObject({ packing: 'plain', text: json, problem: undefined })
    const marked = `\uFEFF  ${json}`
    expect(await one(Buffer.from(marked))).toMatchObject({ text: marked, problem: undefined })
  })

  it('is gzip with members and chunks that end anywhere', async () => {
    const cuts = fc.array(fc.nat(json.length), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        cuts,
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
        async (at, sizes) => {
          const places = [0, ...at.sort((a, b) => a - b), json.length]
          const members = places.slice(1).map((end, i) => gzipSync(json.slice(places[i], end)))
          expect(await one(Buffer.concat(members), sizes)).toMatchObject({
            packing: 'gzip',
            text: json,
            problem: undefined,
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is gzip that ends in the middle: what came out is kept and counted', async () => {
    const noise = JSON.stringify(Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 104_729))
    const packed = gzipSync(noise)
    const result = await one(packed.subarray(0, packed.length - 2_000))
    expect(result?.problem?.code).toBe('truncated_gzip')
    expect(result?.text.length).toBeGreaterThan(0)
    expect(result?.problem?.unpackedBytes).toBe(result?.text.length)
    expect(noise.startsWith(result?.text ?? '!')).toBe(true)
  })

  it('is gzip with wrong bytes inside', async () => {
    const packed = gzipSync(json)
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 255
    expect((await one(packed))?.problem?.code).toBe('damaged_gzip')
  })

  it.each([
    ['', 'empty_file'],
    ['\n  \n', 'empty_file'],
    ['<!DOCTYPE html><html>', 'html_page'],
    ['Not found', 'not_json'],
  ])('is %j, which is no JSON', async (text, code) => {
    expect((await one(Buffer.from(text)))?.problem?.code).toBe(code)
    expect((await one(gzipSync(text)))?.problem?.code).toBe(code)
  })

  it.each([false, true])('is a zip archive of several files (64-bit sizes: %s)', async (wide) => {
    const archive = zipOf(
      [
        { name: 'a.json', bytes: Buffer.from(json) },
        { name: 'read me.txt', bytes: Buffer.from('hello') },
        { name: 'deep/b.json.gz', bytes: gzipSync('{"b":1}') },
      ],
      { wide },
    )
    const expected = [
      { entry: 'a.json', packing: 'zip', text: json, problem: undefined },
      { entry: 'deep/b.json.gz', packing: 'zip of gzip', text: '{"b":1}', problem: undefined },
    ]
    expect(await all({ bytes: chunked(archive), spool: join(folder, 'spool') })).toEqual(expected)
    expect(existsSync(join(folder, 'spool'))).toBe(false)
    const path = join(folder, 'here.zip')
    writeFileSync(path, archive)
    expect(await all({ bytes: chunked(archive), path })).toEqual(expected)
    expect(existsSync(path)).toBe(true)
  })

  it('is a zip archive cut short, or one without JSON', async () => {
    const archive = zipOf([{ name: 'a.json', bytes: Buffer.from(json) }])
    expect((await one(archive.subarray(0, archive.length - 30)))?.problem?.code).toBe('damaged_zip')
    expect((await one(zipOf([{ name: 'a.txt', bytes: Buffer.from('a') }])))?.problem?.code).toBe(
      'zip_without_json',
    )
  })

  it('stops a file that unpacks out of proportion', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('['), Buffer.alloc(80 * 2 ** 20, ' ')]))
    expect((await one(bomb))?.problem?.code).toBe('unpacks_too_large')
    const [zipped] = await all({
      bytes: chunked(zipOf([{ name: 'a.json', bytes: Buffer.from(json) }])),
      spool: join(folder, 'spool'),
      limits: { bytesMax: 100, ratioMax: 500 },
    })
    expect(zipped?.problem?.code).toBe('unpacks_too_large')
  })

  it('passes on what went wrong at the source', async () => {
    async function* broken() {
      yield gzipSync(json).subarray(0, 20)
      throw new Error('the line is dead')
    }
    await expect(all({ bytes: broken() })).rejects.toThrow('the line is dead')
  })
})

const fixtures = join(
  process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../shared/data'),
  'payer-files/cms-validator/test/fixtures',
)

describe.skipIf(!existsSync(fixtures))("the CMS validator's fixtures", () => {
  const read = (name: string) =>
    all({ bytes: chunked(readFileSync(join(fixtures, name))), path: join(fixtures, name) })

  it('unpack as they should', async () => {
    expect(await read('simpleData.gz')).toHaveLength(1)
    expect((await read('simpleZip.zip')).map(({ problem }) => problem)).toEqual([undefined])
    expect((await read('multiZip.zip')).length).toBeGreaterThan(1)
    expect((await read('allWrong.zip'))[0]?.problem?.code).toBe('zip_without_json')
  })
})

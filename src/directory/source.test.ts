import { readdirSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Findings } from './findings.ts'
import { localFile } from './source.ts'
import { unpacked } from './unpack.ts'

const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
const ranges: string[] = []
let server: Server
let address: string
let work: string

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'ratebook-source-'))
  let answers = 0
  server = createServer((request, response) => {
    if (request.url?.startsWith('/gone')) return response.writeHead(404).end()
    ranges.push(request.headers.range ?? '')
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const headers = { etag: '"v1"', 'content-length': content.length - start }
    response.writeHead(start > 0 ? 206 : 200, headers)
    // The first answer breaks off in the middle.
    if (answers++ === 0) {
      response.write(content.subarray(0, 90_000))
      const arrived = setInterval(() => {
        const part = readdirSync(work).find((name) => name.endsWith('.part'))
        if (part === undefined || statSync(join(work, part)).size === 0) return
        clearInterval(arrived)
        response.destroy()
      }, 5)
    } else response.end(content.subarray(start))
    return response
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/NPI_Files.zip`
})
afterAll(async () => {
  server.close()
  await rm(work, { recursive: true, force: true })
})

/** A zip archive of stored or deflated members, as small as one can be. */
function zipOf(members: Readonly<Record<string, Buffer>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of Object.entries(members)) {
    const packed = deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), facts, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), facts, tail, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06_05_4b_50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

async function filesIn(name: string, bytes: Buffer) {
  const path = join(work, name)
  await writeFile(path, bytes)
  const files: { name: string; text: string; encoding: string; digest: string }[] = []
  for await (const file of unpacked(path, work, new Findings(), () => undefined))
    files.push({
      name: file.name,
      text: await readFile(file.path, 'latin1'),
      encoding: file.encoding,
      digest: file.digest,
    })
  return files
}

describe('a source', () => {
  it('at an address is downloaded, and continued where the connection broke', async () => {
    const file = await localFile(address, work, () => undefined)
    expect((await readFile(file)).equals(content)).toBe(true)
    expect(ranges).toHaveLength(2)
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/)
  })

  it('that is not there is said so', async () => {
    await expect(localFile(join(work, 'nothing.csv'), work, () => undefined)).rejects.toThrow(
      'There is no file',
    )
  })

  it('at an address that is not there is said so, without the token', async () => {
    const gone = address.replace('NPI_Files', 'gone') + '?token=secret'
    await expect(localFile(gone, work, () => undefined)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/gone\.zip: the server answered 404/) as string,
    })
  })

  it('that is damaged is refused by its name', async () => {
    const text = Buffer.from('a,b\n'.repeat(10_000))
    const zip = zipOf({ 'one.csv': text })
    const flipped = Buffer.from(zip)
    flipped[60] = (flipped[60] ?? 0) ^ 255
    await expect(filesIn('cut.zip', zip.subarray(0, zip.length - 30))).rejects.toThrow(
      'cut.zip cannot be unpacked',
    )
    await expect(filesIn('flipped.zip', flipped)).rejects.toThrow('one.csv in flipped.zip cannot be unpacked')
    await expect(filesIn('cut.csv.gz', gzipSync(text).subarray(0, 60))).rejects.toThrow(
      'cut.csv.gz cannot be unpacked',
    )
  })

  it('is unpacked by what it holds, not by its name, to the same digest', async () => {
    const text = Buffer.from('a,b\n1,2\n')
    const [plain] = await filesIn('x.zip', text)
    const [gzip] = await filesIn('x.csv', gzipSync(text))
    const [member, inner] = await filesIn(
      'y.txt',
      zipOf({ 'one.csv': text, 'more.zip': zipOf({ 'two.csv': text }) }),
    )
    expect([plain?.text, gzip?.text, member?.text, inner?.text]).toEqual(
      Array.from({ length: 4 }, () => 'a,b\n1,2\n'),
    )
    expect([member?.name, inner?.name]).toEqual(['one.csv', 'two.csv'])
    expect(new Set([plain, gzip, member, inner].map((file) => file?.digest)).size).toBe(1)
  })

  it('that is a workbook gives its first sheet', async () => {
    const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><t>x, &amp; y</t></is></c></row><row r="3"><c r="A3"><v>1003000126</v></c><c r="B3"/><c r="C3"><v>45731</v></c></row></sheetData></worksheet>`
    const shared =
      '<sst><si><t>Report</t></si><si><r><t>N</t></r><r><t xml:space="preserve">PI</t></r></si></sst>'
    const workbook = zipOf({
      'xl/workbook.xml': Buffer.from('<workbook/>'),
      'xl/sharedStrings.xml': Buffer.from(shared),
      'xl/worksheets/sheet1.xml': Buffer.from(sheet),
    })
    const [file] = await filesIn('report.xlsx', zipOf({ 'Deactivated.xlsx': workbook }))
    expect(file).toMatchObject({
      name: 'Deactivated.xlsx',
      text: 'Report\nNPI,,"x, & y"\n1003000126,,45731\n',
    })
  })

  it('tells its encoding by its bytes', async () => {
    const encodings = async (bytes: Buffer) => (await filesIn('e.txt', bytes))[0]?.encoding
    expect(await encodings(Buffer.from('Peña\n', 'utf8'))).toBe('utf-8')
    expect(await encodings(Buffer.from('Peña\n', 'latin1'))).toBe('latin-1')
    expect(await encodings(Buffer.from('\uFEFFPeña\n', 'utf16le'))).toBe('utf-16')
  })
})

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isUtf8 } from 'node:buffer'
import yauzl from 'yauzl'
import { Failure } from '../errors.ts'
import type { Findings } from './findings.ts'
import type { Progress } from './progress.ts'
import { headOf } from './source.ts'
import { writeSheetAsText } from './workbook.ts'

/** A publisher's file, unpacked: where it lies, what it is called, and the digest of its bytes. */
export interface ReferenceFile {
  readonly path: string
  /** Name of the file, or of the member inside its archive. */
  readonly name: string
  /** Name of the archive or folder it came in: some files say their release nowhere else. */
  readonly within: string
  readonly digest: string
  readonly bytes: number
  readonly encoding: 'utf-8' | 'latin-1' | 'utf-16'
  /** Lies in the work folder and may go when it was read. */
  readonly temporary: boolean
}

type Packing = 'zip' | 'gzip' | 'plain'

/** Judged by content: names lie. */
async function packingOf(file: string): Promise<Packing> {
  const head = await headOf(file, 4)
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))) return 'zip'
  if (head.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return 'gzip'
  return 'plain'
}

/**
 * The files inside a source, one after the other, each ready to read: members of a zip (and of zips inside it) and the
 * content of a gzip are written to the work folder, a plain file is used where it lies. Memory is a few buffers.
 */
export async function* unpacked(
  file: string,
  work: string,
  findings: Findings,
  progress: Progress,
  name = basename(file),
  within = basename(dirname(resolve(file))),
): AsyncGenerator<ReferenceFile> {
  const packing = await packingOf(file)
  if (packing === 'plain') {
    yield {
      path: file,
      name,
      within,
      temporary: false,
      ...(await digested(createReadStream(file), progress, name)),
    }
  } else if (packing === 'gzip') {
    const path = join(work, `unpacked-${basename(name).replace(/\.gz$/, '')}`)
    const facts = await digested(createReadStream(file).pipe(createGunzip()), progress, name, path)
    yield { path, name: name.replace(/\.gz$/, ''), within, temporary: true, ...facts }
  } else yield* zipMembers(file, work, findings, progress, name, within)
}

async function* zipMembers(
  file: string,
  work: string,
  findings: Findings,
  progress: Progress,
  name: string,
  within: string,
): AsyncGenerator<ReferenceFile> {
  const zip = await yauzl.openPromise(file, { autoClose: false }).catch((error: unknown) => {
    throw new Failure('invalid_request', `${name} begins like a zip archive but cannot be read as one.`, {
      cause: error,
    })
  })
  try {
    let number = 0
    const members: yauzl.Entry[] = []
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) members.push(entry)
    if (members.some(({ fileName }) => fileName === 'xl/workbook.xml')) {
      const path = join(work, `sheet-${process.pid}-${basename(name)}.csv`)
      await writeSheetAsText(file, path)
      yield {
        path,
        name,
        within,
        temporary: true,
        ...(await digested(createReadStream(path), progress, name)),
      }
      return
    }
    const texts = new Set(
      members
        .map(({ fileName }) => fileName)
        .filter((member) => !isWorkbook(member))
        .map(stem),
    )
    for (const entry of members) {
      const member = entry.fileName
      // Bundles carry the same table as text and as workbook.
      if (isWorkbook(member) && texts.has(stem(member))) continue
      if (/\.(pdf|docx?|jpe?g|png)$/i.test(member)) continue
      const path = join(work, `member-${process.pid}-${number++}-${basename(member)}`)
      const stream = await zip.openReadStreamPromise(entry)
      const facts = await digested(stream, progress, member, path)
      if ((await packingOf(path)) === 'zip') {
        yield* unpacked(path, work, findings, progress, basename(member), `${name} ${member}`)
        await rm(path, { force: true })
      } else yield { path, name: basename(member), within: `${name} ${member}`, temporary: true, ...facts }
    }
  } finally {
    zip.close()
  }
}

const isWorkbook = (name: string) => /\.xlsx$/i.test(name)
const stem = (name: string) => name.replace(/\.\w+$/, '')

/** Reads a stream once, to its digest, size and encoding, and to a file where one is named. */
async function digested(
  stream: Readable,
  progress: Progress,
  name: string,
  to?: string,
): Promise<Pick<ReferenceFile, 'digest' | 'bytes' | 'encoding'>> {
  const hash = createHash('sha256')
  let bytes = 0
  let first: Buffer | undefined
  let holdsUtf8 = true
  let rest: Buffer = Buffer.alloc(0)
  const tap = new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      first ??= Buffer.from(chunk.subarray(0, 4))
      hash.update(chunk)
      bytes += chunk.length
      if (holdsUtf8) {
        // A character may be cut by the end of a chunk: judge up to the last line end.
        const whole = chunk.lastIndexOf(0x0a) + 1
        if (whole === 0) rest = Buffer.concat([rest, chunk])
        else {
          holdsUtf8 = isUtf8(
            rest.length === 0 ? chunk.subarray(0, whole) : Buffer.concat([rest, chunk.subarray(0, whole)]),
          )
          rest = Buffer.from(chunk.subarray(whole))
        }
      }
      progress({ stage: to === undefined ? 'read' : 'unpack', file: name, done: bytes })
      done(null, to === undefined ? undefined : chunk)
    },
  })
  if (to === undefined) {
    tap.resume()
    await pipeline(stream, tap)
  } else await pipeline(stream, tap, createWriteStream(to))
  if (holdsUtf8) holdsUtf8 = isUtf8(rest)
  const utf16 = first?.[0] === 0xff && first[1] === 0xfe
  return {
    digest: hash.digest('hex'),
    bytes,
    encoding: utf16 ? 'utf-16' : holdsUtf8 ? 'utf-8' : 'latin-1',
  }
}

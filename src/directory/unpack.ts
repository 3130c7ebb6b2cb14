import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isUtf8 } from 'node:buffer'
import { Failure } from '../errors.ts'
import { packingOf } from '../files/packing.ts'
import { zipEntries, type ZipEntry } from '../files/zip.ts'
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

const packingAt = async (file: string) => packingOf(await headOf(file, 4))

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
  const packing = await packingAt(file)
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
    const facts = await digested(createReadStream(file), progress, name, path, createGunzip()).catch(
      damaged(name),
    )
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
  const names: string[] = []
  for await (const entry of entriesOf(file, name)) names.push(entry.name)
  if (names.includes('xl/workbook.xml')) {
    const path = join(work, `sheet-${process.pid}-${basename(name)}.csv`)
    await writeSheetAsText(file, path)
    const facts = await digested(createReadStream(path), progress, name)
    yield { path, name, within, temporary: true, ...facts }
    return
  }
  const texts = new Set(names.filter((member) => !isWorkbook(member)).map(stem))
  let number = 0
  for await (const { name: member, bytes } of entriesOf(file, name)) {
    // Bundles carry the same table as text and as workbook.
    if (isWorkbook(member) && texts.has(stem(member))) continue
    if (/\.(pdf|docx?|jpe?g|png)$/i.test(member)) continue
    const path = join(work, `member-${process.pid}-${number++}-${basename(member)}`)
    const facts = await digested(Readable.from(bytes()), progress, member, path).catch(
      damaged(`${member} in ${name}`),
    )
    if ((await packingAt(path)) === 'zip') {
      yield* unpacked(path, work, findings, progress, basename(member), `${name} ${member}`)
      await rm(path, { force: true })
    } else yield { path, name: basename(member), within: `${name} ${member}`, temporary: true, ...facts }
  }
}

async function* entriesOf(file: string, name: string): AsyncGenerator<ZipEntry> {
  for await (const entry of zipEntries(file)) {
    if (entry instanceof Error) damaged(name)(entry)
    else yield entry
  }
}

/** Half a reference file is worse than none: a load that meets one ends and changes nothing. */
const damaged =
  (name: string) =>
  (error: unknown): never => {
    throw new Failure(
      'invalid_request',
      `${name} cannot be unpacked (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    )
  }

const isWorkbook = (name: string) => /\.xlsx$/i.test(name)
const stem = (name: string) => name.replace(/\.\w+$/, '')

/** Reads a stream once, to its digest, size and encoding, and to a file where one is named. */
async function digested(
  stream: Readable,
  progress: Progress,
  name: string,
  to?: string,
  inflate: Transform = new PassThrough(),
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
    await pipeline(stream, inflate, tap)
  } else await pipeline(stream, inflate, tap, createWriteStream(to))
  if (holdsUtf8) holdsUtf8 = isUtf8(rest)
  const utf16 = first?.[0] === 0xff && first[1] === 0xfe
  return {
    digest: hash.digest('hex'),
    bytes,
    encoding: utf16 ? 'utf-16' : holdsUtf8 ? 'utf-8' : 'latin-1',
  }
}

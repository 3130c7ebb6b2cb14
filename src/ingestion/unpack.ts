import { open, rm, writeFile } from 'node:fs/promises'
import { GzipProblem, inflated } from './inflate/inflated.ts'
import { packingOf } from '../files/packing.ts'

type Bytes = AsyncIterable<Uint8Array>

/** What was wrong with the packing of a file: where unpacked bytes end too early, or why there are none. */
export interface PackingProblem {
  readonly code:
    | 'empty_file'
    | 'not_json'
    | 'html_page'
    | 'truncated_gzip'
    | 'damaged_gzip'
    | 'damaged_zip'
    | 'zip_without_json'
    | 'unpacks_too_large'
  readonly says: string
  /** Unpacked bytes that came out before it. */
  readonly unpackedBytes: number
}

export interface UnpackedFile {
  /** The name inside the archive, where there is one. */
  readonly entry?: string
  readonly packing: 'plain' | 'gzip' | 'zip' | 'zip of gzip'
  /** The content. A chunk holds until the next one is asked for. */
  readonly bytes: Bytes
  /** What cut the bytes short; known once they have ended. */
  readonly problem: () => PackingProblem | undefined
}

export interface UnpackLimits {
  /** Unpacked bytes of one file. */
  readonly bytesMax: number
  /** Unpacked bytes for each packed one, looked at after the first 64 MB. */
  readonly ratioMax: number
}

export const unpackLimits: UnpackLimits = { bytesMax: 8 * 2 ** 40, ratioMax: 500 }

const ratioFreeBytes = 64 * 2 ** 20
const fileChunkBytes = 512 * 1024
const peekBytes = 512

export interface Packed {
  readonly bytes: Bytes
  /** Where the same bytes lie on this machine, which a zip archive needs: its directory stands at the end. */
  readonly path?: string
  /** Where a zip archive from elsewhere may be put while it is read. */
  readonly spool?: string
  /** How many bytes there are, where that is known. */
  readonly size?: number | undefined
  readonly limits?: UnpackLimits
}

/** The JSON files in what a publisher serves, one after the other, judged by their first bytes and not by their names. */
export async function* unpacked(packed: Packed): AsyncGenerator<UnpackedFile, void> {
  const limits = packed.limits ?? unpackLimits
  const { head, bytes } = await peeked(packed.bytes)
  const kind = kindOf(head)
  if (kind === 'gzip') yield gunzipped(bytes, limits, packed.size)
  else if (kind === 'zip') yield* unzipped(packed, bytes, limits)
  else
    yield { packing: 'plain', bytes: kind === 'json' ? bytes : nothing(), problem: () => refusal(kind, head) }
}

type Kind = 'gzip' | 'zip' | 'json' | 'html' | 'empty' | 'other'

/** What the first bytes say a file is. */
function kindOf(head: Uint8Array): Kind {
  const packing = packingOf(head)
  if (packing !== 'plain') return packing
  const text = new TextDecoder('utf-8')
    .decode(head)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text === '') return head.length < peekBytes ? 'empty' : 'json'
  if (text.startsWith('{') || text.startsWith('[')) return 'json'
  return text.startsWith('<') ? 'html' : 'other'
}

function refusal(kind: Kind, head: Uint8Array): PackingProblem | undefined {
  const shown = JSON.stringify(Buffer.from(head.subarray(0, 40)).toString('latin1'))
  if (kind === 'empty') return { code: 'empty_file', says: 'the file holds nothing', unpackedBytes: 0 }
  if (kind === 'html')
    return { code: 'html_page', says: `a web page or XML instead of JSON: ${shown}`, unpackedBytes: 0 }
  if (kind === 'other')
    return { code: 'not_json', says: `no JSON begins like this: ${shown}`, unpackedBytes: 0 }
  return undefined
}

function gunzipped(
  packed: Bytes,
  limits: UnpackLimits,
  size: number | undefined,
  packing: 'gzip' | 'zip of gzip' = 'gzip',
): UnpackedFile {
  let problem: PackingProblem | undefined
  async function* bytes(): Bytes {
    let packedBytes = 0
    let unpackedBytes = 0
    let first = true
    const counted = async function* () {
      for await (const chunk of packed) {
        packedBytes += chunk.length
        yield chunk
      }
    }
    try {
      for await (const chunk of inflated(counted(), size)) {
        if (first) {
          first = false
          const head = Buffer.from(chunk.subarray(0, peekBytes))
          const kind = kindOf(head)
          problem = refusal(kind === 'gzip' || kind === 'zip' ? 'other' : kind, head)
          if (problem) return
        }
        unpackedBytes += chunk.length
        problem = excess(unpackedBytes, packedBytes, limits)
        if (problem) return
        yield chunk
      }
      if (first) problem = refusal('empty', Buffer.alloc(0))
    } catch (error) {
      if (!(error instanceof GzipProblem)) throw error
      problem =
        error.kind === 'cut'
          ? {
              code: 'truncated_gzip',
              says: `the gzip file ends in the middle, after ${packedBytes} packed and ${unpackedBytes} unpacked bytes`,
              unpackedBytes,
            }
          : {
              code: 'damaged_gzip',
              says: `the gzip file is damaged (${error.message}) after ${unpackedBytes} unpacked bytes`,
              unpackedBytes,
            }
    }
  }
  return { packing, bytes: bytes(), problem: () => problem }
}

function excess(
  unpackedBytes: number,
  packedBytes: number,
  limits: UnpackLimits,
): PackingProblem | undefined {
  const tooLarge = unpackedBytes > limits.bytesMax
  const tooDense = unpackedBytes > ratioFreeBytes && unpackedBytes > packedBytes * limits.ratioMax
  if (!tooLarge && !tooDense) return undefined
  const says = tooLarge
    ? `unpacks to more than ${limits.bytesMax} bytes`
    : `unpacks to more than ${limits.ratioMax} times its size`
  return { code: 'unpacks_too_large', says, unpackedBytes }
}

async function* unzipped(
  packed: Packed,
  bytes: Bytes,
  limits: UnpackLimits,
): AsyncGenerator<UnpackedFile, void> {
  const path = packed.path ?? packed.spool
  if (path === undefined) throw new Error('a zip archive from elsewhere needs a place to be put')
  let found = 0
  const damaged = (error: Error): UnpackedFile => ({
    packing: 'zip',
    bytes: nothing(),
    problem: () => ({
      code: 'damaged_zip',
      says: `the zip archive is damaged (${error.message})`,
      unpackedBytes: 0,
    }),
  })
  try {
    if (packed.path === undefined) await writeFile(path, bytes)
    else for await (const _ of bytes) break
    // Loaded here: archives are few.
    const { zipEntries } = await import('../files/zip.ts')
    for await (const entry of zipEntries(path)) {
      if (entry instanceof Error) return yield damaged(entry)
      const head = await peeked(entry.bytes()).catch((error: unknown) => error as Error)
      if (head instanceof Error) {
        found++
        yield { ...damaged(head), entry: entry.name }
        continue
      }
      const kind = kindOf(head.head)
      if (kind === 'gzip') {
        found++
        yield { ...gunzipped(head.bytes, limits, entry.packedBytes, 'zip of gzip'), entry: entry.name }
      } else if (kind === 'json') {
        found++
        yield { ...stored(head.bytes, entry.packedBytes, limits), entry: entry.name }
      } else {
        for await (const _ of head.bytes) break
      }
    }
    if (found === 0)
      yield {
        packing: 'zip',
        bytes: nothing(),
        problem: () => ({
          code: 'zip_without_json',
          says: 'the zip archive holds no JSON file',
          unpackedBytes: 0,
        }),
      }
  } finally {
    if (packed.path === undefined) await rm(path, { force: true })
  }
}

/** An entry of a zip archive as it comes out, counted. */
function stored(bytes: Bytes, packedBytes: number, limits: UnpackLimits): UnpackedFile {
  let problem: PackingProblem | undefined
  async function* counted(): Bytes {
    let unpackedBytes = 0
    try {
      for await (const chunk of bytes) {
        unpackedBytes += chunk.length
        problem = excess(unpackedBytes, packedBytes, limits)
        if (problem) return
        yield chunk
      }
    } catch (error) {
      problem = {
        code: 'damaged_zip',
        says: `the zip entry is damaged (${(error as Error).message}) after ${unpackedBytes} unpacked bytes`,
        unpackedBytes,
      }
    }
  }
  return { packing: 'zip', bytes: counted(), problem: () => problem }
}

export interface Peeked {
  readonly head: Uint8Array
  readonly bytes: Bytes
  /** Lets go of the stream where its bytes are not read to their end. */
  readonly close: () => Promise<void>
}

/** The first bytes of a stream, and the stream with them still in it. */
export async function peeked(bytes: Bytes, most = peekBytes): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < most) {
    const { done, value } = await iterator.next()
    if (done) break
    // Kept beyond the next one, so as an own copy.
    chunks.push(Buffer.from(value))
    length += value.length
  }
  async function* whole(): Bytes {
    try {
      yield* chunks.splice(0)
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  const close = async () => void (await iterator.return?.())
  return { head: Buffer.concat(chunks).subarray(0, most), bytes: whole(), close }
}

// eslint-disable-next-line require-yield
async function* nothing(): Bytes {}

/** The bytes of a file on this machine. A chunk holds until the next one is asked for. */
export async function* fileBytes(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(fileChunkBytes)
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

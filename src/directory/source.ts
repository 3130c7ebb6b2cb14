import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ReadableStream } from 'node:stream/web'
import { Failure } from '../errors.ts'
import type { Progress } from './progress.ts'

const attemptsMax = 5

/** A SOURCE of the command line as a file on this machine: a path as it is, an address downloaded (and resumed where a download broke off). */
export async function localFile(source: string, work: string, progress: Progress): Promise<string> {
  if (!/^https?:\/\//i.test(source)) {
    if (!existsSync(source)) throw new Failure('invalid_request', `There is no file ${source}.`)
    return source
  }
  const url = new URL(source)
  const key = createHash('sha256').update(url.href).digest('hex').slice(0, 16)
  const name = basename(decodeURIComponent(url.pathname)) || 'download'
  const done = join(work, `${key}-${name}`)
  for (let attempt = 1; ; attempt++) {
    try {
      await download(url, done, progress)
      return done
    } catch (error) {
      if (error instanceof Failure || attempt === attemptsMax) throw error
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }
}

/**
 * Fetches to `<file>.part`, continuing it where the server still has the same version, and renames it when whole. A
 * file that an earlier load fetched whole is used again where the server says that it has not changed.
 */
async function download(url: URL, file: string, progress: Progress): Promise<void> {
  const part = `${file}.part`
  const versionFile = `${file}.version`
  const version = await readFile(versionFile, 'utf8').catch(() => '')
  const have = version === '' ? 0 : await sizeOf(part)
  const isWhole = version !== '' && existsSync(file)
  const response = await fetch(url, {
    headers: isWhole ? unlessChanged(version) : have > 0 ? rest(have, version) : {},
  })
  if (response.status === 304) return await response.body?.cancel()
  if (response.status === 416) {
    await response.body?.cancel()
    await Promise.all([rm(part, { force: true }), rm(versionFile, { force: true })])
    throw new Error(`${url.href} could not be resumed`)
  }
  if (!response.ok || response.body === null)
    throw new Failure('invalid_request', `${url.href} answered ${response.status} ${response.statusText}.`)
  const continued = response.status === 206
  const start = continued ? have : 0
  await writeFile(versionFile, response.headers.get('etag') ?? response.headers.get('last-modified') ?? '')
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  let arrived = start
  // Each chunk is written before the next is taken: what arrived before a break is there to be continued.
  const handle = await open(part, continued ? 'a' : 'w')
  try {
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      await handle.write(chunk)
      arrived += chunk.length
      progress({ stage: 'download', file: url.href, done: arrived, of: start + length })
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, file)
}

const rest = (have: number, version: string) => ({ range: `bytes=${have}-`, 'if-range': version })

const unlessChanged = (version: string): Record<string, string> =>
  /^(W\/)?"/.test(version) ? { 'if-none-match': version } : { 'if-modified-since': version }

const sizeOf = async (path: string) =>
  await stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** What a download leaves in the work folder: kept by a load that fails, so that the next one continues it. */
export const isDownload = (name: string) => /^[0-9a-f]{16}-/.test(name)

/** The first bytes of a file. */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

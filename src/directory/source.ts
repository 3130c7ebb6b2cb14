import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

/** Fetches to `<file>.part`, continuing it where the server still has the same version, and renames it when whole. */
async function download(url: URL, file: string, progress: Progress): Promise<void> {
  const part = `${file}.part`
  const versionFile = `${file}.version`
  const have = await stat(part).then(
    ({ size }) => size,
    () => 0,
  )
  const version = await readFile(versionFile, 'utf8').catch(() => '')
  const resumes = have > 0 && version !== ''
  const response = await fetch(url, {
    headers: resumes ? { range: `bytes=${have}-`, 'if-range': version } : {},
  })
  const alreadyWhole = response.status === 416
  if (!response.ok && !alreadyWhole)
    throw new Failure('invalid_request', `${url.href} answered ${response.status} ${response.statusText}.`)
  if (response.body === null || alreadyWhole) {
    await response.body?.cancel()
    await Promise.all([rm(part, { force: true }), rm(versionFile, { force: true })])
    throw new Error(`${url.href} could not be resumed`)
  }
  const continued = response.status === 206
  const start = continued ? have : 0
  await writeFile(versionFile, response.headers.get('etag') ?? response.headers.get('last-modified') ?? '')
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  let arrived = start
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      arrived += chunk.length
      progress({ stage: 'download', file: url.href, done: arrived, of: start + length })
      done(null, chunk)
    },
  })
  await pipeline(
    Readable.fromWeb(response.body as ReadableStream<Uint8Array>),
    counted,
    createWriteStream(part, { flags: continued ? 'a' : 'w' }),
  )
  await rename(part, file)
  await rm(versionFile, { force: true })
}

/** The first bytes of a file. */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

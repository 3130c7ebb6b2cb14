import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../errors.ts'
import { addressKey, addressName, isUrl } from '../files/address.ts'
import { download } from '../files/download.ts'
import { FetchProblem } from '../files/http.ts'
import { httpClient, type HttpOptions } from '../files/http-client.ts'
import type { Progress } from './progress.ts'

/** A SOURCE of the command line as a file on this machine: a path as it is, an address downloaded (and resumed where a download broke off). */
export async function localFile(
  source: string,
  work: string,
  progress: Progress,
  http: HttpOptions = {},
): Promise<string> {
  if (!isUrl(source)) {
    if (!existsSync(source)) throw new Failure('invalid_request', `There is no file ${source}.`)
    return source
  }
  if (!URL.canParse(source)) throw new Failure('invalid_request', `${source} is not an address.`)
  const name = addressName(source) || 'download'
  const file = join(work, `${addressKey(source)}-${name}`)
  const client = httpClient(http)
  try {
    await download(client, source, file, {
      progress: (done, of) => progress({ stage: 'download', file: name, done, of: of ?? Number.NaN }),
    })
    return file
  } catch (error) {
    if (error instanceof FetchProblem) throw new Failure('invalid_request', `${error.message}.`)
    throw error
  } finally {
    await client.close()
  }
}

const downloadKey = /^[0-9a-f]{24}-/

/** What a download leaves in the work folder: kept by a load that fails, so that the next one continues it. */
export const isDownload = (name: string) => downloadKey.test(name)

/** The publisher's name of a file in the work folder. */
export const publishedName = (name: string) => name.replace(downloadKey, '')

/** The first bytes of a file. */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { keepFile } from './kept-file.ts'
import { fetched, FetchProblem, type Validators } from './http.ts'
import type { HttpClient } from './http-client.ts'

export interface DownloadOptions {
  /** Told the bytes that are there, and how many there will be where the server says so. */
  readonly progress?: (bytes: number, of: number | undefined) => void
  readonly signal?: AbortSignal
}

const restartsMax = 3

/**
 * Fetches an address to a file on this machine. What arrived lies in `<file>.part` with the server's word on its state in
 * `<file>.state`, so that a later process continues it; a file that is whole is used again while the server has no other.
 */
export async function download(
  client: HttpClient,
  address: string,
  file: string,
  options: DownloadOptions = {},
): Promise<void> {
  for (let restarts = 0; ; restarts++) {
    try {
      return await attempt(client, address, file, options)
    } catch (error) {
      if (!(error instanceof FetchProblem) || error.kind !== 'changed') throw error
      await Promise.all([partOf(file), stateOf(file)].map((path) => rm(path, { force: true })))
      if (restarts === restartsMax) throw error
    }
  }
}

async function attempt(
  client: HttpClient,
  address: string,
  file: string,
  { progress, signal }: DownloadOptions,
): Promise<void> {
  const part = partOf(file)
  const state = await knownState(file)
  const partBytes = await sizeOf(part)
  // Cut between its last byte and its name.
  if (partBytes > 0 && partBytes === state?.size) await rename(part, file)
  const known = existsSync(file) ? state : undefined
  const begun =
    known === undefined && state !== undefined && partBytes > 0
      ? { bytes: partBytes, hash: await hashOf(part), validators: state }
      : undefined
  const answer = await fetched(client, address, {
    ...(known && { known }),
    ...(begun && { begun }),
    ...(signal && { signal }),
  })
  if (answer === 'unchanged') return
  const { bytes, digest: _, ...validators } = answer
  await keepFile(stateOf(file), JSON.stringify(validators))
  let arrived = begun?.bytes ?? 0
  const handle = await open(part, begun ? 'a' : 'w')
  try {
    // Each chunk is written before the next is taken: what arrived before a break is there to be continued.
    for await (const chunk of bytes) {
      await handle.writeFile(chunk)
      arrived += chunk.length
      progress?.(arrived, validators.size)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, file)
}

const partOf = (file: string) => `${file}.part`
const stateOf = (file: string) => `${file}.state`

/** The server's word on what was fetched before; undefined where it could not be asked about again. */
async function knownState(file: string): Promise<Validators | undefined> {
  const text = await readFile(stateOf(file), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const state = JSON.parse(text) as Validators
  return state.etag === undefined && state.lastModified === undefined ? undefined : state
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

async function hashOf(path: string): Promise<Hash> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash
}

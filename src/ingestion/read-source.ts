import type { Hash } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUrl } from '../files/address.ts'
import { documentKind } from './document-kind.ts'
import type { Validators } from '../files/http.ts'
import type { HttpClient } from '../files/http-client.ts'
import { packingOf } from '../files/packing.ts'
import { packingFinding, pipelineFinding, findingLines, type FindingLine } from './pipeline-findings.ts'
import type { ReadFilter, StagedFile } from './reader/output.ts'
import { readFile } from './reader/reader.ts'
import { fileBytes, peeked, unpacked, type UnpackLimits, type UnpackedFile } from './unpack.ts'

/** One file to read: plain data, so that it can be handed to a thread. */
export interface ReadJob {
  readonly address: string
  readonly from: string
  /** Folder in which unfinished stages are made; absent where the file is only judged. */
  readonly work?: string
  readonly filter?: ReadFilter
  /** What was read of this address before. */
  readonly known?: Validators
  readonly limits?: UnpackLimits
  readonly findingsKept?: number
}

/** What came of one document: a plain file, or an entry of an archive. */
export interface ReadDocument {
  readonly entry: string
  readonly packing: UnpackedFile['packing']
  readonly kind: string
  /** SHA-256 of the packed bytes; '' where they were only judged, or not read to their end. */
  readonly digest: string
  /** The reader's answer, for in-network files. */
  readonly staged?: StagedFile
  /** The unfinished stage's folder, complete in itself, waiting for its name. */
  readonly stage?: string
  readonly expirations?: Readonly<Record<string, number>>
  /** Full addresses of remote references that the stage names without what grants access to them. Held in memory only. */
  readonly signed?: ReadonlyMap<string, string>
  readonly findings: readonly FindingLine[]
}

export type ReadOutcome =
  | { readonly outcome: 'unchanged' }
  | {
      readonly outcome: 'read'
      readonly size: number
      readonly validators: Validators
      readonly documents: readonly ReadDocument[]
    }
  | { readonly outcome: 'failed'; readonly finding: FindingLine }

export interface ReadHelp {
  readonly signal?: AbortSignal
  readonly renew?: () => Promise<string | undefined>
  readonly progress?: (done: { readonly packedBytes: number; readonly unpackedBytes: number }) => void
}

const headBytes = 64 * 1024
const restartsMax = 3
/** Signed addresses of remote references held for one file, about a hundred MB at most. */
const signedMax = 200_000

/** Reads a file from wherever it is into stages, one for each in-network document in it. */
export async function readSource(
  client: HttpClient,
  job: ReadJob,
  help: ReadHelp = {},
): Promise<ReadOutcome> {
  for (let restarts = 0; ; restarts++) {
    try {
      return await attempt(client, job, help)
    } catch (error) {
      help.signal?.throwIfAborted()
      const { FetchProblem } = await import('../files/http.ts')
      if (error instanceof FetchProblem && error.kind === 'changed' && restarts < restartsMax) continue
      if (error instanceof FetchProblem)
        return { outcome: 'failed', finding: pipelineFinding('unreachable', error.message) }
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
        return { outcome: 'failed', finding: pipelineFinding('unreadable', message) }
      throw error
    }
  }
}

interface OpenSource {
  readonly validators: Validators
  readonly bytes: AsyncIterable<Uint8Array>
  readonly digest: () => Promise<string>
}

async function opened(client: HttpClient, job: ReadJob, help: ReadHelp): Promise<OpenSource | 'unchanged'> {
  if (isUrl(job.from)) {
    const { fetched } = await import('../files/http.ts')
    const answer = await fetched(client, job.from, {
      ...(job.known && { known: job.known }),
      ...(help.signal && { signal: help.signal }),
      ...(help.renew && { renew: help.renew }),
    })
    if (answer === 'unchanged') return answer
    const { bytes, digest, ...validators } = answer
    return { validators, bytes, digest: () => Promise.resolve(digest()) }
  }
  const about = await stat(job.from)
  const validators = { lastModified: about.mtime.toISOString(), size: about.size }
  if (job.known?.lastModified === validators.lastModified && job.known.size === validators.size)
    return 'unchanged'
  return { validators, ...(job.work ? hashed : unhashed)(job.from, help.signal) }
}

/** A local file whose digest comes along with its bytes, or, where they were not read to the end, by a reading of its own. */
function hashed(path: string, signal: AbortSignal | undefined) {
  let whole: Hash | undefined
  async function* bytes() {
    const hash = await sha256()
    for await (const chunk of fileBytes(path, signal)) {
      hash.update(chunk)
      yield chunk
    }
    whole = hash
  }
  const digest = async () => {
    if (whole) return whole.digest('hex')
    const again = await sha256()
    for await (const chunk of fileBytes(path, signal)) again.update(chunk)
    return again.digest('hex')
  }
  return { bytes: bytes(), digest }
}

const unhashed = (path: string, signal: AbortSignal | undefined) => ({
  bytes: fileBytes(path, signal),
  digest: () => Promise.resolve(''),
})

/** Loaded by whoever needs it: node:crypto takes longer to load than a small file to be judged. */
const sha256 = async () => (await import('node:crypto')).createHash('sha256')

async function attempt(client: HttpClient, job: ReadJob, help: ReadHelp): Promise<ReadOutcome> {
  const source = await opened(client, job, help)
  if (source === 'unchanged') return { outcome: 'unchanged' }
  let packedBytes = 0
  let sourceError: unknown
  async function* counted() {
    try {
      for await (const chunk of (source as OpenSource).bytes) {
        packedBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      sourceError = error
      throw error
    }
  }
  if (job.work) await mkdir(job.work, { recursive: true })
  const documents: Omit<ReadDocument, 'digest'>[] = []
  const local = !isUrl(job.from)
  const { head, bytes } = await peeked(counted())
  const archive = packingOf(head) === 'zip'
  const spool = archive && !local ? await ownPath(job.work ?? tmpdir(), 'spool') : undefined
  try {
    for await (const file of unpacked({
      bytes,
      ...(spool && { spool }),
      size: source.validators.size,
      ...(local && { path: job.from }),
      ...(job.limits && { limits: job.limits }),
    }))
      documents.push(await document(job, file, help, () => packedBytes))
    if (sourceError) throw sourceError
    // What a first look is enough for has not been read to its end; its bytes have no digest then.
    const whole = archive || documents.every(({ staged }) => staged !== undefined)
    const digest = job.work && (whole || local) ? await source.digest() : ''
    return {
      outcome: 'read',
      size: source.validators.size ?? packedBytes,
      validators: source.validators,
      documents: await Promise.all(
        documents.map(async (read) => ({
          ...read,
          digest: digest && (await entryDigest(digest, archive ? read.entry : '')),
        })),
      ),
    }
  } catch (error) {
    for (const { stage } of documents) if (stage) await rm(stage, { recursive: true, force: true })
    throw error
  }
}

const entryDigest = async (digest: string, entry: string) =>
  entry === '' ? digest : (await sha256()).update(`${digest}\n${entry}`).digest('hex')

/** A path that nobody else uses, and by which a later process knows whose leftover it is. */
async function ownPath(folder: string, what: 'partial' | 'spool'): Promise<string> {
  const { randomUUID } = await import('node:crypto')
  return join(folder, `${what}-${process.pid}-${randomUUID()}`)
}

async function document(
  job: ReadJob,
  file: UnpackedFile,
  help: ReadHelp,
  packedBytes: () => number,
): Promise<Omit<ReadDocument, 'digest'>> {
  const { head, bytes, close } = await peeked(file.bytes, headBytes)
  const entry = file.entry ?? ''
  const problem = head.length === 0 ? file.problem() : undefined
  if (problem) return { entry, packing: file.packing, kind: 'other', findings: [packingFinding(problem)] }
  const kind = documentKind(head)
  if (kind !== 'in-network') {
    for await (const _ of bytes) break
    const findings =
      kind === 'allowed-amounts'
        ? [pipelineFinding('not_loaded', 'An out-of-network allowed-amount file')]
        : []
    return { entry, packing: file.packing, kind, findings }
  }
  const stage = job.work && (await ownPath(job.work, 'partial'))
  const signed = new Map<string, string>()
  try {
    const staged = await readFile(bytes, stage, {
      filter: job.filter,
      findingsKept: job.findingsKept,
      progress: (unpackedBytes) => help.progress?.({ packedBytes: packedBytes(), unpackedBytes }),
      signal: help.signal,
      signed: (stored, location) => signed.size < signedMax && signed.set(stored, location),
    })
    const cut = file.problem()
    return {
      entry,
      packing: file.packing,
      kind: staged.kind,
      staged,
      ...(signed.size > 0 && { signed }),
      ...(stage && { stage, expirations: await expirationsOf(stage) }),
      findings: [...findingLines(staged.findings), ...(cut ? [packingFinding(cut)] : [])],
    }
  } catch (error) {
    // Stopped in the middle: whoever unpacks lets go of the file, and of its thread.
    await close()
    if (stage) await rm(stage, { recursive: true, force: true })
    throw error
  }
}

async function expirationsOf(stage: string) {
  const { expirations } = await import('./expirations.ts')
  return expirations(stage)
}

import type { HttpOptions } from '../files/http-client.ts'
import { packingFinding, pipelineFinding, type FindingLine } from './pipeline-findings.ts'
import type { Finding } from './findings.ts'
import type { FileCounts, FileHeader } from './reader/output.ts'
import type { ReadOutcome } from './read-source.ts'
import { expandedSources, type SourceFile } from './sources.ts'
import { tableOfContents } from './table-of-contents.ts'
import { Threads } from './threads.ts'
import { fileBytes, unpacked } from './unpack.ts'
import { fetched } from '../files/http.ts'
import { httpClient } from '../files/http-client.ts'
import { isUrl } from '../files/address.ts'

export interface ValidateRequest {
  readonly sources: readonly string[]
  /** How many findings of each kind are shown with their place. */
  readonly findingsKept?: number
  readonly threads?: number
  readonly http?: HttpOptions
  readonly signal?: AbortSignal
}

/** `clean`: nothing of error severity. `faulty`: some. `unreadable`: no document could be read at all. */
export type Verdict = 'clean' | 'faulty' | 'unreadable'

export interface ValidatedFile {
  readonly address: string
  readonly entry: string
  readonly kind: string
  readonly packing: string
  readonly verdict: Verdict
  readonly header: FileHeader
  readonly counts: Partial<FileCounts>
  /** Each kind of finding once, with how often it was met. */
  readonly summary: readonly FindingLine[]
  /** Findings with their place, the first of each kind. */
  readonly findings: readonly Finding[]
}

/** Reads files as an ingest does and keeps nothing: what is odd in them, where, and how often. */
export async function validated(request: ValidateRequest): Promise<ValidatedFile[]> {
  const threads = new Threads(request.threads)
  threads.prepare()
  threads.share({ http: request.http ?? {} })
  const stop = () => void threads.stop()
  request.signal?.addEventListener('abort', stop)
  try {
    const sources = await expandedSources(request.sources)
    const files = await Promise.all(
      sources.map(async (source) => {
        const outcome = await threads.run<ReadOutcome>({
          job: 'read',
          address: source.address,
          from: source.from,
          ...(request.findingsKept && { findingsKept: request.findingsKept }),
        })
        return judged(source, outcome, request)
      }),
    )
    return files.flat()
  } catch (error) {
    request.signal?.throwIfAborted()
    throw error
  } finally {
    request.signal?.removeEventListener('abort', stop)
    await threads.stop()
  }
}

async function judged(
  source: SourceFile,
  outcome: ReadOutcome,
  request: ValidateRequest,
): Promise<ValidatedFile[]> {
  const base = { address: source.address, entry: '', packing: '', header: {}, counts: {}, findings: [] }
  if (outcome.outcome === 'unchanged') throw new Error('nothing was known before')
  if (outcome.outcome === 'failed')
    return [{ ...base, kind: 'other', verdict: 'unreadable', summary: [outcome.finding] }]
  return Promise.all(
    outcome.documents.map(async ({ entry, kind, packing, staged, findings }) => {
      const summary = kind === 'table-of-contents' ? await indexFindings(source, request) : findings
      return {
        ...base,
        entry,
        kind,
        packing,
        header: staged?.header ?? {},
        counts: staged?.counts ?? {},
        summary,
        findings: staged?.findings.kept ?? [],
        verdict: verdictOf(kind, summary),
      }
    }),
  )
}

function verdictOf(kind: string, findings: readonly FindingLine[]): Verdict {
  const known = ['in-network', 'table-of-contents', 'allowed-amounts', 'provider-reference'].includes(kind)
  if (!known) return 'unreadable'
  return findings.some(({ severity }) => severity === 'error') ? 'faulty' : 'clean'
}

async function indexFindings(source: SourceFile, request: ValidateRequest): Promise<FindingLine[]> {
  const client = httpClient(request.http)
  try {
    const answer = isUrl(source.from) ? await fetched(client, source.from) : undefined
    const bytes = answer && answer !== 'unchanged' ? answer.bytes : fileBytes(source.from)
    const findings: FindingLine[] = []
    for await (const file of unpacked({ bytes, ...(!isUrl(source.from) && { path: source.from }) })) {
      const index = tableOfContents(file.bytes)
      let [plans, files] = [0, 0]
      for await (const listings of index.listings)
        for (const listing of listings) {
          if ('plan' in listing) plans++
          else files++
        }
      const broken = index.problem()
      if (broken) findings.push({ ...pipelineFinding('unreadable', broken.says), offset: broken.offset })
      const cut = file.problem()
      if (cut) findings.push(packingFinding(cut))
      if (plans === 0 || files === 0)
        findings.push(pipelineFinding('unreadable', 'the index lists no plan or no file'))
    }
    return findings
  } finally {
    await client.close()
  }
}

import { httpClient } from '../files/http-client.ts'
import type { FindingLine } from './pipeline-findings.ts'
import { prepareReaderModule } from './reader/reader-module.ts'
import { readSource, type ReadJob, type ReadOutcome } from './read-source.ts'
import { expandedSources, type SourceFile } from './sources.ts'
import type { ValidatedFile, ValidateRequest, Verdict } from './validate.ts'

/** Does what `validated` promises: several files on threads, one in this thread, as another would take a while to come up. */
export async function validatedFiles(request: ValidateRequest): Promise<ValidatedFile[]> {
  const sources = await expandedSources(request.sources)
  return sources.length > 1 && request.threads !== 1
    ? filesReadOnThreads(sources, request)
    : filesReadHere(sources, request)
}

async function filesReadHere(
  sources: readonly SourceFile[],
  request: ValidateRequest,
): Promise<ValidatedFile[]> {
  const { signal } = request
  const client = httpClient(request.http)
  // Until the thread that inflates is up there is nothing else to do.
  prepareReaderModule()
  try {
    const files: ValidatedFile[] = []
    for (const source of sources) {
      const outcome = await readSource(client, readJob(source, request), signal && { signal })
      files.push(...(await judged(source, outcome, request)))
    }
    return files
  } finally {
    await client.close()
  }
}

async function filesReadOnThreads(
  sources: readonly SourceFile[],
  request: ValidateRequest,
): Promise<ValidatedFile[]> {
  const { Threads } = await import('./threads.ts')
  const threads = new Threads(request.threads)
  threads.prepare()
  threads.share({ http: request.http ?? {} })
  const stop = () => void threads.stop()
  request.signal?.addEventListener('abort', stop)
  try {
    request.signal?.throwIfAborted()
    const files = await Promise.all(
      sources.map(async (source) => {
        const outcome = await threads.run<ReadOutcome>({ job: 'read', ...readJob(source, request) })
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

const readJob = ({ address, from }: SourceFile, { findingsKept }: ValidateRequest): ReadJob => ({
  address,
  from,
  ...(findingsKept && { findingsKept }),
})

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
      const summary = kind === 'table-of-contents' ? await ofIndex(source, request) : findings
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

async function ofIndex(source: SourceFile, request: ValidateRequest): Promise<FindingLine[]> {
  const { indexFindings } = await import('./index-findings.ts')
  return indexFindings(source, request)
}

function verdictOf(kind: string, findings: readonly FindingLine[]): Verdict {
  const known = ['in-network', 'table-of-contents', 'allowed-amounts', 'provider-reference'].includes(kind)
  if (!known) return 'unreadable'
  return findings.some(({ severity }) => severity === 'error') ? 'faulty' : 'clean'
}

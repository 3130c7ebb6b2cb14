import type { SourceMonth } from '../vocabulary/source-month.ts'
import type { BuiltMonth } from '../warehouse/build-month.ts'
import type { HttpOptions } from '../files/http-client.ts'
import type { Progress } from './progress.ts'
import type { Target } from './target.ts'
import { Threads } from './threads.ts'

export interface IngestRequest {
  /** `rates/` in the data folder. */
  readonly ratesFolder: string
  readonly sources: readonly string[]
  /** Identifier, name or alias of the payer; without it the files say. */
  readonly payer?: string
  readonly month?: SourceMonth
  readonly target?: Target
  /** Begin the payer's month anew instead of adding to it. */
  readonly replace?: boolean
  readonly threads?: number
  readonly http?: HttpOptions
  readonly signal?: AbortSignal
  readonly report?: (progress: Progress) => void
}

export interface IngestSummary {
  readonly snapshot: string
  readonly files: {
    readonly read: number
    readonly unchanged: number
    readonly notLoaded: number
    readonly failed: number
  }
  readonly months: readonly BuiltMonth[]
  /** What went wrong with which file, in sentences. */
  readonly problems: readonly { readonly address: string; readonly says: string }[]
  readonly unpackedBytes: number
  readonly prices: number
  readonly elapsedMs: number
}

/** Takes files from wherever they are to published, queryable rates. What was read before and has not changed is not read again. */
export async function ingest(
  request: IngestRequest,
  threads: Threads = new Threads(request.threads),
): Promise<IngestSummary> {
  // The first thread comes up while the rest is loaded: of a small file, starting is a good part.
  threads.prepare()
  try {
    const { ingestOn } = await import('./run.ts')
    return await ingestOn(threads, request)
  } finally {
    await threads.stop()
  }
}

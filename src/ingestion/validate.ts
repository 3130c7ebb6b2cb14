import type { HttpOptions } from '../files/http-client.ts'
import type { Finding } from './findings.ts'
import { prepareInflating } from './inflate/inflated.ts'
import type { FindingLine } from './pipeline-findings.ts'
import type { FileCounts, FileHeader } from './reader/output.ts'

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
  // What inflates comes up while the rest is loaded: of a small file, starting is a good part.
  prepareInflating()
  const { validatedFiles } = await import('./validated-files.ts')
  return validatedFiles(request)
}

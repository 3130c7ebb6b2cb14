import { findingKinds, type Finding, type FindingKind } from '../findings.ts'
import type { FileCounts, FileHeader, FileKind } from './output.ts'
import { readFile, type Chunks, type ReadOptions } from './reader.ts'

const findingsKeptDefault = 1_000

/** The verdict on a file: what it is, what it holds, and everything odd in it. */
export interface Validation {
  readonly kind: FileKind
  /** The document is whole, and nothing in it had to be left out. */
  readonly valid: boolean
  readonly complete: boolean
  readonly header: FileHeader
  readonly counts: FileCounts
  /** By kind, the most severe and most frequent first. */
  readonly summary: readonly FindingSummary[]
  /** The first of each kind, in the order of the file. */
  readonly findings: readonly Finding[]
}

export interface FindingSummary {
  readonly kind: FindingKind
  readonly severity: 'error' | 'warning' | 'notice'
  readonly says: string
  readonly count: number
}

const severities = ['error', 'warning', 'notice']

/** Reads an unpacked file without loading it, and answers every finding by kind and with its place. */
export async function validate(
  chunks: Chunks,
  { findingsKept = findingsKeptDefault, ...options }: ReadOptions = {},
): Promise<Validation> {
  const { kind, complete, header, counts, findings } = await readFile(chunks, undefined, {
    ...options,
    findingsKept,
  })
  const summary = Object.entries(findings.counts)
    .map(([name, count]) => ({ kind: name as FindingKind, ...findingKinds[name as FindingKind], count }))
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.count - a.count)
  return {
    kind,
    valid: complete && summary.every(({ severity }) => severity !== 'error'),
    complete,
    header,
    counts,
    summary,
    findings: findings.kept.toSorted((a, b) => a.offset - b.offset),
  }
}

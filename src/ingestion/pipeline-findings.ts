import { findingKinds, type FindingKind, type Findings } from './findings.ts'
import type { PackingProblem } from './unpack.ts'

export type Severity = 'error' | 'warning' | 'notice'

/** What can be odd about a file before and after its JSON is read; the reader's own kinds stand in findings.ts. */
export const pipelineFindingKinds = {
  unreachable: { severity: 'error', says: 'The file could not be fetched' },
  unreadable: { severity: 'error', says: 'The file could not be read' },
  not_json: { severity: 'error', says: 'This is not JSON' },
  truncated_gzip: { severity: 'error', says: 'The gzip file ends in the middle; what came before is kept' },
  damaged_gzip: { severity: 'error', says: 'The gzip file is damaged; what came before is kept' },
  damaged_zip: { severity: 'error', says: 'The zip archive is damaged; what came before is kept' },
  zip_without_json: { severity: 'error', says: 'The zip archive holds no JSON file' },
  unpacks_too_large: {
    severity: 'error',
    says: 'The file unpacks beyond the limit; what came before is kept',
  },
  payer_unknown: { severity: 'error', says: 'The registry does not know who published this file' },
  month_unknown: { severity: 'error', says: 'Nothing says for which month the file was published' },
  month_disagrees: { severity: 'warning', says: 'Names and dates disagree about the source month' },
  location_unreachable: {
    severity: 'warning',
    says: 'A remote provider reference could not be had; its rates are kept and marked',
  },
  not_loaded: { severity: 'notice', says: 'Recognised, and not loaded' },
  stale: { severity: 'notice', says: 'last_updated_on is more than 180 days before the source month' },
} as const satisfies Record<string, { severity: Severity; says: string }>

export type PipelineFindingKind = keyof typeof pipelineFindingKinds

/** One kind of oddity in one file: how often, and where first. */
export interface FindingLine {
  readonly kind: string
  readonly severity: Severity
  readonly count: number
  readonly says: string
  readonly path: string
  readonly offset: number | undefined
}

/** A finding of the pipeline itself; `says` may tell more than the kind does. */
export const pipelineFinding = (kind: PipelineFindingKind, says?: string, count = 1): FindingLine => ({
  kind,
  severity: pipelineFindingKinds[kind].severity,
  count,
  says: says ?? pipelineFindingKinds[kind].says,
  path: '$',
  offset: undefined,
})

/** What cut the unpacked bytes of a file short, as a finding. */
export function packingFinding(problem: PackingProblem): FindingLine {
  const { code, says, unpackedBytes } = problem
  const severity = code in findingKinds ? findingKinds[code as FindingKind].severity : 'error'
  return { kind: code, severity, count: 1, says, path: '$', offset: unpackedBytes }
}

/** The reader's findings, a line for each kind: every oddity counted, the first of its kind shown. */
export function findingLines(findings: Findings): FindingLine[] {
  return (Object.entries(findings.counts) as [FindingKind, number][]).map(([kind, count]) => {
    const first = findings.kept.find((finding) => finding.kind === kind)
    return {
      kind,
      severity: findingKinds[kind].severity,
      count,
      says: first?.says ?? findingKinds[kind].says,
      path: first?.path ?? '$',
      offset: first?.offset,
    }
  })
}

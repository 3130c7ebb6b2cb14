import { findingsOf, type FileRow, type LedgerCounts } from './ledger-files.ts'
import type { Ledger } from './ledger.ts'
import type { FindingLine } from './pipeline-findings.ts'

/** How good a published file is, or all files of a payer's month together. */
export interface Quality {
  readonly files: number
  /** Schema versions as the files name them, with how many files do. */
  readonly schemaVersions: Readonly<Record<string, number>>
  readonly prices: number
  readonly zeroRates: number
  /** Shares are between 0 and 1; null where there is nothing to take a share of. */
  readonly zeroRateShare: number | null
  readonly absurdRates: number
  readonly npis: number
  readonly invalidNpis: number
  readonly invalidNpiShare: number | null
  readonly groups: number
  readonly invalidTins: number
  readonly invalidTinShare: number | null
  readonly references: number
  readonly unusedReferences: number
  readonly unusedReferenceShare: number | null
  readonly undefinedReferences: number
  readonly remoteReferences: number
  readonly unresolvedReferences: number
  readonly expiredRates: number
  readonly expiredRateShare: number | null
  /** Days from the oldest `last_updated_on` to the end of the source month; null where none can be read. */
  readonly staleDays: number | null
  readonly errors: number
  readonly warnings: number
  readonly notices: number
}

export interface FileQuality extends Quality {
  readonly address: string
  readonly entry: string
  readonly digest: string
  readonly size: number
  readonly lastUpdatedOn: string | null
  readonly findings: readonly FindingLine[]
}

/** The quality of each file of a payer's month. */
export function fileQualities(ledger: Ledger, payer: string, month: number): FileQuality[] {
  return monthFiles(ledger, payer, month).map((file) => {
    const findings = findingsOf(ledger, file.id)
    return {
      address: file.address,
      entry: file.entry,
      digest: file.digest,
      size: file.size,
      lastUpdatedOn: file.last_updated_on,
      findings,
      ...summary([{ file, findings }], month),
    }
  })
}

/** The quality of all files of a payer's month together. */
export const monthQuality = (ledger: Ledger, payer: string, month: number): Quality =>
  summary(
    monthFiles(ledger, payer, month).map((file) => ({ file, findings: findingsOf(ledger, file.id) })),
    month,
  )

const monthFiles = (ledger: Ledger, payer: string, month: number) =>
  ledger.rows<FileRow>(
    `select f.* from month_files m join files f on f.id = m.file where m.payer = ? and m.month = ?
     order by f.address, f.entry`,
    payer,
    month,
  )

interface Judged {
  readonly file: FileRow
  readonly findings: readonly FindingLine[]
}

function summary(judged: readonly Judged[], month: number): Quality {
  const counts = judged.map(({ file }) => JSON.parse(file.counts) as LedgerCounts)
  const sum = (name: Exclude<keyof LedgerCounts, 'expirations'>) =>
    counts.reduce((total, count) => total + (count[name] ?? 0), 0)
  const findings = (severity: string) =>
    judged
      .flatMap(({ findings }) => findings)
      .filter((finding) => finding.severity === severity)
      .reduce((total, { count }) => total + count, 0)
  const schemaVersions: Record<string, number> = {}
  for (const { file } of judged) {
    const version = file.schema_version ?? 'not given'
    schemaVersions[version] = (schemaVersions[version] ?? 0) + 1
  }
  const [prices, zeroRates] = [sum('prices'), sum('pricesZero')]
  const [npis, invalidNpis] = [sum('npisPublished'), sum('npisInvalid')]
  const [groups, invalidTins] = [sum('groupsPublished'), sum('tinsInvalid')]
  const [references, unusedReferences] = [sum('referencesDefined'), sum('referencesUnused')]
  const expiredRates = counts.reduce((total, { expirations }) => total + expired(expirations, month), 0)
  const ages = judged.map(({ file }) => age(file.last_updated_on, month)).filter((days) => days !== null)
  return {
    files: judged.length,
    schemaVersions,
    prices,
    zeroRates,
    zeroRateShare: share(zeroRates, prices),
    absurdRates: sum('pricesAbsurd'),
    npis,
    invalidNpis,
    invalidNpiShare: share(invalidNpis, npis),
    groups,
    invalidTins,
    invalidTinShare: share(invalidTins, groups),
    references,
    unusedReferences,
    unusedReferenceShare: share(unusedReferences, references),
    undefinedReferences: sum('referencesUndefined'),
    remoteReferences: sum('referencesRemote'),
    unresolvedReferences: sum('locationsFailed'),
    expiredRates,
    expiredRateShare: share(expiredRates, prices),
    staleDays: ages.length > 0 ? Math.max(...ages) : null,
    errors: findings('error'),
    warnings: findings('warning'),
    notices: findings('notice'),
  }
}

const share = (part: number, whole: number) => (whole > 0 ? part / whole : null)

const monthText = (month: number) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`

/** Prices whose last day lies before the source month begins. */
function expired(expirations: Readonly<Record<string, number>> | undefined, month: number): number {
  const first = monthText(month)
  return Object.entries(expirations ?? {})
    .filter(([expires]) => expires !== '' && expires < first)
    .reduce((total, [, count]) => total + count, 0)
}

const dayMs = 86_400_000

/** Days from a date to the end of a month, never below zero. */
function age(date: string | null, month: number): number | null {
  const updated = Date.parse(`${date?.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(updated)) return null
  const end = Date.UTC(Math.floor(month / 100), month % 100, 1)
  return Math.max(0, Math.floor((end - updated) / dayMs))
}

const staleFromDays = 180

/** Whether a file was last updated so long before its month began that its publisher may have forgotten it. */
export function isStale(date: string | null, month: number): boolean {
  const updated = Date.parse(`${date?.slice(0, 10)}T00:00:00Z`)
  return Date.UTC(Math.floor(month / 100), (month % 100) - 1, 1) - updated > staleFromDays * dayMs
}

import type { Validators } from '../files/http.ts'
import type { Ledger } from './ledger.ts'
import type { FindingLine, PipelineFindingKind } from './pipeline-findings.ts'
import type { FileCounts, FileHeader } from './reader/output.ts'
import { planId } from './ledger-plans.ts'
import { planOf } from './reported-plan.ts'

/** `staged`: its columns lie in a stage. `not loaded`: recognised, of no use here. `unreadable`: nothing could be had of it. */
export type FileState = 'staged' | 'not loaded' | 'unreadable'

/** What reading counted in a file, and what the quality summary needs besides. */
export interface LedgerCounts extends Partial<FileCounts> {
  readonly unpackedBytes?: number
  /** Prices by the month in which they expire, `YYYY-MM`; '' = no date that can be read. */
  readonly expirations?: Readonly<Record<string, number>>
  /** Remote references that could not be had, and how many addresses of such were signed. */
  readonly locationsFailed?: number
  readonly locationsSigned?: number
}

/** A file as reading left it. */
export interface ReadFile {
  /** Without token. */
  readonly address: string
  /** Its name inside an archive; empty where there is none. */
  readonly entry: string
  /** SHA-256 of the bytes as published; of an archive's entry: of the archive and the entry's name. */
  readonly digest: string
  /** Which targeted ingest it was read for; empty for a whole one. */
  readonly filter: string
  readonly state: FileState
  readonly kind: string
  readonly packing: string
  /** Bytes as published. */
  readonly size: number
  readonly validators: Validators
  readonly header: FileHeader
  readonly stage: string | undefined
  readonly remote: string | undefined
  readonly counts: LedgerCounts
  readonly findings: readonly FindingLine[]
  readonly says: string | undefined
  /** When; the entries of one archive share it. */
  readonly readAt: string
}

/** A row of the ledger's files. */
export interface FileRow {
  readonly id: number
  readonly address: string
  readonly entry: string
  readonly digest: string
  readonly filter: string
  readonly state: FileState
  readonly kind: string
  readonly packing: string
  readonly size: number
  readonly etag: string | null
  readonly last_modified: string | null
  readonly schema_version: string | null
  readonly reporting_entity: string | null
  readonly last_updated_on: string | null
  readonly plan: number | null
  readonly stage: string | null
  readonly remote: string | null
  readonly counts: string
  readonly says: string | null
  readonly read_at: string
}

/** Writes what reading made of a file, findings and all; a second reading of the same bytes replaces the first. */
export function recordFile(ledger: Ledger, file: ReadFile): FileRow {
  return ledger.whole(() => {
    const { header, validators } = file
    const plan = header.plan_name || header.plan_id ? planId(ledger, planOf({ ...header })) : null
    ledger.run(
      `insert into files (address, entry, digest, filter, state, kind, packing, size, etag, last_modified,
         schema_version, reporting_entity, reporting_entity_type, last_updated_on, plan, stage, remote, counts, says, read_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (address, entry, digest, filter) do update set
         state = excluded.state, kind = excluded.kind, packing = excluded.packing, size = excluded.size,
         etag = excluded.etag, last_modified = excluded.last_modified, schema_version = excluded.schema_version,
         reporting_entity = excluded.reporting_entity, reporting_entity_type = excluded.reporting_entity_type,
         last_updated_on = excluded.last_updated_on, plan = excluded.plan, stage = excluded.stage,
         remote = excluded.remote, counts = excluded.counts, says = excluded.says, read_at = excluded.read_at`,
      file.address,
      file.entry,
      file.digest,
      file.filter,
      file.state,
      file.kind,
      file.packing,
      file.size,
      validators.etag ?? null,
      validators.lastModified ?? null,
      header.version ?? null,
      header.reporting_entity_name ?? null,
      header.reporting_entity_type ?? null,
      header.last_updated_on ?? null,
      plan,
      file.stage ?? null,
      file.remote ?? null,
      JSON.stringify(file.counts),
      file.says ?? null,
      file.readAt,
    )
    // What went wrong with an address before is over once it could be read.
    if (file.digest !== '')
      ledger.run(
        `delete from files where address = ? and filter = ? and digest = '' and state = 'unreadable'`,
        file.address,
        file.filter,
      )
    const row = ledger.row<FileRow>(
      'select * from files where address = ? and entry = ? and digest = ? and filter = ?',
      file.address,
      file.entry,
      file.digest,
      file.filter,
    )
    if (row === undefined) throw new Error('the ledger lost a file')
    ledger.run('delete from findings where file = ?', row.id)
    for (const finding of file.findings) addFinding(ledger, row.id, finding)
    return row
  })
}

/** Adds a finding to a file, or replaces the one of its kind. */
export function addFinding(ledger: Ledger, file: number, finding: FindingLine): void {
  ledger.run(
    `insert or replace into findings (file, kind, severity, count, says, path, offset) values (?, ?, ?, ?, ?, ?, ?)`,
    file,
    finding.kind,
    finding.severity,
    finding.count,
    finding.says,
    finding.path,
    finding.offset ?? null,
  )
}

/** Takes back findings of some kinds, once what they say is no longer so. */
export function removeFindings(ledger: Ledger, file: number, kinds: readonly PipelineFindingKind[]): void {
  for (const kind of kinds) ledger.run('delete from findings where file = ? and kind = ?', file, kind)
}

/** The newest states of the files behind an address, one for each entry, as read for the same filter. */
export function knownFiles(ledger: Ledger, address: string, filter: string): FileRow[] {
  return ledger.rows<FileRow>(
    `select * from files f where address = ? and filter = ? and digest <> ''
       and read_at = (select max(read_at) from files where address = f.address and filter = f.filter and digest <> '')
     order by entry`,
    address,
    filter,
  )
}

/** The stage that the same bytes were read into before, under whatever address. */
export const stagedBefore = (ledger: Ledger, digest: string, filter: string) =>
  ledger.row<FileRow>(
    `select * from files where digest = ? and filter = ? and state = 'staged' order by id limit 1`,
    digest,
    filter,
  )

/** Notes what asking again for a file's remote references gave. */
export function updateRemote(
  ledger: Ledger,
  row: FileRow,
  remote: string | undefined,
  locationsFailed: number,
): FileRow {
  const counts = JSON.stringify({ ...(JSON.parse(row.counts) as LedgerCounts), locationsFailed })
  ledger.run('update files set remote = ?, counts = ? where id = ?', remote ?? null, counts, row.id)
  return { ...row, remote: remote ?? null, counts }
}

export const findingsOf = (ledger: Ledger, file: number) =>
  ledger.rows<FindingLine>(
    `select kind, severity, count, says, path, offset from findings where file = ?
     order by case severity when 'error' then 0 when 'warning' then 1 else 2 end, count desc, kind`,
    file,
  )

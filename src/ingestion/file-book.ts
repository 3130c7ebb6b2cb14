import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import { isUrl } from '../files/address.ts'
import type { PayerMonth } from './build.ts'
import type { Validators } from '../files/http.ts'
import {
  addFinding,
  knownFiles,
  recordFile,
  removeFindings,
  stagedBefore,
  updateRemote,
  type FileRow,
  type FileState,
  type LedgerCounts,
  type ReadFile,
} from './ledger-files.ts'
import { assignFile, assignIndex } from './ledger-months.ts'
import type { Ledger } from './ledger.ts'
import { pipelineFinding, type FindingLine } from './pipeline-findings.ts'
import { isStale } from './quality.ts'
import type { ReadDocument, ReadOutcome } from './read-source.ts'
import type { StagedLocations } from './remote-references.ts'
import { decidedMonth, monthOfName } from './source-month.ts'
import { reportedPayer, unknownPayer } from './source-payer.ts'
import type { SourceFile } from './sources.ts'
import { hasStage, keepStage, type StageFolders } from './stages.ts'

interface Said {
  readonly payer: string | undefined
  readonly month: SourceMonth | undefined
  readonly filter: string
}

type Fetch = (stage: string, signed?: ReadonlyMap<string, string>) => Promise<StagedLocations>

/** Takes down what reading made of each file of a run, and which payer's month it belongs to. */
export class FileBook {
  readonly #ledger: Ledger
  readonly #folders: StageFolders
  readonly #said: Said
  readonly #counts = { read: 0, unchanged: 0, notLoaded: 0, failed: 0 }
  readonly #problems: { address: string; says: string }[] = []
  readonly #months = new Map<
    string,
    PayerMonth & { readonly files: { row: FileRow; source: SourceFile; by: string }[] }
  >()

  constructor(ledger: Ledger, folders: StageFolders, said: Said) {
    this.#ledger = ledger
    this.#folders = folders
    this.#said = said
  }

  summary() {
    return { files: { ...this.#counts }, problems: [...this.#problems] }
  }

  /** The payers' months that the run's files belong to. */
  months(): PayerMonth[] {
    return [...this.#months.values()].map(({ payer, month }) => ({ payer, month }))
  }

  /** What is known of a file's last state, where its stages are still there. */
  known(file: SourceFile): Validators | undefined {
    const rows = knownFiles(this.#ledger, file.address, this.#said.filter)
    const whole =
      rows.length > 0 && rows.every((row) => row.state !== 'staged' || hasStage(this.#folders, row.stage))
    const [row] = rows
    // Addresses that grant access are not kept: to ask for those references again, the file is read again.
    const signedLack = rows.some(
      ({ counts }) => lacking(counts).locationsFailed > 0 && lacking(counts).signed,
    )
    if (!whole || signedLack || row === undefined) return undefined
    return {
      ...(row.etag && { etag: row.etag }),
      ...(row.last_modified && { lastModified: row.last_modified }),
      size: row.size,
    }
  }

  /** Bytes of a local file, for the estimate of the time left. */
  sizeOf(file: SourceFile): number | undefined {
    return isUrl(file.from) ? undefined : statSync(file.from, { throwIfNoEntry: false })?.size
  }

  problem(address: string, says: string): void {
    const prefix = `${address}: `
    this.#problems.push({ address, says: says.startsWith(prefix) ? says.slice(prefix.length) : says })
  }

  /** Notes what came of a file. Stages get their names here, and remote references are fetched. */
  async take(file: SourceFile, outcome: ReadOutcome, fetch: Fetch): Promise<void> {
    if (outcome.outcome === 'failed') return this.failed(file, outcome.finding)
    if (outcome.outcome === 'unchanged') {
      this.#counts.unchanged++
      for (const row of knownFiles(this.#ledger, file.address, this.#said.filter))
        this.#assign(await this.#askedAgain(row, fetch), file)
      return
    }
    const readAt = new Date().toISOString()
    for (const document of outcome.documents) {
      if (document.kind === 'table-of-contents') continue
      const row = await this.#record(file, document, { ...outcome, readAt }, fetch)
      if (row.state === 'staged') {
        this.#counts.read++
        this.#assign(row, file)
        if (document.staged?.complete === false) this.problem(file.address, brokenOff(document))
      } else if (row.state === 'not loaded') this.#counts.notLoaded++
      else {
        this.#counts.failed++
        this.problem(
          file.address,
          document.findings[0]?.says ?? `not an in-network file but ${document.kind}`,
        )
      }
    }
  }

  failed(file: SourceFile, finding: FindingLine): void {
    this.#counts.failed++
    this.problem(file.address, finding.says)
    recordFile(this.#ledger, {
      ...blank(file, this.#said.filter),
      state: 'unreadable',
      findings: [finding],
      says: finding.says,
    })
  }

  /** An allowed-amount file that an index lists: known, and left alone. */
  notLoaded(file: SourceFile): void {
    this.#counts.notLoaded++
    const finding = pipelineFinding('not_loaded', 'An out-of-network allowed-amount file')
    recordFile(this.#ledger, {
      ...blank(file, this.#said.filter),
      state: 'not loaded',
      kind: 'allowed-amounts',
      findings: [finding],
      says: finding.says,
    })
  }

  /** Puts this run's files into a month that was emptied. */
  assignAgain(payer: string, month: SourceMonth): void {
    for (const { row, source, by } of this.#months.get(`${payer} ${month}`)?.files ?? [])
      this.#put(payer, month, row, source, by)
  }

  async #record(
    file: SourceFile,
    document: ReadDocument,
    outcome: ReadOutcome & { outcome: 'read' } & { readonly readAt: string },
    fetch: Fetch,
  ) {
    const { staged } = document
    const loaded = staged !== undefined && staged.kind === 'in-network'
    const state: FileState = loaded
      ? 'staged'
      : document.kind === 'allowed-amounts'
        ? 'not loaded'
        : 'unreadable'
    const findings = [...document.findings]
    let stage: string | undefined
    let locations: KeptLocations | undefined
    if (loaded && document.stage) {
      const before = stagedBefore(this.#ledger, document.digest, this.#said.filter)
      if (staged.counts.referencesRemote > 0)
        locations = await this.#locations(before, () => fetch(document.stage!, document.signed))
      const name = `${staged.format}-${document.digest.slice(0, 24)}${this.#suffix}`
      stage = await keepStage(this.#folders, document.stage, name)
      if (locations?.finding) findings.push(locations.finding)
    }
    return recordFile(this.#ledger, {
      ...blank(file, this.#said.filter),
      entry: document.entry,
      digest: document.digest,
      state,
      kind: document.kind,
      packing: document.packing,
      size: outcome.size,
      readAt: outcome.readAt,
      validators: outcome.validators,
      header: staged?.header ?? {},
      stage,
      remote: locations?.remote,
      counts: {
        ...staged?.counts,
        ...(document.expirations && { expirations: document.expirations }),
        ...(locations && { locationsFailed: locations.failed }),
        ...(document.signed && { locationsSigned: document.signed.size }),
      },
      findings,
      says: findings.find(({ severity }) => severity === 'error')?.says,
    })
  }

  /** Tells stages of a targeted ingest apart from those of a whole one. */
  get #suffix(): string {
    return this.#said.filter && `-${this.#said.filter}`
  }

  /** Fetches remote references, unless they were all had before; what was had before is kept where now there is less. */
  async #locations(
    before: FileRow | undefined,
    fetch: () => Promise<StagedLocations>,
  ): Promise<KeptLocations> {
    const had = before && {
      remote: before.remote ?? undefined,
      failed: lacking(before.counts).locationsFailed,
    }
    if (had?.remote && had.failed === 0) return { ...had, finding: undefined }
    const { stage, key, failed } = await fetch()
    const better = stage !== undefined && !(had?.remote && failed.length > had.failed)
    if (stage && !better) await rm(stage, { recursive: true, force: true })
    const remote = better
      ? await keepStage(this.#folders, stage, `remote-${key}${this.#suffix}`)
      : had?.remote
    const [first] = failed
    if (first === undefined) return { remote, failed: 0, finding: undefined }
    const says = first.says.includes(first.location) ? first.says : `${first.location}: ${first.says}`
    const count = better || !had?.remote ? failed.length : had.failed
    return { remote, failed: count, finding: pipelineFinding('location_unreachable', says, count) }
  }

  /** Asks again for the remote references that an unchanged file lacks. */
  async #askedAgain(row: FileRow, fetch: Fetch): Promise<FileRow> {
    if (row.state !== 'staged' || row.stage === null || lacking(row.counts).locationsFailed === 0) return row
    const stage = join(this.#folders.stages, row.stage)
    const { remote, failed, finding } = await this.#locations(row, () => fetch(stage))
    removeFindings(this.#ledger, row.id, ['location_unreachable'])
    if (finding) addFinding(this.#ledger, row.id, finding)
    return updateRemote(this.#ledger, row, remote, failed)
  }

  #assign(row: FileRow, source: SourceFile): void {
    if (row.state !== 'staged') return
    const names = [source.index?.reportingEntity, row.reporting_entity ?? undefined]
    const payer = this.#said.payer ?? reportedPayer(...names)?.payer
    const decided = decidedMonth({
      given: this.#said.month,
      index: source.index?.address,
      file: monthOfName(row.entry) ? row.entry : row.address,
      lastUpdatedOn: row.last_updated_on ?? undefined,
    })
    if (decided.disagreement)
      addFinding(this.#ledger, row.id, pipelineFinding('month_disagrees', decided.disagreement))
    if (payer === undefined || decided.month === undefined) {
      const finding =
        payer === undefined
          ? pipelineFinding('payer_unknown', unknownPayer(names.find(Boolean)))
          : pipelineFinding(
              'month_unknown',
              'Nothing says for which month the file is. Name it with --month YYYY-MM.',
            )
      addFinding(this.#ledger, row.id, finding)
      this.problem(row.address, finding.says)
      return
    }
    removeFindings(this.#ledger, row.id, ['payer_unknown', 'month_unknown'])
    const { month, by } = decided
    removeFindings(this.#ledger, row.id, ['stale'])
    if (isStale(row.last_updated_on, month)) addFinding(this.#ledger, row.id, pipelineFinding('stale'))
    const key = `${payer} ${month}`
    const known = this.#months.get(key) ?? { payer, month, files: [] }
    this.#months.set(key, known)
    known.files.push({ row, source, by })
    this.#put(payer, month, row, source, by)
  }

  #put(payer: string, month: SourceMonth, row: FileRow, source: SourceFile, by: string): void {
    this.#ledger.whole(() => {
      assignFile(this.#ledger, payer, month, row, by)
      if (source.index) assignIndex(this.#ledger, payer, month, source.index.id)
    })
  }
}

interface KeptLocations {
  readonly remote: string | undefined
  readonly failed: number
  readonly finding: FindingLine | undefined
}

/** How many remote references a file lacks, and whether their addresses were signed. */
function lacking(counts: string): { readonly locationsFailed: number; readonly signed: boolean } {
  const { locationsFailed = 0, locationsSigned = 0 } = JSON.parse(counts) as LedgerCounts
  return { locationsFailed, signed: locationsSigned > 0 }
}

const blank = (file: SourceFile, filter: string): ReadFile => ({
  address: file.address,
  entry: '',
  digest: '',
  filter,
  state: 'unreadable',
  kind: file.listedAs ?? 'other',
  packing: '',
  size: 0,
  validators: {},
  header: {},
  stage: undefined,
  remote: undefined,
  counts: {},
  findings: [],
  says: undefined,
  readAt: new Date().toISOString(),
})

/** What a document that breaks off still gave, and why it breaks off. */
function brokenOff({ staged, findings }: ReadDocument): string {
  const why = findings.findLast(({ severity }) => severity === 'error')?.says ?? 'the file is not whole'
  return `${why}. Of this file only ${staged?.counts.prices ?? 0} prices could be read.`
}

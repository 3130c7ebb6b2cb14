import { Failure } from '../errors.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { Download } from '../operations/download.ts'
import type { LeftOut } from '../operations/report-rows.ts'
import type { Report } from '../operations/report-record.ts'
import { questionHash } from '../pricing/cursor.ts'
import type { Pricing } from '../pricing/pricing.ts'
import type { Records } from '../records/records.ts'
import { sourceMonthText } from '../vocabulary/period.ts'
import { buildJob } from './build-job.ts'
import { chart } from './chart.ts'
import { dummyClaims } from './dummy-claims.ts'
import { exported } from './export.ts'
import { Look } from './look.ts'
import { basisOf, modelCells, type Basis, type ModelCell } from './model.ts'
import { percentiles } from './percentiles.ts'
import { pivot } from './pivot.ts'
import { rateChange } from './rate-change.ts'
import type { Asked, ReportCall, Told } from './report-call.ts'
import { pageSize, ReportCursors } from './report-cursors.ts'
import { ReportLooks, type Viewing } from './report-looks.ts'
import type { ProviderNames } from './row-file.ts'
import { RowFiles, sweepRowFiles } from './row-files.ts'
import { rowCount, rowPage, RowRelation } from './row-page.ts'
import { sample } from './sample.ts'
import {
  actOnReport,
  insertReport,
  queueRefresh,
  readReport,
  renameReport,
  reportJob,
  reportList,
  shownReports,
  type Change,
  type StoredReport,
} from './store.ts'
import { modelContract, weightedContract } from './weighted-contract.ts'

export interface ReportsSettings {
  readonly folder: string
  readonly rowsMost: number
  /** Memory of the engine that reads rows, and of the one that makes them: each as much. */
  readonly memoryMb: number
  readonly threads: number
  /** How long a tab may take. */
  readonly queryMs: number
  readonly secret: string
  readonly now?: () => number
}

export interface ReportsSources {
  readonly records: Records
  readonly pricing: Pricing
  readonly names: ProviderNames
  /** Tells the worker that there is work. */
  readonly look: () => void
}

const idempotencyKeyMost = 255

/** Answers that are kept: their records, their rows, and the nine sides they are looked at from. */
export class Reports {
  private readonly sources: ReportsSources
  private readonly settings: ReportsSettings
  private readonly files: RowFiles
  private readonly looks: ReportLooks
  private readonly cursors: ReportCursors
  private readonly now: () => number

  constructor(sources: ReportsSources, settings: ReportsSettings) {
    this.sources = sources
    this.settings = settings
    this.now = settings.now ?? Date.now
    this.files = new RowFiles({ ...settings, memoryLimit: `${settings.memoryMb}MB` })
    this.looks = new ReportLooks(sources.records, this.files, settings.queryMs)
    this.cursors = new ReportCursors(settings.secret, this.now)
  }

  /** What builds reports in the background. */
  get handlers(): Readonly<Record<string, JobHandler>> {
    const { records, pricing, names } = this.sources
    const { rowsMost, memoryMb, threads } = this.settings
    return {
      [reportJob]: buildJob({
        records,
        pricing,
        names,
        files: this.files,
        settings: { rowsMost, threads, memoryLimit: `${memoryMb}MB` },
        now: this.now,
      }),
    }
  }

  /** Removes the rows that no report has any more. */
  async sweep(): Promise<void> {
    await sweepRowFiles(this.sources.records, this.files.folder)
    await this.files.sweepExports(this.now())
  }

  async close(): Promise<void> {
    await this.files.close()
  }

  async create({ name, query }: Asked<'createReport'>, call: ReportCall): Promise<Report> {
    const { idempotencyKey } = call
    if (idempotencyKey !== undefined && (idempotencyKey === '' || idempotencyKey.length > idempotencyKeyMost))
      throw new Failure('invalid_request', `Idempotency-Key: 1 to ${idempotencyKeyMost} characters.`, {
        problems: [{ path: 'Idempotency-Key', message: `1 to ${idempotencyKeyMost} characters` }],
      })
    // Refuses at once what the build would refuse later.
    await this.sources.pricing.entryWalk(query)
    const report = await insertReport(
      this.sources.records,
      call.caller,
      { name, query, requestHash: questionHash({ name, query }), idempotencyKey, onRepeat: call.onRepeat },
      this.now(),
    )
    this.sources.look()
    return this.shown(report)
  }

  async estimate({ query }: Asked<'estimateReport'>, call: ReportCall): Promise<Told<'estimateReport'>> {
    const counts = await this.sources.pricing.entryCounts(query, {
      organization: call.caller.organizationId,
      ...(call.signal && { signal: call.signal }),
    })
    const rows = counts.reduce((sum, { entries }) => sum + entries, 0)
    const { rowsMost } = this.settings
    return {
      rows,
      rowsMost,
      fits: rows <= rowsMost,
      sourceMonths: [...new Set(counts.map(({ month }) => sourceMonthText(month)))].sort(),
      byPayer: counts.map(({ payer, month, entries }) => ({
        payer,
        sourceMonth: sourceMonthText(month),
        rows: entries,
      })),
    }
  }

  async list(request: Asked<'listReports'>, call: ReportCall): Promise<Told<'listReports'>> {
    const { state, search, limit, cursor } = request
    const query = questionHash({ list: state, search })
    const found = await reportList(this.sources.records, call.caller.organizationId, {
      state,
      search,
      limit,
      after: this.cursors.reportBefore(cursor, query, call),
    })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      reports: await shownReports(this.sources.records, page),
      nextCursor: found.length > limit && last ? this.cursors.cursorAfter(last, query, call) : null,
    }
  }

  /** A report, and the ETag of its present revision. */
  async read(id: string, call: ReportCall): Promise<{ report: Report; etag: string }> {
    return this.tagged(await readReport(this.sources.records, call.caller.organizationId, id))
  }

  async rename(
    { id, name }: Asked<'renameReport'>,
    call: ReportCall,
  ): Promise<{ report: Report; etag: string }> {
    const { organizationId } = call.caller
    return this.tagged(
      await renameReport(this.sources.records, organizationId, id, name, this.changeOf(call)),
    )
  }

  async act(
    { id, ...actions }: Asked<'actOnReport'>,
    call: ReportCall,
  ): Promise<{ report: Report; etag: string }> {
    const { organizationId } = call.caller
    const left = await actOnReport(this.sources.records, organizationId, id, actions, this.changeOf(call))
    return this.tagged(left)
  }

  async refresh(id: string, call: ReportCall): Promise<Report> {
    const { organizationId } = call.caller
    const report = await queueRefresh(this.sources.records, organizationId, id, { now: this.now() })
    this.sources.look()
    return this.shown(report)
  }

  async rows(
    { id, pagination = {}, ...request }: Asked<'reportRows'>,
    call: ReportCall,
  ): Promise<Told<'reportRows'>> {
    return this.looks.looked(
      id,
      { ...request, isTable: true },
      call,
      async ({ engine, look, config, key, options, build, leftOut }) => {
        const size = pageSize(pagination.pageSize, call.pageSizeMost)
        const query = questionHash({ id, rows: { ...request, config } })
        const from = this.cursors.position(pagination.cursor, query, build, call)
        const relation = new RowRelation(look, request)
        const [{ data, next }, totalRows, left] = await Promise.all([
          rowPage(engine, look, relation, { from, size }, options),
          this.looks.once(`total ${query} ${key}`, () => rowCount(engine, look, relation, options)),
          leftOut(),
        ])
        return {
          columns: [...relation.columns],
          data,
          nextCursor: next === undefined ? null : this.cursors.cursor(query, build, next, call),
          totalRows,
          leftOut: left,
        }
      },
    )
  }

  chart(
    { id, ...request }: Asked<'reportInteractiveChart'>,
    call: ReportCall,
  ): Promise<Told<'reportInteractiveChart'>> {
    return this.looks.viewed(id, request, call, ({ engine, look, options }, request) =>
      chart(engine, look, request, options),
    )
  }

  pivot(
    { id, ...request }: Asked<'reportSummaryPivot'>,
    call: ReportCall,
  ): Promise<Told<'reportSummaryPivot'>> {
    return this.looks.viewed(id, request, call, ({ engine, look, options }, request) =>
      pivot(engine, look, request, options),
    )
  }

  percentiles(
    { id, ...request }: Asked<'reportPercentile'>,
    call: ReportCall,
  ): Promise<Told<'reportPercentile'>> {
    return this.looks.viewed(id, request, call, ({ engine, look, options }, request) =>
      percentiles(engine, look, request, options),
    )
  }

  sample({ id, ...request }: Asked<'reportSample'>, call: ReportCall): Promise<Told<'reportSample'>> {
    const seed = request.seed ?? id
    return this.looks.viewed(id, request, call, async ({ engine, look, options }, { size }) => ({
      seed,
      ...(await sample(engine, look, { size, seed }, options)),
    }))
  }

  rateChange(
    { id, pagination = {}, ...request }: Asked<'reportRateChange'>,
    call: ReportCall,
  ): Promise<Told<'reportRateChange'>> {
    return this.looks.viewed(id, request, call, async ({ engine, look, options, report, build }, request) => {
      const size = pageSize(pagination.pageSize, call.pageSizeMost)
      const query = questionHash({ id, rateChange: request })
      const start = this.cursors.position(pagination.cursor, query, build, call)
      const months = report.shown.sourceMonths.map((month) => `${month.slice(0, 4)}-${month.slice(4)}`)
      const page = await rateChange(
        engine,
        look,
        { ...request, pagination },
        months,
        { start, size },
        options,
      )
      const next = start + page.rows.length
      return {
        ...page,
        nextCursor: next < page.totalRows ? this.cursors.cursor(query, build, next, call) : null,
      }
    })
  }

  weightedContract(
    { id, ...request }: Asked<'reportWeightedContract'>,
    call: ReportCall,
  ): Promise<Told<'reportWeightedContract'>> {
    return this.modelled(id, request, call, {}, (basis, cells) => weightedContract(basis, cells))
  }

  dummyClaims(
    { id, ...request }: Asked<'reportDummyClaims'>,
    call: ReportCall,
  ): Promise<Told<'reportDummyClaims'>> {
    const { claims, shown, seed = id } = request
    return this.modelled(id, request, call, {}, (basis, cells) =>
      dummyClaims(basis, cells, { claims, shown, seed }),
    )
  }

  modelContract(
    { id, ...request }: Asked<'reportModelContract'>,
    call: ReportCall,
  ): Promise<Told<'reportModelContract'>> {
    const how = { byPayer: request.rowsBy === 'payerAndCode', withMedicare: true }
    return this.modelled(id, request, call, how, (basis, cells) =>
      modelContract(basis, cells, request.percentiles),
    )
  }

  /** All rows as a file. The rows are held until the file has been sent. */
  async export({ id, format, rows }: Asked<'exportReport'>, call: ReportCall): Promise<Download> {
    const { report, engine, relation, end } = await this.looks.held(id, call)
    // A client that leaves before the first piece never opens the stream that would let go of the rows.
    call.signal?.addEventListener('abort', end, { once: true })
    try {
      const config = rows === 'saved' ? (report.config ?? undefined) : undefined
      const look = new Look(relation, { config, isTable: true })
      const folder = this.files.exports
      return await exported(
        engine,
        look,
        { format, name: report.shown.name, folder },
        { signal: call.signal },
        end,
      )
    } catch (error) {
      end()
      throw error
    }
  }

  private async modelled<Answer>(
    id: string,
    request: Viewing,
    call: ReportCall,
    how: { byPayer?: boolean; withMedicare?: boolean },
    compute: (basis: Basis, cells: readonly ModelCell[]) => Answer,
  ): Promise<Answer & { leftOut: LeftOut }> {
    return this.looks.viewed(id, request, call, async ({ engine, look, options }, { config }) => {
      const basis = basisOf(config)
      return compute(basis, await modelCells(engine, look, basis, how, options))
    })
  }

  private async shown(report: StoredReport): Promise<Report> {
    return (await shownReports(this.sources.records, [report]))[0]!
  }

  private async tagged(report: StoredReport): Promise<{ report: Report; etag: string }> {
    return { report: await this.shown(report), etag: `"${report.revision}"` }
  }

  private changeOf({ ifMatch }: ReportCall): Change {
    const now = this.now()
    if (ifMatch === undefined) return { now }
    if (ifMatch.trim() === '*') return { now, revision: 'any' }
    const [, revision] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(ifMatch) ?? []
    // A tag that is none of ours matches nothing.
    return { now, revision: revision === undefined ? -1 : Number(revision) }
  }
}

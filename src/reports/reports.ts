import { Failure } from '../errors.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import type { Download } from '../operations/download.ts'
import type { operations } from '../operations/index.ts'
import type { RequestOf, ResponseOf } from '../operations/operation.ts'
import { rowsPageDefault, rowsPageMost, type LeftOut, type RateUnit } from '../operations/report-rows.ts'
import type { Report } from '../operations/report-record.ts'
import type { ReportFilterGroup } from '../operations/report-filter.ts'
import { cursorCodec, questionHash } from '../pricing/cursor.ts'
import type { Pricing } from '../pricing/pricing.ts'
import { Scheduler } from '../pricing/scheduler.ts'
import type { Records } from '../records/records.ts'
import { sourceMonthText } from '../vocabulary/period.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import { buildJob } from './build-job.ts'
import { chart } from './chart.ts'
import { dummyClaims } from './dummy-claims.ts'
import { exported } from './export.ts'
import { Look } from './look.ts'
import { basisOf, modelCells, type Basis, type ModelCell } from './model.ts'
import { percentiles } from './percentiles.ts'
import { pivot } from './pivot.ts'
import { rateChange } from './rate-change.ts'
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
  type ReportCaller,
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

/** What a call brings along. */
export interface ReportCall {
  readonly caller: ReportCaller
  readonly signal?: AbortSignal | undefined
  readonly pageSizeMost?: number | undefined
  /** As the caller sent them. */
  readonly idempotencyKey?: string | undefined
  readonly onRepeat?: (() => void) | undefined
  readonly ifMatch?: string | undefined
}

type Operations = typeof operations
type Asked<Name extends keyof Operations> = RequestOf<Operations[Name]>
type Told<Name extends keyof Operations> = ResponseOf<Operations[Name]>

const cursorMs = 7 * 86_400_000
const keptMost = 500
const idempotencyKeyMost = 255
const heavyAtOnce = 4

/** Answers that are kept: their records, their rows, and the nine sides they are looked at from. */
export class Reports {
  private readonly sources: ReportsSources
  private readonly settings: ReportsSettings
  private readonly files: RowFiles
  private readonly cursors: ReturnType<typeof cursorCodec>
  private readonly now: () => number
  private readonly scheduler = new Scheduler({ heavyRows: 0, heavyAtOnce, waitingMost: 256 })
  /** What was left out of a look, and how many rows an answer has: the same for every page. */
  private readonly kept = new Map<string, unknown>()

  constructor(sources: ReportsSources, settings: ReportsSettings) {
    this.sources = sources
    this.settings = settings
    this.now = settings.now ?? Date.now
    this.files = new RowFiles({ ...settings, memoryLimit: `${settings.memoryMb}MB` })
    this.cursors = cursorCodec(settings.secret)
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
    const organization = call.caller.organizationId
    const query = questionHash({ list: state, search })
    const after = cursor && this.cursors.decode(cursor, { query, organization, now: this.now() })
    const found = await reportList(this.sources.records, organization, {
      state,
      search,
      limit,
      after: after ? { createdAt: after.position, id: after.snapshot } : undefined,
    })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      reports: await shownReports(this.sources.records, page),
      nextCursor:
        found.length > limit && last
          ? this.cursors.encode({
              query,
              organization,
              snapshot: last.id,
              position: Date.parse(last.shown.createdAt),
              expires: this.now() + cursorMs,
            })
          : null,
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
    return this.looked(id, request, call, async ({ engine, look, config, key, options, build, leftOut }) => {
      const size = pageSize(pagination.pageSize, call.pageSizeMost)
      const query = questionHash({ id, rows: { ...request, config } })
      const from = this.position(pagination.cursor, query, build, call)
      const relation = new RowRelation(look, request)
      const [{ data, next }, totalRows, left] = await Promise.all([
        rowPage(engine, look, relation, { from, size }, options),
        this.once(`total ${query} ${key}`, () => rowCount(engine, look, relation, options)),
        leftOut(),
      ])
      return {
        columns: [...relation.columns],
        data,
        nextCursor: next === undefined ? null : this.cursor(query, build, next, call),
        totalRows,
        leftOut: left,
      }
    })
  }

  chart(
    { id, ...request }: Asked<'reportInteractiveChart'>,
    call: ReportCall,
  ): Promise<Told<'reportInteractiveChart'>> {
    return this.viewed(id, request, call, ({ engine, look, options }, request) =>
      chart(engine, look, request, options),
    )
  }

  pivot(
    { id, ...request }: Asked<'reportSummaryPivot'>,
    call: ReportCall,
  ): Promise<Told<'reportSummaryPivot'>> {
    return this.viewed(id, request, call, ({ engine, look, options }, request) =>
      pivot(engine, look, request, options),
    )
  }

  percentiles(
    { id, ...request }: Asked<'reportPercentile'>,
    call: ReportCall,
  ): Promise<Told<'reportPercentile'>> {
    return this.viewed(id, request, call, ({ engine, look, options }, request) =>
      percentiles(engine, look, request, options),
    )
  }

  sample({ id, ...request }: Asked<'reportSample'>, call: ReportCall): Promise<Told<'reportSample'>> {
    const seed = request.seed ?? id
    return this.viewed(id, request, call, async ({ engine, look, options }, { size }) => ({
      seed,
      ...(await sample(engine, look, { size, seed }, options)),
    }))
  }

  rateChange(
    { id, pagination = {}, ...request }: Asked<'reportRateChange'>,
    call: ReportCall,
  ): Promise<Told<'reportRateChange'>> {
    return this.viewed(id, request, call, async ({ engine, look, options, report, build }, request) => {
      const size = pageSize(pagination.pageSize, call.pageSizeMost)
      const query = questionHash({ id, rateChange: request })
      const start = this.position(pagination.cursor, query, build, call)
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
      return { ...page, nextCursor: next < page.totalRows ? this.cursor(query, build, next, call) : null }
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
    const { report, engine, relation, end } = await this.held(id, call)
    // A client that leaves before the first piece never opens the stream that would let go of the rows.
    call.signal?.addEventListener('abort', end, { once: true })
    try {
      const config = rows === 'saved' ? (report.config ?? undefined) : undefined
      const look = new Look(relation, { config })
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
    return this.viewed(id, request, call, async ({ engine, look, options }, { config }) => {
      const basis = basisOf(config)
      return compute(basis, await modelCells(engine, look, basis, how, options))
    })
  }

  /** A computed tab: over rates of one unit, with what was left out. */
  private async viewed<Request extends Viewing, Answer>(
    id: string,
    request: Request,
    call: ReportCall,
    compute: (
      looking: Looking,
      request: Request & { config: SavedContractModelConfig | undefined },
    ) => Promise<Answer>,
  ): Promise<Answer & { leftOut: LeftOut }> {
    return this.looked(id, request, call, async (looking) => {
      const [answer, leftOut] = await Promise.all([
        compute(looking, { ...request, config: looking.config }),
        looking.leftOut(),
      ])
      return { ...answer, leftOut }
    })
  }

  /** Works on the rows of a report in turn, within the time limit. */
  private async looked<Answer>(
    id: string,
    request: Viewing,
    call: ReportCall,
    work: (looking: Looking) => Promise<Answer>,
  ): Promise<Answer> {
    const signal = AbortSignal.any([
      AbortSignal.timeout(this.settings.queryMs),
      ...(call.signal ? [call.signal] : []),
    ])
    const options = { signal }
    return this.scheduler.run(
      1,
      call.caller.organizationId,
      async () => {
        const { report, build, engine, relation, end } = await this.held(id, call)
        try {
          const { filter, unit } = request
          const config = request.config ?? report.config ?? undefined
          const month = monthOf(request, report)
          const look = new Look(relation, { filter, config, unit, month })
          const key = `${build} ${questionHash([filter, config, unit, month])}`
          const leftOut = () => this.once(`left out ${key}`, () => look.leftOut(engine, options))
          return await work({ engine, look, config, key, options, report, build, leftOut })
        } catch (error) {
          throw withinMemory(error)
        } finally {
          end()
        }
      },
      signal,
    )
  }

  /** The rows of a report, held until `end`. Where a refresh replaces them at this very moment, the new ones. */
  private async held(id: string, call: ReportCall): Promise<Held> {
    const { report, build } = await this.ready(id, call)
    try {
      return { report, build, ...(await this.files.hold(report.id, build)) }
    } catch (error) {
      const now = await this.ready(id, call)
      if (now.build === build) throw error
      return { ...now, ...(await this.files.hold(now.report.id, now.build)) }
    }
  }

  private async ready(id: string, call: ReportCall): Promise<{ report: StoredReport; build: string }> {
    const report = await readReport(this.sources.records, call.caller.organizationId, id)
    if (report.build === null)
      throw new Failure(
        'report_not_ready',
        `The report is ${report.status}.${report.shown.error ? ` ${report.shown.error}` : ''}`,
      )
    return { report, build: report.build }
  }

  /** Computes once what every page asks again. */
  private async once<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
    if (this.kept.has(key)) return this.kept.get(key) as Value
    const value = await compute()
    this.kept.set(key, value)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= keptMost) break
      this.kept.delete(oldest)
    }
    return value
  }

  private position(cursor: string | undefined, query: string, build: string, call: ReportCall): number {
    if (cursor === undefined) return 0
    const organization = call.caller.organizationId
    const { snapshot, position } = this.cursors.decode(cursor, { query, organization, now: this.now() })
    if (snapshot !== build)
      throw new Failure(
        'invalid_cursor',
        'The report was refreshed since the first page. Start again without the cursor.',
      )
    return position
  }

  private cursor(query: string, build: string, position: number, call: ReportCall): string {
    return this.cursors.encode({
      query,
      organization: call.caller.organizationId,
      snapshot: build,
      position,
      expires: this.now() + cursorMs,
    })
  }

  private async shown(report: StoredReport): Promise<Report> {
    return (await shownReports(this.sources.records, [report]))[0]!
  }

  private async tagged(report: StoredReport): Promise<{ report: Report; etag: string }> {
    return { report: await this.shown(report), etag: `"${report.revision}"` }
  }

  private changeOf({ ifMatch }: ReportCall): { revision?: number; now: number } {
    const now = this.now()
    if (ifMatch === undefined || ifMatch.trim() === '*') return { now }
    const [, revision] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(ifMatch) ?? []
    // A tag that is none of ours matches nothing.
    return { now, revision: revision === undefined ? -1 : Number(revision) }
  }
}

interface Viewing {
  readonly filter?: ReportFilterGroup | undefined
  readonly config?: SavedContractModelConfig | undefined
  readonly unit?: RateUnit | undefined
  readonly month?: string | undefined
}

/** Which month a tab is over: as asked, else the newest of each payer, unless its months stand apart or it lists rows. */
function monthOf(request: Viewing & Partial<Splitting>, { shown }: StoredReport): string | undefined {
  if (request.month !== undefined) return request.month
  const split = [
    request.dimension,
    ...(request.groupBy ?? []),
    ...(request.rows ?? []),
    ...(request.columns ?? []),
  ]
  // Rows and samples are of no unit; the change of rates is about months itself.
  const isListed = request.unit === undefined || 'sort' in request
  return isListed || split.includes('year_month') || shown.sourceMonths.length < 2 ? undefined : 'newest'
}

interface Splitting {
  readonly dimension: string
  readonly groupBy: readonly string[]
  readonly rows: readonly string[]
  readonly columns: readonly string[]
}

interface Held {
  readonly report: StoredReport
  readonly build: string
  readonly engine: Engine
  /** The table in the engine. */
  readonly relation: string
  readonly end: () => void
}

interface Looking {
  readonly engine: Engine
  readonly look: Look
  readonly config: SavedContractModelConfig | undefined
  /** Names the rows that are looked at. */
  readonly key: string
  readonly options: QueryOptions
  readonly report: StoredReport
  readonly build: string
  readonly leftOut: () => Promise<LeftOut>
}

function pageSize(asked: number | undefined, organization: number | undefined): number {
  const most = Math.min(organization ?? rowsPageMost, rowsPageMost)
  const size = asked ?? Math.min(rowsPageDefault, most)
  if (size > most)
    throw new Failure(
      'invalid_request',
      `pagination.pageSize: your organisation's pages hold at most ${most} rows.`,
      {
        problems: [{ path: 'pagination.pageSize', message: `at most ${most}` }],
      },
    )
  return size
}

/** An answer for which the engine's bound of memory is too narrow is too wide a question, not a fault of ours. */
const withinMemory = (error: unknown) =>
  error instanceof Error && error.message.startsWith('Out of Memory Error')
    ? new Failure(
        'query_too_wide',
        'The answer needs more memory than this server gives to reports. Filter it, or collapse fewer columns.',
        { cause: error },
      )
    : error

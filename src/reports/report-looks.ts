import { Failure } from '../errors.ts'
import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import type { ReportFilterGroup } from '../operations/report-filter.ts'
import type { LeftOut, RateUnit } from '../operations/report-rows.ts'
import { questionHash } from '../pricing/cursor.ts'
import { Scheduler } from '../pricing/scheduler.ts'
import type { Records } from '../records/records.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import { Look } from './look.ts'
import type { ReportCall } from './report-call.ts'
import type { RowFiles } from './row-files.ts'
import { readReport, type StoredReport } from './store.ts'

const keptMost = 500
const heavyAtOnce = 4

/** The rows of reports, held while somebody looks at them: a few at once, each within a time. */
export class ReportLooks {
  private readonly records: Records
  private readonly files: RowFiles
  /** How long a look may take. */
  private readonly queryMs: number
  private readonly scheduler = new Scheduler({ heavyRows: 0, heavyAtOnce, waitingMost: 256 })
  /** What was left out of a look, and how many rows an answer has: the same for every page. */
  private readonly kept = new Map<string, unknown>()

  constructor(records: Records, files: RowFiles, queryMs: number) {
    this.records = records
    this.files = files
    this.queryMs = queryMs
  }

  /** A computed tab: over rates of one unit, with what was left out. */
  async viewed<Request extends Viewing, Answer>(
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
  async looked<Answer>(
    id: string,
    request: Viewing,
    call: ReportCall,
    work: (looking: Looking) => Promise<Answer>,
  ): Promise<Answer> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.queryMs), ...(call.signal ? [call.signal] : [])])
    const options = { signal }
    return this.scheduler.run(
      1,
      call.caller.organizationId,
      async () => {
        const { report, build, engine, relation, end } = await this.held(id, call)
        try {
          const { filter, unit, isTable } = request
          const config = request.config ?? report.config ?? undefined
          const month = monthOf(request, report)
          const look = new Look(relation, { filter, config, unit, month, isTable })
          const key = `${build} ${questionHash([filter, config, unit, month, isTable])}`
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
  async held(id: string, call: ReportCall): Promise<Held> {
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
    const report = await readReport(this.records, call.caller.organizationId, id)
    if (report.build === null)
      throw new Failure(
        'report_not_ready',
        `The report is ${report.status}.${report.shown.error ? ` ${report.shown.error}` : ''}`,
      )
    return { report, build: report.build }
  }

  /** Computes once what every page asks again. */
  async once<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
    if (this.kept.has(key)) return this.kept.get(key) as Value
    const value = await compute()
    this.kept.set(key, value)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= keptMost) break
      this.kept.delete(oldest)
    }
    return value
  }
}

/** What every look may say. */
export interface Viewing {
  readonly filter?: ReportFilterGroup | undefined
  readonly config?: SavedContractModelConfig | undefined
  readonly unit?: RateUnit | undefined
  readonly month?: string | undefined
  readonly isTable?: boolean | undefined
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

/** A report while it is looked at. */
export interface Looking {
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

/** An answer for which the engine's bound of memory is too narrow is too wide a question, not a fault of ours. */
const withinMemory = (error: unknown) =>
  error instanceof Error && error.message.startsWith('Out of Memory Error')
    ? new Failure(
        'query_too_wide',
        'The answer needs more memory than this server gives to reports. Filter it, or collapse fewer columns.',
        { cause: error },
      )
    : error

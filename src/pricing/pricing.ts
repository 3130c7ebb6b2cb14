import { Failure } from '../errors.ts'
import { pageSizeDefault, pageSizeMost, type ProviderRatesPage } from '../operations/provider-rates.ts'
import type { MarketRow, ProviderRateRow } from '../operations/rate-rows.ts'
import type { ProviderGroupByField } from '../vocabulary/grouping.ts'
import { states } from '../vocabulary/enums.ts'
import { baselines, baselineYear, type MedicareBaseline } from '../vocabulary/medicare.ts'
import type { YearMonth } from '../vocabulary/period.ts'
import { sourceMonthText } from '../vocabulary/period.ts'
import { payerPeriods } from '../catalog/payers.ts'
import { payerPlans } from '../catalog/plans.ts'
import type { Rates, Snapshot } from '../warehouse/rates.ts'
import { AnswerCache } from './answer-cache.ts'
import { benchmarks, type BenchmarksRequest, type PricingOptions } from './benchmarks.ts'
import { chosenCodes, type CodeFilter } from './chosen-codes.ts'
import { cursorCodec, questionHash } from './cursor.ts'
import { providerFields } from './groups.ts'
import { EntryWalk, type EntryCount, type EntryQuestion } from './entry-walk.ts'
import { defaultLimits, type PricingLimits } from './limits.ts'
import { marketRates, type MarketRatesPage, type MarketRatesRequest } from './market-rates.ts'
import { allPeriods, periods, type Period } from './periods.ts'
import {
  providerRates,
  tooManyRows,
  type ProviderRates,
  type ProviderRatesRequest,
} from './provider-rates.ts'
import { heldReferences, type HeldReferences, type PricingReferences } from './references.ts'
import { Scheduler, type SchedulerSettings } from './scheduler.ts'
import { withTimeLimit } from './time-limit.ts'

export interface PricingSettings {
  /** Signs cursors. */
  readonly secret: string
  readonly limits?: Partial<PricingLimits>
  readonly scheduler?: SchedulerSettings
  /** How long a computation goes on before others have their turn. */
  readonly turnMs?: number
  readonly cursorMs?: number
  readonly now?: () => number
}

/** What a call brings along. */
export interface PricingCall {
  readonly organization: string
  readonly signal?: AbortSignal
  /** A data snapshot to answer from, as an earlier answer named it. */
  readonly snapshot?: string
  readonly pageSizeMost?: number
}

/** An answer, and the state of the data it was computed on. */
export interface Answer<Body> {
  readonly body: Body
  readonly snapshot: string
}

const dayMs = 86_400_000

const directoryFields: ReadonlySet<ProviderGroupByField> = new Set([
  ...providerFields,
  'billingCodeGroup',
  'billingCodeSubgroup',
])

/** Whether the rows of a question depend on the directory, and not only on what payers published. */
const dependsOnDirectory = ({ providers, groupBy = [] }: ProviderRatesRequest) =>
  providers.ccns !== undefined || groupBy.some((field) => directoryFields.has(field))

/** A question with everything that its answer depends on, and what it costs. */
interface Question {
  readonly kind: string
  readonly request: unknown
  /** Price rows to read. */
  readonly rows: number
  readonly snapshot: string
  readonly references: string
}

/** The pricing questions, with limits, fair turns, kept answers and pages. */
export class Pricing {
  private readonly rates: Rates
  private readonly references: PricingReferences
  private readonly limits: PricingLimits
  private readonly scheduler: Scheduler
  private readonly turnMs: number | undefined
  private readonly cache = new AnswerCache()
  private readonly cursors: ReturnType<typeof cursorCodec>
  private readonly cursorMs: number
  private readonly now: () => number

  constructor(rates: Rates, references: PricingReferences, settings: PricingSettings) {
    this.rates = rates
    this.references = references
    this.limits = { ...defaultLimits, ...settings.limits }
    this.scheduler = new Scheduler(settings.scheduler)
    this.turnMs = settings.turnMs
    this.cursors = cursorCodec(settings.secret)
    this.cursorMs = settings.cursorMs ?? dayMs
    this.now = settings.now ?? Date.now
  }

  async payers(
    call: Pick<PricingCall, 'snapshot'>,
  ): Promise<Answer<{ payer: string; yearMonths: YearMonth[] }[]>> {
    const snapshot = await this.snapshot(call.snapshot)
    return { body: payerPeriods(snapshot), snapshot: snapshot.id }
  }

  async plans(
    payer: string,
    call: Pick<PricingCall, 'snapshot'>,
  ): Promise<Answer<{ planName: string; count: number }[]>> {
    const snapshot = await this.snapshot(call.snapshot)
    return { body: payerPlans(snapshot, payer), snapshot: snapshot.id }
  }

  async benchmarks(request: BenchmarksRequest, call: PricingCall): Promise<Answer<MarketRow[]>> {
    const snapshot = await this.snapshot(call.snapshot)
    const { payers, yearMonths, billingCodeAndTypes } = request.filters
    const rows = rowsToRead(periods(snapshot, payers, yearMonths), billingCodeAndTypes)
    const held = await heldReferences(this.references, {
      medicareYear: baselineYear(request.metrics.comparedTo ?? 'none'),
    })
    const question = { kind: 'benchmarks', request, rows, snapshot: snapshot.id, references: held.id }
    const body = await this.answered(question, call, (options) =>
      benchmarks({ snapshot, ...held }, request, { ...options, limits: this.limits }),
    )
    return { body, snapshot: snapshot.id }
  }

  async marketRates(request: MarketRatesRequest, call: PricingCall): Promise<Answer<MarketRatesPage>> {
    const snapshot = await this.snapshot(call.snapshot)
    const { payers, yearMonths, billingCodeAndTypes } = request.filters
    const chosen =
      yearMonths && yearMonths.length > 0
        ? periods(snapshot, payers, yearMonths)
        : allPeriods(snapshot, payers)
    const held = await heldReferences(this.references)
    const rows = rowsToRead(chosen, billingCodeAndTypes)
    const question = { kind: 'market rates', request, rows, snapshot: snapshot.id, references: held.id }
    const body = await this.answered(question, call, (options) =>
      marketRates({ snapshot, ...held }, request, { ...options, limits: this.limits }),
    )
    return { body, snapshot: snapshot.id }
  }

  /** All rows at once: the answer without `pagination`. */
  async providerRates(
    request: ProviderRatesRequest,
    call: PricingCall,
  ): Promise<Answer<readonly ProviderRateRow[]>> {
    const snapshot = await this.snapshot(call.snapshot)
    const held = await heldReferences(this.references, request.providers)
    const { rows } = await this.allProviderRates(snapshot, held, request, call, this.limits)
    // The same rows may have been kept for pages, which may be more.
    if (rows.length > this.limits.rowsMost) throw tooManyRows(this.limits)
    return { body: rows, snapshot: snapshot.id }
  }

  /** One page of the same rows in the same order. A walk stays on the snapshot of its first page. */
  async providerRatesPage(
    request: ProviderRatesRequest,
    pagination: { readonly pageSize?: number | undefined; readonly cursor?: string | undefined },
    call: PricingCall,
  ): Promise<Answer<ProviderRatesPage>> {
    const most = Math.min(call.pageSizeMost ?? pageSizeMost, pageSizeMost)
    const pageSize = pagination.pageSize ?? Math.min(pageSizeDefault, most)
    if (pageSize > most)
      throw new Failure(
        'invalid_request',
        `pagination.pageSize: your organisation's pages hold at most ${most} rows.`,
        {
          problems: [{ path: 'pagination.pageSize', message: `at most ${most}` }],
        },
      )
    const query = questionHash(request)
    const from =
      pagination.cursor === undefined
        ? undefined
        : this.cursors.decode(pagination.cursor, { query, organization: call.organization, now: this.now() })
    const [rates, directory] = from?.snapshot.split('~') ?? []
    const held = await heldReferences(this.references, request.providers)
    const now = dependsOnDirectory(request) ? held.id : undefined
    if (directory !== undefined && directory !== now)
      throw new Failure(
        'invalid_cursor',
        'The provider directory was loaded anew since the first page. Start again without the cursor.',
      )
    const snapshot = rates ? await this.rates.at(rates) : await this.snapshot(call.snapshot)
    if (!snapshot)
      throw new Failure(
        'invalid_cursor',
        'The data that the cursor was made on are no longer kept. Start again without it.',
      )
    const { rows, sourceMonths } = await this.allProviderRates(snapshot, held, request, call, {
      ...this.limits,
      rowsMost: this.limits.pagedRowsMost,
    })
    const start = from?.position ?? 0
    const end = Math.min(start + pageSize, rows.length)
    return {
      body: {
        data: rows.slice(start, end),
        sourceMonths: sourceMonths.map(sourceMonthText),
        nextCursor:
          end < rows.length
            ? this.cursors.encode({
                query,
                organization: call.organization,
                snapshot: now === undefined ? snapshot.id : `${snapshot.id}~${now}`,
                position: end,
                expires: from?.expires ?? this.now() + this.cursorMs,
              })
            : null,
      },
      snapshot: snapshot.id,
    }
  }

  private async allProviderRates(
    snapshot: Snapshot,
    held: HeldReferences,
    request: ProviderRatesRequest,
    call: PricingCall,
    limits: PricingLimits,
  ): Promise<ProviderRates> {
    const rows = rowsToRead(
      periods(snapshot, request.payers, request.yearMonths),
      request.billingCodeAndTypes,
    )
    const question = { kind: 'provider rates', request, rows, snapshot: snapshot.id, references: held.id }
    return this.answered(question, call, (options) =>
      providerRates({ snapshot, ...held }, request, { ...options, limits }),
    )
  }

  /** Every entry of a question, on one state of the data, and the Medicare tables to set beside them: what a report is made from. */
  async entryWalk(
    question: EntryQuestion,
    call: Pick<PricingCall, 'snapshot'> = {},
  ): Promise<{ walk: EntryWalk; medicareYear?: number }> {
    const { walk, medicareYear } = await this.heldWalk(question, call)
    return { walk, ...(medicareYear !== undefined && { medicareYear }) }
  }

  /** How many entries a question has, by payer and month. */
  async entryCounts(question: EntryQuestion, call: PricingCall): Promise<readonly EntryCount[]> {
    const { walk, held } = await this.heldWalk(question, call)
    const rows = rowsToRead([{ builds: walk.builds }], question.billingCodeAndTypes)
    const snapshot = walk.sources.snapshot.id
    return this.answered(
      { kind: 'entry counts', request: question, rows, snapshot, references: held.id },
      call,
      (options) => walk.counts(options),
    )
  }

  private async heldWalk(question: EntryQuestion, call: Pick<PricingCall, 'snapshot'>) {
    const snapshot = await this.snapshot(call.snapshot)
    const medicareYear = await this.loadedYear(question.comparedTo)
    const held = await heldReferences(this.references, { medicareYear, ccns: question.providers?.ccns })
    const walk = new EntryWalk({ snapshot, ...held }, question, { limits: this.limits })
    return { walk, held, medicareYear }
  }

  /** The year of the Medicare amounts asked for; unasked, the newest that is loaded. */
  private async loadedYear(asked: MedicareBaseline | undefined): Promise<number | undefined> {
    const years =
      asked === undefined
        ? baselines.flatMap((name) => baselineYear(name) ?? []).sort((a, b) => b - a)
        : [baselineYear(asked)]
    for (const year of years) {
      const amounts = year === undefined ? undefined : await this.references.medicare?.(year)
      if (states.some((state) => amounts?.locality(year!, '', state) !== undefined)) return year
    }
    return undefined
  }

  /** Answers from what is kept, or computes in turn and within the time limit. */
  private async answered<Body extends readonly unknown[] | { readonly rows: readonly unknown[] }>(
    { kind, request, rows, snapshot, references }: Question,
    { organization, signal: caller }: PricingCall,
    compute: (options: PricingOptions) => Promise<Body>,
  ): Promise<Body> {
    const key = `${kind} ${snapshot} ${references} ${questionHash(request)}`
    const kept = this.cache.get(key) as Body | undefined
    if (kept) return kept
    const { turnMs } = this
    const body = await withTimeLimit(this.limits.queryMs, caller, (signal) =>
      this.scheduler.run(rows, organization, () => compute({ signal, turnMs }), signal),
    )
    this.cache.set(key, body, 'rows' in body ? body.rows.length : body.length)
    return body
  }

  private async snapshot(pinned: string | undefined): Promise<Snapshot> {
    if (pinned === undefined) return this.rates.current()
    const snapshot = await this.rates.at(pinned)
    if (!snapshot)
      throw new Failure(
        'invalid_request',
        `The data snapshot ${JSON.stringify(pinned.slice(0, 60))} is not kept here.`,
        { problems: [{ path: 'X-Data-Snapshot', message: 'names a snapshot that is not kept here' }] },
      )
    return snapshot
  }
}

/** How many price rows a question reads: what it costs, known before it runs. */
function rowsToRead(chosen: readonly Period[], codes: readonly CodeFilter[] | undefined): number {
  let rows = 0
  for (const { builds } of chosen)
    for (const build of builds) for (const row of chosenCodes(build, codes)) rows += build.codes.rows[row]!
  return rows
}

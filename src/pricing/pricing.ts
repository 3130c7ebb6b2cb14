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
import type { ProviderAttributes } from '../warehouse/provider-attributes.ts'
import type { Rates, Snapshot } from '../warehouse/rates.ts'
import { AnswerCache } from './answer-cache.ts'
import type { MedicareAmounts } from './baseline.ts'
import { benchmarks, type BenchmarksRequest } from './benchmarks.ts'
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
import { Scheduler, type SchedulerSettings } from './scheduler.ts'
import type { PricingSources } from './sources.ts'

/** The reference data beside the rates. Each is asked per question, so that a reload is noticed. */
export interface PricingReferences {
  readonly attributes: () => Promise<ProviderAttributes>
  /** Names the loaded state of everything else here: kept answers are not used beyond it. */
  readonly version?: () => string
  /** The same object for the same loaded tables: localities are remembered by it. */
  readonly medicare?: (year: number) => Promise<MedicareAmounts | undefined>
  readonly codeGroup?: () => Promise<PricingSources['codeGroup']>
  readonly hospitalNpis?: (ccns: readonly string[]) => Promise<ReadonlyMap<string, readonly number[]>>
}

export interface PricingSettings {
  /** Signs cursors. */
  readonly secret: string
  readonly limits?: Partial<PricingLimits>
  readonly scheduler?: SchedulerSettings
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

/** The pricing questions, with limits, fair turns, kept answers and pages. */
export class Pricing {
  private readonly rates: Rates
  private readonly references: PricingReferences
  private readonly limits: PricingLimits
  private readonly scheduler: Scheduler
  private readonly cache = new AnswerCache()
  private readonly cursors: ReturnType<typeof cursorCodec>
  private readonly cursorMs: number
  private readonly now: () => number

  constructor(rates: Rates, references: PricingReferences, settings: PricingSettings) {
    this.rates = rates
    this.references = references
    this.limits = { ...defaultLimits, ...settings.limits }
    this.scheduler = new Scheduler(settings.scheduler)
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
    const year = baselineYear(request.metrics.comparedTo ?? 'none')
    const medicare = year === undefined ? undefined : await this.references.medicare?.(year)
    const sources = await this.sources(snapshot, medicare)
    const body = await this.answered('benchmarks', request, sources, rows, call, (signal) =>
      benchmarks(sources, request, { signal, limits: this.limits }),
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
    const sources = await this.sources(snapshot)
    const rows = rowsToRead(chosen, billingCodeAndTypes)
    const body = await this.answered('market rates', request, sources, rows, call, (signal) =>
      marketRates(sources, request, { signal, limits: this.limits }),
    )
    return { body, snapshot: snapshot.id }
  }

  /** All rows at once: the answer without `pagination`. */
  async providerRates(
    request: ProviderRatesRequest,
    call: PricingCall,
  ): Promise<Answer<readonly ProviderRateRow[]>> {
    const snapshot = await this.snapshot(call.snapshot)
    const { rows } = await this.allProviderRates(snapshot, request, call, this.limits)
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
    const now = await this.directoryOf(request)
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
    const { rows, sourceMonths } = await this.allProviderRates(snapshot, request, call, {
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

  /** The state of the directory, where the rows of a question depend on it. */
  private async directoryOf({ providers, groupBy = [] }: ProviderRatesRequest): Promise<string | undefined> {
    const depends = providers.ccns !== undefined || groupBy.some((field) => directoryFields.has(field))
    if (!depends) return undefined
    return questionHash([(await this.references.attributes()).id, this.references.version?.() ?? ''])
  }

  private async allProviderRates(
    snapshot: Snapshot,
    request: ProviderRatesRequest,
    call: PricingCall,
    limits: PricingLimits,
  ): Promise<ProviderRates> {
    const hospitals = await this.references.hospitalNpis?.(request.providers.ccns ?? [])
    const sources = {
      ...(await this.sources(snapshot)),
      hospitalNpis: (ccn: string) => hospitals?.get(ccn) ?? [],
    }
    const rows = rowsToRead(
      periods(snapshot, request.payers, request.yearMonths),
      request.billingCodeAndTypes,
    )
    return this.answered('provider rates', request, sources, rows, call, (signal) =>
      providerRates(sources, request, { signal, limits }),
    )
  }

  /** Every entry of a question, on one state of the data, and the Medicare tables to set beside them: what a report is made from. */
  async entryWalk(
    question: EntryQuestion,
    call: Pick<PricingCall, 'snapshot'> = {},
  ): Promise<{ walk: EntryWalk; medicareYear?: number }> {
    const snapshot = await this.snapshot(call.snapshot)
    const medicare = await this.medicareOf(question.comparedTo)
    const hospitals = await this.references.hospitalNpis?.(question.providers?.ccns ?? [])
    const sources = {
      ...(await this.sources(snapshot, medicare?.amounts)),
      hospitalNpis: (ccn: string) => hospitals?.get(ccn) ?? [],
    }
    return {
      walk: new EntryWalk(sources, question, { limits: this.limits }),
      ...(medicare && { medicareYear: medicare.year }),
    }
  }

  /** How many entries a question has, by payer and month. */
  async entryCounts(question: EntryQuestion, call: PricingCall): Promise<readonly EntryCount[]> {
    const { walk } = await this.entryWalk(question, call)
    const rows = rowsToRead([{ builds: walk.builds }], question.billingCodeAndTypes)
    return this.answered('entry counts', question, walk.sources, rows, call, (signal) => walk.counts(signal))
  }

  /** The Medicare amounts of the year asked for; unasked, of the newest year that is loaded. */
  private async medicareOf(
    asked: MedicareBaseline | undefined,
  ): Promise<{ year: number; amounts: MedicareAmounts } | undefined> {
    const years =
      asked === undefined
        ? baselines.flatMap((name) => baselineYear(name) ?? []).sort((a, b) => b - a)
        : [baselineYear(asked)]
    for (const year of years) {
      const amounts = year === undefined ? undefined : await this.references.medicare?.(year)
      const isLoaded = states.some((state) => amounts?.locality(year!, '', state) !== undefined)
      if (amounts && isLoaded) return { year: year!, amounts }
    }
    return undefined
  }

  /** Answers from what is kept, or computes in turn and within the time limit. */
  private async answered<Body extends readonly unknown[] | { readonly rows: readonly unknown[] }>(
    kind: string,
    request: unknown,
    sources: PricingSources,
    rows: number,
    call: PricingCall,
    compute: (signal: AbortSignal) => Promise<Body>,
  ): Promise<Body> {
    const references = this.references.version?.() ?? ''
    const key = `${kind} ${sources.snapshot.id} ${sources.attributes.id} ${references} ${questionHash(request)}`
    const kept = this.cache.get(key) as Body | undefined
    if (kept) return kept
    const signal = AbortSignal.any([
      AbortSignal.timeout(this.limits.queryMs),
      ...(call.signal ? [call.signal] : []),
    ])
    const body = await this.scheduler.run(rows, call.organization, () => compute(signal), signal)
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
      )
    return snapshot
  }

  private async sources(snapshot: Snapshot, medicare?: MedicareAmounts): Promise<PricingSources> {
    const [attributes, codeGroup] = await Promise.all([
      this.references.attributes(),
      this.references.codeGroup?.(),
    ])
    return { snapshot, attributes, ...(medicare && { medicare }), ...(codeGroup && { codeGroup }) }
  }
}

/** How many price rows a question reads: what it costs, known before it runs. */
function rowsToRead(chosen: readonly Period[], codes: readonly CodeFilter[] | undefined): number {
  let rows = 0
  for (const { builds } of chosen)
    for (const build of builds) for (const row of chosenCodes(build, codes)) rows += build.codes.rows[row]!
  return rows
}

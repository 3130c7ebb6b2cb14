import { join } from 'node:path'
import { openMailer, type Mailer } from './accounts/mailer.ts'
import { Gate } from './accounts/gate.ts'
import { forgetEnded } from './accounts/sessions.ts'
import { signingSecret } from './accounts/tokens.ts'
import type { Settings } from './config.ts'
import { type JobHandler, JobWorker, type WorkerOptions } from './jobs/worker.ts'
import { forgetEndedJobs } from './jobs/queue.ts'
import { extractionHandler, extractionJob } from './contracts/extraction-job.ts'
import { type Extractor, ruleExtractor } from './contracts/extractor.ts'
import type { ReadLimits } from './contracts/read-document.ts'
import { serviceExtractor } from './contracts/service/service-extractor.ts'
import { sweepDocuments } from './contracts/sweep-documents.ts'
import { openMedicareStore, type MedicareStore } from './medicare/store.ts'
import { operations } from './operations/index.ts'
import { tools } from './operations/tools.ts'
import type { PricingLimits } from './pricing/limits.ts'
import { Pricing } from './pricing/pricing.ts'
import { openProviders, type Providers } from './providers/open.ts'
import { openRecords } from './records/open.ts'
import { Reports } from './reports/reports.ts'
import type { Records } from './records/records.ts'
import { type Answers, answersOf } from './service/answers.ts'
import { contractAnswers } from './service/contract-answers.ts'
import { type ToolAnswers, toolAnswersOf } from './service/tool-answers.ts'
import { followAttributes } from './service/attributes.ts'
import { directoryNames, reportAnswers } from './service/report-answers.ts'
import { medicareReferences } from './service/medicare-references.ts'
import { followPayers, registerPayers } from './service/payers.ts'
import { openRates, type Rates } from './warehouse/rates.ts'

export type { Answers, CallContext } from './service/answers.ts'
export type { ToolAnswers } from './service/tool-answers.ts'

/** Everything that the doors work with, opened. */
export interface Service {
  readonly settings: Settings
  readonly records: Records
  readonly gate: Gate
  readonly mailer: Mailer
  readonly secret: string
  readonly answers: Answers
  readonly toolAnswers: ToolAnswers
  readonly pricing: Pricing
  readonly providers: Providers
  readonly medicare: MedicareStore
  readonly rates: Rates
  /** Does the queue's work behind this process's back. */
  readonly jobs: JobWorker
  readonly reports: Reports
  /** Names the group a billing code belongs to. */
  readonly codeGroupName: () => Promise<(type: string, code: string) => string | null>
  /** The address users see. Known for certain once the server listens. */
  readonly address: { baseUrl: string }
  readonly now: () => number
  readonly log: (text: string) => void
  close(): Promise<void>
}

export interface ServiceOptions {
  readonly log?: (text: string) => void
  /** A clock of one's own, for tests. */
  readonly now?: () => number
  /** How the queue's work is shared out, where a test cannot wait as long as a server does. */
  readonly worker?: Pick<WorkerOptions, 'leaseMs' | 'pollMs' | 'retryMs'>
  /** What reading one document may cost. */
  readonly readLimits?: ReadLimits
}

// Ended sessions and links are refused anyway; this only keeps the tables small.
const forgetEveryMs = 3_600_000
const jobsKeptMs = 7 * 86_400_000

/** Opens the stores and hands out the rooms. */
export async function openService(
  settings: Settings,
  { log = console.error, now = Date.now, worker = {}, readLimits }: ServiceOptions = {},
): Promise<Service> {
  registerPayers(settings)
  const prices = priceList(settings.RATEBOOK_PRICES)
  const records = await openRecords(settings, (error) =>
    log(`The database dropped an idle connection: ${error.message}`),
  )
  const address = {
    baseUrl: (settings.RATEBOOK_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`).replace(/\/$/, ''),
  }
  const gate = new Gate(
    records,
    {
      ratePerSecond: settings.RATEBOOK_RATE_PER_SECOND,
      rateBurst: settings.RATEBOOK_RATE_BURST,
      prices,
      creditsUrl: () => settings.RATEBOOK_CREDITS_URL ?? `${address.baseUrl}/account/credits`,
    },
    now,
  )
  const secret = await signingSecret(records, settings.RATEBOOK_SECRET)
  const rates = openRates(join(settings.RATEBOOK_DATA, 'rates'), {
    cacheBytes: settings.RATEBOOK_CACHE_BYTES,
  })
  const medicare = openMedicareStore(settings.RATEBOOK_DATA)
  const providers = await openProviders(settings.RATEBOOK_DATA)
  const attributes = followAttributes(settings.RATEBOOK_DATA, log)
  const references = medicareReferences(medicare)
  const pricing = new Pricing(
    rates,
    {
      attributes: () => attributes.current(),
      ...references,
      hospitalNpis: async (ccns) =>
        new Map(
          ccns.length === 0
            ? []
            : (await providers.hospitalBilling(ccns)).map(({ ccn, npis }) => [ccn, npis]),
        ),
    },
    { secret, now, limits: pricingLimits(settings) },
  )
  const forget = async () => {
    try {
      await forgetEnded(records, now())
      await forgetEndedJobs(records, now() - jobsKeptMs)
      if (settings.RATEBOOK_JOBS) {
        await reports.sweep()
        await sweepDocuments(records, settings.RATEBOOK_DATA, now())
      }
    } catch (error) {
      log(`Could not remove what has ended: ${(error as Error).message}`)
    }
  }
  const reports = new Reports(
    { records, pricing, names: directoryNames(providers), look: () => jobs.look() },
    {
      folder: join(settings.RATEBOOK_DATA, 'reports'),
      rowsMost: settings.RATEBOOK_REPORT_ROWS,
      memoryMb: settings.RATEBOOK_REPORT_MEMORY_MB,
      threads: settings.RATEBOOK_REPORT_THREADS,
      queryMs: settings.RATEBOOK_QUERY_MS,
      secret,
      now,
    },
  )
  const handlers: Record<string, JobHandler> = {
    ...reports.handlers,
    [extractionJob]: extractionHandler(
      records,
      settings.RATEBOOK_DATA,
      extractorOf(settings, log),
      now,
      readLimits,
    ),
  }
  const jobs = new JobWorker(records, handlers, { now, log, ...worker })
  if (settings.RATEBOOK_JOBS) jobs.start()
  await forget()
  const stopFollowing = followPayers(settings, log)
  const forgetting = setInterval(() => void forget(), forgetEveryMs).unref()
  return {
    settings,
    records,
    gate,
    mailer: openMailer(settings.RATEBOOK_SMTP_URL, settings.RATEBOOK_MAIL_FROM, log),
    secret,
    answers: {
      ...answersOf(pricing, providers, settings.RATEBOOK_PAGE_SIZE_MAX),
      ...reportAnswers(reports, settings.RATEBOOK_PAGE_SIZE_MAX),
      ...contractAnswers(records, settings.RATEBOOK_DATA, jobs, now),
    },
    toolAnswers: toolAnswersOf(pricing, providers, medicare, settings.RATEBOOK_PAGE_SIZE_MAX),
    providers,
    pricing,
    medicare,
    rates,
    jobs,
    reports,
    codeGroupName: async () => {
      const groupOf = await references.codeGroup()
      return (type, code) => groupOf?.(type, code)?.group ?? null
    },
    address,
    now,
    log,
    async close() {
      clearInterval(forgetting)
      await jobs.stop()
      await reports.close()
      stopFollowing()
      await gate.close()
      await providers.close()
      medicare.close()
      rates.close()
      await records.close()
    },
  }
}

/** How wide a pricing question may be, as the operator set it. */
/** What reads contracts: the service that the operator named, or the rules. */
export function extractorOf(settings: Settings, log: (text: string) => void): Extractor {
  const { RATEBOOK_EXTRACTOR_URL: url } = settings
  if (url === undefined) return ruleExtractor
  return serviceExtractor({
    url,
    key: settings.RATEBOOK_EXTRACTOR_KEY,
    model: settings.RATEBOOK_EXTRACTOR_MODEL!,
    timeoutMs: settings.RATEBOOK_EXTRACTOR_TIMEOUT_MS,
    charactersMost: settings.RATEBOOK_EXTRACTOR_CHARACTERS,
    log,
  })
}

const pricingLimits = (settings: Settings): PricingLimits => ({
  codesMost: settings.RATEBOOK_LIMIT_CODES,
  payersMost: settings.RATEBOOK_LIMIT_PAYERS,
  identifiersMost: settings.RATEBOOK_LIMIT_IDENTIFIERS,
  periodsMost: settings.RATEBOOK_LIMIT_PERIODS,
  zipCodesMost: settings.RATEBOOK_LIMIT_ZIP_CODES,
  rowsMost: settings.RATEBOOK_LIMIT_ROWS,
  pagedRowsMost: settings.RATEBOOK_LIMIT_PAGED_ROWS,
  entriesMost: settings.RATEBOOK_LIMIT_ENTRIES,
  queryMs: settings.RATEBOOK_QUERY_MS,
})

/** `marketBenchmarks=2,npis=0` as a table; an error names what is wrong. */
export function priceList(text: string): ReadonlyMap<string, number> {
  const entries = text.split(',').filter((part) => part.trim() !== '')
  return new Map(
    entries.map((entry) => {
      const [, name = '', credits] = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/.exec(entry) ?? []
      if (!(Object.hasOwn(operations, name) || Object.hasOwn(tools, name)) || credits === undefined)
        throw new Error(
          `RATEBOOK_PRICES: "${entry.trim()}" is not operation=credits with one of ${[...Object.keys(operations), ...Object.keys(tools)].join(', ')}`,
        )
      return [name, Number(credits)]
    }),
  )
}

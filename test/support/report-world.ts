import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { JobWorker } from '../../src/jobs/worker.ts'
import type { ReportQuery } from '../../src/operations/report-query.ts'
import { Pricing } from '../../src/pricing/pricing.ts'
import type { ReportCall } from '../../src/reports/report-call.ts'
import { Reports, type ReportsSettings } from '../../src/reports/reports.ts'
import type { Rates } from '../../src/warehouse/rates.ts'
import { ProviderAttributes } from '../../src/warehouse/provider-attributes.ts'
import type { Records } from '../../src/records/records.ts'
import type { NegotiatedPrice, PublishedFile } from './payer-file.ts'
import { naiveEntries, type NaiveEntry } from './naive-rates.ts'
import { publishFiles, temporaryFolder, type PublishedRates } from './published.ts'

export const worldTins = [100000001, 100000002, 100000003, 100000004, 12345678]
export const worldNpis = Array.from({ length: 12 }, (_, at) => 1_000_000_000 + at * 7)
export const worldPayers = ['Aetna', 'Cigna']
export const worldCodes = ['99213', '99214', 'J1100']
const places = ['FL', 'FL', 'FL', 'TX']

/** Numbers that look like chance and are the same every time. */
const scattered = (seed: number) => Math.abs((Math.sin(seed * 12.9898) * 43758.5453) % 1)

const prices = (seed: number): NegotiatedPrice[] =>
  Array.from({ length: 1 + (seed % 3) }, (_, at) => ({
    negotiated_type: seed % 17 === 0 ? 'percentage' : seed % 5 === 0 ? 'fee schedule' : 'negotiated',
    negotiated_rate:
      seed % 41 === 0 && at === 0
        ? 99_999
        : seed % 43 === 0 && at === 0
          ? 0
          : Math.round((60 + 90 * scattered(seed + at * 31)) * 100) / 100,
    billing_class: seed % 7 === 0 ? 'institutional' : 'professional',
    service_code: seed % 2 === 0 ? ['11'] : ['11', '22'],
    billing_code_modifier: seed % 11 === 0 ? ['26'] : [],
  }))

/** Two payers, two months, three codes, five TINs: percentages, outliers and rates of zero among them. */
export const worldFiles: PublishedFile[] = worldPayers.flatMap((payer, p) =>
  [202604, 202605].map((month, m) => ({
    payer,
    month,
    digest: `${payer}-${month}`,
    plans: ['PPO', 'HMO Élite'],
    networks: p === 0 ? ['Choice POS II'] : ['Open, Access', 'Local "Plus"'],
    file: {
      in_network: worldCodes.map((billing_code, c) => ({
        billing_code_type: billing_code.startsWith('J') ? 'HCPCS' : 'CPT',
        billing_code,
        negotiated_rates: worldTins.flatMap((tin, t) =>
          // The last TIN is new with the second month at the first payer, and gone at the second.
          t === 4 && m === p
            ? []
            : [0, 1].map((part) => ({
                provider_groups: [
                  {
                    npi: worldNpis.slice(t * 2 + part, t * 2 + part + 3),
                    tin: {
                      type: 'ein',
                      value: String(tin).padStart(9, '0'),
                      ...(t === 1 && { business_name: 'Eastside <Heart> & "Lung"' }),
                    },
                  },
                ],
                negotiated_prices: prices(p * 1009 + m * (part === 0 ? 0 : 307) + c * 101 + t * 13 + part),
              })),
        ),
      })),
    },
  })),
)

export const worldEntries: NaiveEntry[] = naiveEntries(worldFiles)

export const worldAttributes = new ProviderAttributes('directory-1')
for (const [at, npi] of worldNpis.slice(0, -1).entries())
  worldAttributes.add({
    npi,
    state: places[at % places.length]!,
    zip: at % 5 === 0 ? null : '33101',
    taxonomy: at % 2 === 0 ? '207Q00000X' : '207RC0000X',
    entityType: at % 3 === 0 ? 'group' : 'individual',
  })

/** Rates typed into the Medicare fee schedule of the small world, in ten-thousandths of a dollar. */
export const worldMedicare: Record<string, number> = { '99213': 900_000, J1100: 20_000 }

export const worldQuery: ReportQuery = {
  states: ['FL', 'TX'],
  payers: worldPayers as ReportQuery['payers'],
  billingCodeAndTypes: [
    { code: '99213', type: 'CPT' },
    { code: '99214', type: 'CPT' },
    { code: 'J1100', type: 'HCPCS' },
  ],
  yearMonths: [
    { year: 2026, month: 4 },
    { year: 2026, month: 5 },
  ],
  comparedTo: 'medicare_2025',
}

export interface World {
  readonly records: Records
  readonly reports: Reports
  readonly pricing: Pricing
  readonly worker: JobWorker
  readonly folder: string
  readonly store: PublishedRates
  close(): Promise<void>
  /** Somebody of an organisation of their own. */
  caller(): Promise<ReportCall>
  /** A report, built. */
  built(call: ReportCall, query?: ReportQuery, name?: string): Promise<string>
}

export function worldPricing(store: Pick<PublishedRates, 'rates'>): Pricing {
  return new Pricing(
    store.rates,
    {
      attributes: async () => worldAttributes,
      medicare: async (year) =>
        year === 2025
          ? {
              locality: (_, __, state) => (state === 'FL' ? 1 : undefined),
              amount: ({ code, locality }) => (locality === 1 ? worldMedicare[code] : undefined),
            }
          : undefined,
      codeGroup: async () => (_, code) => ({
        group: code.startsWith('J') ? 'Treatment' : 'E&M',
        subgroup: 'Office',
      }),
    },
    { secret: 'x'.repeat(32) },
  )
}

export const worldNames = {
  npis: async (npis: readonly number[]) => new Map(npis.map((npi) => [npi, `Dr ${npi % 1000}`] as const)),
  tins: async (tins: readonly number[]) => new Map(tins.map((tin) => [tin, `Group ${tin % 1000}`] as const)),
}

/** Reports over the small world, with a worker that builds them, on a row store that somebody else closes. */
export async function openWorld(records: Records, settings: Partial<ReportsSettings> = {}): Promise<World> {
  const store = await publishFiles(worldFiles)
  const folder = temporaryFolder('reports')
  const pricing = worldPricing(store)
  const reports = new Reports(
    { records, pricing, names: worldNames, look: () => worker.look() },
    {
      folder: join(folder, 'reports'),
      rowsMost: 100_000,
      memoryMb: 256,
      threads: 1,
      queryMs: 60_000,
      secret: 'x'.repeat(32),
      ...settings,
    },
  )
  const worker = new JobWorker(records, reports.handlers, { pollMs: 20, retryMs: 1, log: () => {} })
  worker.start()
  return {
    records,
    reports,
    pricing,
    worker,
    folder: join(folder, 'reports'),
    store,
    async close() {
      await worker.stop()
      await reports.close()
      store.remove()
      rmSync(folder, { recursive: true, force: true })
    },
    async caller() {
      const { id } = await createOrganization(records, 'Sample Clinic', 5, 'test', Date.now())
      return { caller: { organizationId: id, userId: null, keyId: null } }
    },
    async built(call, query = worldQuery, name = 'A market') {
      const { id } = await reports.create({ name, query }, call)
      await untilBuilt(reports, id, call)
      return id
    },
  }
}

/** Waits until a report is ready or has failed, and its refresh too. */
export async function untilBuilt(reports: Reports, id: string, call: ReportCall) {
  for (;;) {
    const { report } = await reports.read(id, call)
    const isBusy =
      report.status === 'queued' ||
      report.status === 'running' ||
      (report.refresh !== null && report.refresh.status !== 'failed')
    if (!isBusy) return report
    await new Promise((resume) => setTimeout(resume, 10))
  }
}

/** The reports of a folder, as one of several processes opens them. */
export const worldReports = (folder: string, records: Records, rates: Rates) =>
  new Reports(
    { records, pricing: worldPricing({ rates }), names: worldNames, look: () => {} },
    {
      folder: join(folder, 'reports'),
      rowsMost: 1_000_000,
      memoryMb: 256,
      threads: 1,
      queryMs: 60_000,
      secret: 'x'.repeat(32),
    },
  )

import { z } from 'zod'
import type { AppOperation } from './account.ts'
import { MedicareDataset } from '../vocabulary/medicare.ts'
import { MarketRow } from './rate-rows.ts'

const operation = <Request extends z.ZodType, Response extends z.ZodType>(
  declared: AppOperation<Request, Response>,
) => declared

const LoadedPayer = z.object({
  payer: z.string(),
  name: z.string(),
  states: z.array(z.string()),
  synthetic: z.boolean(),
  months: z.array(z.string()).describe('YYYY-MM, newest first'),
})

const QualityView = z.record(z.string(), z.unknown())

const LoadedMonth = z.object({
  payer: z.string(),
  name: z.string(),
  synthetic: z.boolean(),
  month: z.string(),
  publishedAt: z.string().nullable(),
  bytes: z.number(),
  counts: z.record(z.string(), z.number()),
  quality: QualityView,
})

const Month = z.string().regex(/^\d{4}-\d\d$/, 'a month is YYYY-MM')

/** Files of a month on one page; a payer may have thousands. */
export const filesShownMost = 25

const LoadedFile = z
  .object({
    address: z.string().describe('Where the file came from, without its token'),
    entry: z.string().describe('Its name inside an archive'),
    digest: z.string(),
    size: z.number(),
    lastUpdatedOn: z.string().nullable(),
    findings: z
      .array(
        z.object({
          kind: z.string(),
          severity: z.string(),
          count: z.number(),
          says: z.string(),
          path: z.string().nullish(),
          offset: z.number().nullish(),
        }),
      )
      .readonly(),
  })
  .loose()

/** What the web application's pages look at beside the priced questions; free, because it only says what there is. */
export const dataOperations = {
  catalog: operation({
    method: 'GET',
    path: '/app/api/catalog',
    access: 'session',
    status: 200,
    summary: 'Payers, and the months loaded for each',
    request: z.strictObject({}),
    response: z.object({ snapshot: z.string(), synthetic: z.boolean(), payers: z.array(LoadedPayer) }),
  }),
  codes: operation({
    method: 'GET',
    path: '/app/api/codes',
    access: 'session',
    status: 200,
    summary: 'Billing codes of the loaded data that begin with a text, the most published first',
    request: z.strictObject({ query: z.string().trim().min(1).max(40) }),
    response: z.array(
      z.object({ code: z.string(), type: z.string(), group: z.string().nullable(), prices: z.number() }),
    ),
  }),
  example: operation({
    method: 'GET',
    path: '/app/api/example',
    access: 'anyone',
    status: 200,
    summary: 'One benchmark of the loaded data, for the first page',
    request: z.strictObject({}),
    response: z.object({
      synthetic: z.boolean(),
      code: z.object({ code: z.string(), type: z.string() }).nullable(),
      rows: z.array(MarketRow),
    }),
  }),
  medicare: operation({
    method: 'POST',
    path: '/app/api/medicare',
    access: 'session',
    status: 200,
    summary: 'What Medicare pays, from one of its four tables',
    request: z.strictObject({
      medicareType: MedicareDataset,
      codes: z.array(z.string().trim().min(1).max(10)).max(100).optional(),
      years: z.array(z.int().min(1990).max(2100)).max(50).optional(),
      states: z.array(z.string().max(8)).max(60).optional(),
      month: z.int().min(1).max(12).optional(),
      limit: z.int().min(1).max(100).optional(),
    }),
    response: z.array(z.record(z.string(), z.unknown())),
  }),
  suggestProviders: operation({
    method: 'GET',
    path: '/app/api/providers',
    access: 'session',
    status: 200,
    summary: 'Providers, hospitals and taxpayers that a few letters or digits may mean',
    request: z.strictObject({ query: z.string().trim().min(2, 'at least 2 characters').max(40) }),
    response: z.array(
      z.object({
        kind: z.enum(['npi', 'ccn', 'tin']),
        id: z.string(),
        title: z.string(),
        state: z.string().nullable(),
      }),
    ),
  }),
  provider: operation({
    method: 'GET',
    path: '/app/api/providers/:kind/:id',
    access: 'session',
    status: 200,
    summary: 'Who a provider is',
    request: z.strictObject({ kind: z.enum(['npi', 'ccn', 'tin']), id: z.string().max(10) }),
    response: z.object({
      kind: z.enum(['npi', 'ccn', 'tin']),
      id: z.string(),
      name: z.string(),
      state: z.string().nullable(),
      taxonomyCode: z.string().nullable(),
      payers: z.array(z.string()),
      facts: z.array(z.object({ name: z.string(), value: z.string() })),
      related: z
        .array(z.object({ kind: z.enum(['npi', 'ccn', 'tin']), id: z.string(), name: z.string().nullable() }))
        .describe('At most 50'),
      relatedTotal: z.number(),
    }),
  }),
  loadedMonths: operation({
    method: 'GET',
    path: '/app/api/data',
    access: 'session',
    status: 200,
    summary: 'What is loaded: payers, months, counts, quality',
    request: z.strictObject({}),
    response: z.object({ snapshot: z.string(), months: z.array(LoadedMonth) }),
  }),
  loadedFiles: operation({
    method: 'GET',
    path: '/app/api/data/files',
    access: 'session',
    status: 200,
    summary: 'The files behind a payer’s month, and what was odd in each',
    request: z.strictObject({
      payer: z.string().max(100),
      month: Month,
      digest: z.string().max(64).optional().describe('Only this file'),
      odd: z.literal('only').optional().describe('Only files with findings'),
      start: z.coerce.number().int().min(0).default(0).describe('Files to skip'),
    }),
    response: z.object({ total: z.number(), files: z.array(LoadedFile).max(filesShownMost) }),
  }),
  rateSource: operation({
    method: 'GET',
    path: '/app/api/data/source',
    access: 'session',
    status: 200,
    summary: 'Where in a payer’s files a provider’s rate was first seen',
    request: z.strictObject({
      payer: z.string().max(100),
      month: Month,
      type: z.string().max(20),
      code: z.string().max(40),
      kind: z.enum(['npi', 'ccn', 'tin']),
      id: z.string().max(10),
      value: z.string().max(30).describe('The rate as the answer printed it'),
    }),
    response: z.object({
      digest: z.string().describe('SHA-256 of the file'),
      entry: z.string().describe('Its name inside an archive'),
      offset: z.number().describe('Byte of the rate in the unpacked file'),
      place: z.string(),
    }),
  }),
} as const satisfies Record<string, AppOperation>

import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { SavedContractModelConfig } from './contract-model.ts'
import { operation } from './operation.ts'
import { ReportQuery } from './report-query.ts'
import { Report, ReportName, ReportState, reportExample } from './report-record.ts'

export const reportExampleParams = { id: reportExample.id }
export const reportParams = z.strictObject({
  id: z.uuid('expected the id of a report').describe('Report id'),
})

const query = {
  states: ['FL'],
  taxonomyCodes: ['207RC0000X'],
  payers: ['Aetna', 'Cigna'],
  billingCodeAndTypes: [{ code: '93306', type: 'CPT' }],
}

const ifMatch = {
  'If-Match':
    'The ETag that you read. The change is refused with 412 when somebody else has changed the report since',
}

export const createReport = operation({
  name: 'createReport',
  method: 'POST',
  path: '/api/v1/reports',
  group: 'Reports',
  credits: 1,
  status: 202,
  summary: 'Keep a question as a report',
  description: [
    'Takes every published rate that the query asks for and keeps them, row by row, as they are now. The report is built in the background: read it with `GET /api/v1/reports/{id}` until `status` is `ready` (or `failed`, with `error`).',
    'Send an `Idempotency-Key` of your own to be able to repeat the request safely: a repeat with the same key and body answers with the report that the first one made. The same key with another body is a 409.',
    'A query names a market (`states`, optionally `taxonomyCodes`, `zipCodes`, `entityTypes`) or named `providers`, with payers, codes and months. Two or more `yearMonths` make a report that compares them. Rates of zero, absurd rates, percentages and per diems are kept as rows; the computed tabs leave them out and say so.',
  ].join('\n\n'),
  requestHeaders: {
    'Idempotency-Key': 'Any text of up to 255 characters; a repeat with the same key never makes two reports',
  },
  request: z.strictObject({ name: ReportName, query: ReportQuery }),
  response: Report,
  example: {
    request: { name: 'Cardiology, Florida', query },
    response: {
      ...reportExample,
      status: 'queued',
      progress: 0,
      snapshot: null,
      builtAt: null,
      sourceMonths: [],
      columns: [],
      rowCount: null,
    },
  },
  failures: ['conflict', 'query_too_wide'],
})

/** How large a report would be, before it is made. */
export const ReportEstimate = z
  .object({
    rows: z.int().describe('Rows the report would have'),
    rowsMost: z.int().describe('Rows that a report may have on this server'),
    fits: z.boolean().describe('Whether it may be made'),
    sourceMonths: z.array(z.string().regex(/^[0-9]{6}$/)).describe('YYYYMM months it would be made from'),
    byPayer: z
      .array(
        z.object({
          payer: z.string(),
          sourceMonth: z.string().regex(/^[0-9]{6}$/),
          rows: z.int(),
        }),
      )
      .describe('Rows by payer and month'),
  })
  .describe('The size of a report')
export type ReportEstimate = z.infer<typeof ReportEstimate>

export const estimateReport = operation({
  name: 'estimateReport',
  method: 'POST',
  path: '/api/v1/reports/estimate',
  group: 'Reports',
  credits: 0,
  summary: 'How large a report would be',
  description:
    'Counts the rows of a query without keeping them, exactly, by payer and month. Makes nothing. A query that is too wide to count in time fails with `query_timeout`.',
  request: z.strictObject({ query: ReportQuery }),
  response: ReportEstimate,
  example: {
    request: { query },
    response: {
      rows: 5210,
      rowsMost: 10_000_000,
      fits: true,
      sourceMonths: ['202605'],
      byPayer: [
        { payer: 'Aetna', sourceMonth: '202605', rows: 3120 },
        { payer: 'Cigna', sourceMonth: '202605', rows: 2090 },
      ],
    },
  },
  failures: ['query_too_wide', 'query_timeout'],
})

export const listReports = operation({
  name: 'listReports',
  method: 'GET',
  path: '/api/v1/reports',
  group: 'Reports',
  credits: 0,
  summary: 'Reports of your organisation, newest first',
  description:
    'Active reports, or with `state=archived` the archived ones; deleted reports stand in neither list. `search` keeps those whose name holds a text. Pages follow `nextCursor` until it is null.',
  request: z.strictObject({
    state: ReportState.default('active'),
    search: z.string().trim().max(200).optional().describe('Keep reports whose name holds this text'),
    limit: z.coerce.number().int().min(1).max(200).default(50).describe('Reports per page, 1 to 200'),
    cursor: z.string().min(1).max(4_096).optional().describe('nextCursor of the page before'),
  }),
  response: z.object({
    reports: z.array(Report),
    nextCursor: z.string().nullable().describe('Send it as cursor for the next page; null = no more'),
  }),
  example: { response: { reports: [reportExample], nextCursor: null } },
  failures: ['invalid_cursor'],
})

export const readReport = operation({
  name: 'readReport',
  method: 'GET',
  path: '/api/v1/reports/{id}',
  group: 'Reports',
  credits: 0,
  summary: 'A report',
  description:
    'The report’s record. The `ETag` of the answer names its present revision: name, state and configuration. Send it as `If-Match` with a change to make sure that nobody else changed it meanwhile.',
  params: reportParams,
  request: z.strictObject({}),
  response: Report,
  example: { params: reportExampleParams, response: reportExample },
  failures: ['not_found'],
})

export const renameReport = operation({
  name: 'renameReport',
  method: 'PATCH',
  path: '/api/v1/reports/{id}',
  group: 'Reports',
  credits: 0,
  summary: 'Give a report another name',
  description:
    'Changes the name and nothing else. With `If-Match` the change is made only while nobody else has changed the report.',
  params: reportParams,
  requestHeaders: ifMatch,
  request: z.strictObject({ name: ReportName }),
  response: Report,
  example: {
    params: reportExampleParams,
    request: { name: 'Cardiology, Florida, 2026' },
    response: reportExample,
  },
  failures: ['not_found', 'precondition_failed'],
})

/** What can be done to a report; at least one property, no others. */
export const ReportActionRequest = z
  .strictObject({
    archiveAction: z
      .strictObject({ event: choice('event', ['Archive', 'Unarchive']) })
      .optional()
      .describe('Puts an active report away, or brings an archived one back'),
    deleteAction: z
      .strictObject({ event: choice('event', ['Delete']) })
      .optional()
      .describe('Takes the report out of every list, for good'),
    contractModelConfigAction: z
      .strictObject({ config: SavedContractModelConfig })
      .optional()
      .describe('Saves a contract-model configuration in place of the one before'),
  })
  .refine((request) => Object.values(request).some((action) => action !== undefined), {
    error: 'name at least one of archiveAction, deleteAction, contractModelConfigAction',
  })
  .describe('What to do with a report; at least one action')
  .meta({ id: 'ReportActionRequest', minProperties: 1 })
export type ReportActionRequest = z.output<typeof ReportActionRequest>

export const actOnReport = operation({
  name: 'actOnReport',
  method: 'POST',
  path: '/api/v1/reports/{id}/actions',
  group: 'Reports',
  credits: 0,
  summary: 'Archive, bring back or delete a report; save its configuration',
  description: [
    'Several actions in one request apply in the order archive or unarchive, delete, configuration: all of them or none.',
    'A move that does not apply is a 409: archiving an archived report, bringing back an active one, configuring a deleted one. A deleted report is gone from every list and every address; its rows are removed soon after.',
    'Two people editing one configuration: read the report, send its `ETag` as `If-Match`; the second to write is told 412 and reads again. A configuration that is there already is replaced only with the right `If-Match` (`*` for whichever); without it the answer is 412 too.',
  ].join('\n\n'),
  params: reportParams,
  requestHeaders: ifMatch,
  request: ReportActionRequest,
  response: Report,
  example: {
    params: reportExampleParams,
    request: {
      contractModelConfigAction: {
        config: { tabType: 'weightedContract', yourTins: [{ value: 123456789, title: 'Sample Clinic' }] },
      },
    },
    response: reportExample,
  },
  failures: ['not_found', 'conflict', 'precondition_failed'],
})

export const refreshReport = operation({
  name: 'refreshReport',
  method: 'POST',
  path: '/api/v1/reports/{id}/refresh',
  group: 'Reports',
  credits: 1,
  status: 202,
  summary: 'Make a report’s rows anew from the newest data',
  description:
    'Asks the report’s query again, of the data as they are now. The rows before stay readable until the new ones are ready (`refresh` in the record says how far it is); when the refresh fails they stay for good. A failed report is tried again. A report that is already queued or being refreshed is a 409.',
  params: reportParams,
  request: z.strictObject({}),
  response: Report,
  example: {
    params: reportExampleParams,
    request: {},
    response: { ...reportExample, refresh: { status: 'queued', progress: 0, error: null } },
  },
  failures: ['not_found', 'conflict'],
})

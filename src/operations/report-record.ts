import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { SavedContractModelConfig } from './contract-model.ts'
import { ReportColumn } from './report-columns.ts'
import { ReportQuery } from './report-query.ts'

export const ReportStatus = z
  .enum(['queued', 'running', 'ready', 'failed'])
  .describe(
    'queued: waits to be built. running: being built. ready: rows can be read. failed: see error. A refresh leaves a ready report ready',
  )
export type ReportStatus = z.infer<typeof ReportStatus>

export const ReportState = choice('state', ['active', 'archived']).describe(
  'active reports stand in lists; archived ones are put away',
)
export type ReportState = z.infer<typeof ReportState>

export const reportNameMost = 200
export const ReportName = z
  .string()
  .trim()
  .min(1, 'give it a name')
  .max(reportNameMost, `at most ${reportNameMost} characters`)
  .describe('What people call it')
  .meta({ examples: ['Cardiology, Florida'] })

const progress = z.number().min(0).max(1).describe('0 to 1')

/** A report as every operation shows it. */
export const Report = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: ReportStatus,
    error: z.string().nullable().describe('Why it failed, where it did'),
    progress,
    state: ReportState,
    query: ReportQuery.describe('What was asked'),
    sourceMonths: z.array(z.string().regex(/^[0-9]{6}$/)).describe('YYYYMM months that its rows come from'),
    snapshot: z.string().nullable().describe('State of the data that its rows come from'),
    builtAt: z.iso.datetime().nullable().describe('When its rows were made'),
    columns: z.array(ReportColumn).describe('Columns of its rows; empty until it is ready'),
    rowCount: z.int().nullable().describe('Rows, before any filter'),
    refresh: z
      .object({
        status: z.enum(['queued', 'running', 'failed']),
        progress,
        error: z.string().nullable(),
      })
      .nullable()
      .describe('A refresh to newer data that is under way or has failed; the rows before stay readable'),
    contractModelConfig: SavedContractModelConfig.nullable().describe('Saved contract-model configuration'),
    createdBy: z
      .string()
      .nullable()
      .describe('Who made it: the e-mail address of a user, or the name of a key'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .describe('A report')
  .meta({ id: 'Report' })
export type Report = z.output<typeof Report>

export const reportExample = {
  id: '3b1f8a52-6d0c-4f0e-9a53-5f0c9b1e2f4e',
  name: 'Cardiology, Florida',
  status: 'ready',
  error: null,
  progress: 1,
  state: 'active',
  query: {
    states: ['FL'],
    taxonomyCodes: ['207RC0000X'],
    payers: ['Aetna', 'Cigna'],
    billingCodeAndTypes: [{ code: '93306', type: 'CPT' }],
  },
  sourceMonths: ['202605'],
  snapshot: 's12',
  builtAt: '2026-06-01T12:00:05.000Z',
  columns: [
    { id: 'payer', label: 'Payer', kind: 'text', role: 'dimension', description: 'Payer' },
    {
      id: 'negotiated_rate',
      label: 'Rate',
      kind: 'dollars',
      role: 'measure',
      description: 'Published rate',
    },
  ],
  rowCount: 5210,
  refresh: null,
  contractModelConfig: null,
  createdBy: 'ada@example.org',
  createdAt: '2026-06-01T12:00:00.000Z',
  updatedAt: '2026-06-01T12:00:05.000Z',
} as const

import { randomUUID } from 'node:crypto'
import { Failure } from '../errors.ts'
import { cancel, enqueue, progressOf } from '../jobs/queue.ts'
import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import { describedColumn, reportColumnIds } from '../operations/report-columns.ts'
import type { ReportQuery } from '../operations/report-query.ts'
import type { Report, ReportState } from '../operations/report-record.ts'
import type { ReportActionRequest } from '../operations/reports.ts'
import type { Records, Row, Statements, Value } from '../records/records.ts'
import { acted } from './lifecycle.ts'

export const reportJob = 'report'

/** Who asks, as far as reports care. */
export interface ReportCaller {
  readonly organizationId: string
  readonly userId: string | null
  readonly keyId: string | null
}

/** A report's row, with its texts read. */
export interface StoredReport {
  readonly id: string
  readonly organizationId: string
  readonly state: 'active' | 'archived' | 'deleted'
  readonly query: ReportQuery
  /** The folder of its rows; null until there are some. */
  readonly build: string | null
  readonly status: Report['status']
  readonly snapshot: string | null
  readonly rowCount: number | null
  readonly config: SavedContractModelConfig | null
  readonly revision: number
  readonly shown: Omit<Report, 'progress' | 'refresh'> & {
    refresh: Omit<NonNullable<Report['refresh']>, 'progress'> | null
  }
}

const selected = `
  select r.*, u.email as created_by_email, k.name as created_by_name
  from reports r left join users u on u.id = r.created_by_user left join api_keys k on k.id = r.created_by_key`

const missing = () => new Failure('not_found', 'There is no such report.')

export interface NewReport {
  readonly name: string
  readonly query: ReportQuery
  /** Names the request: equal for equal requests. */
  readonly requestHash: string
  readonly idempotencyKey?: string | undefined
  /** Told when the key names a report that is there already. */
  readonly onRepeat?: (() => void) | undefined
}

/** Makes a report and the job that builds it, together. A repeat with the same key answers with the first one. */
export async function insertReport(
  records: Records,
  caller: ReportCaller,
  report: NewReport,
  now: number,
): Promise<StoredReport> {
  const made = () =>
    records.transaction(async (statements) => {
      const before =
        report.idempotencyKey && (await byKey(statements, caller.organizationId, report.idempotencyKey))
      if (before) {
        report.onRepeat?.()
        return sameRequest(before, report)
      }
      const id = randomUUID()
      await statements.insert(
        'reports',
        [
          'id',
          'organization_id',
          'name',
          'query',
          'state',
          'status',
          'revision',
          'created_by_user',
          'created_by_key',
          'idempotency_key',
          'request_hash',
          'created_at',
          'updated_at',
        ],
        [
          [
            id,
            caller.organizationId,
            report.name,
            JSON.stringify(report.query),
            'active',
            'queued',
            1,
            caller.userId,
            caller.keyId,
            report.idempotencyKey ?? null,
            report.requestHash,
            now,
            now,
          ],
        ],
      )
      await enqueue(statements, { kind: reportJob, subject: id, organizationId: caller.organizationId }, now)
      return id
    })
  const id = await made().catch((error: unknown) => {
    // Two first requests at once: PostgreSQL lets the second fail on the index, and it is a repeat by now.
    if (report.idempotencyKey && (error as { code?: string }).code === '23505') return made()
    throw error
  })
  return readReport(records, caller.organizationId, id)
}

async function byKey(statements: Statements, organization: string, key: string): Promise<Row | undefined> {
  const [row] = await statements.all(
    'select id, request_hash, deleted_at from reports where organization_id = $1 and idempotency_key = $2',
    [organization, key],
  )
  return row
}

function sameRequest(before: Row, { requestHash }: NewReport): string {
  if (before['request_hash'] !== requestHash)
    throw new Failure('conflict', 'This Idempotency-Key was used for another request.')
  if (before['deleted_at'] !== null)
    throw new Failure('conflict', 'The report that this Idempotency-Key made has been deleted.')
  return String(before['id'])
}

/** A report of an organisation; `not_found` where there is none, or it is deleted, or it is somebody else's. */
export async function readReport(records: Records, organization: string, id: string): Promise<StoredReport> {
  const [row] = await records.read(
    `${selected} where r.id = $1 and r.organization_id = $2 and r.state <> 'deleted'`,
    [id, organization],
  )
  if (!row) throw missing()
  return storedOf(row)
}

/** Whatever there is of a report, for the work in the background. */
export async function reportForWork(records: Records, id: string): Promise<StoredReport | undefined> {
  const [row] = await records.read(`${selected} where r.id = $1 and r.state <> 'deleted'`, [id])
  return row && storedOf(row)
}

export interface ListQuery {
  readonly state: ReportState
  readonly search?: string | undefined
  readonly limit: number
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
}

/** Reports of an organisation, the newest first; one more than asked for where there are more. */
export async function reportList(
  records: Records,
  organization: string,
  { state, search = '', limit, after }: ListQuery,
): Promise<StoredReport[]> {
  const values: Value[] = [organization, state, limit + 1]
  const place = (value: Value) => `$${values.push(value)}`
  const conditions = ['r.organization_id = $1', 'r.state = $2']
  if (search !== '') {
    const escaped = search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
    conditions.push(String.raw`lower(r.name) like ${place(`%${escaped}%`)} escape '\'`)
  }
  if (after) {
    const at = place(after.createdAt)
    conditions.push(`(r.created_at < ${at} or (r.created_at = ${at} and r.id > ${place(after.id)}))`)
  }
  const rows = await records.read(
    `${selected} where ${conditions.join(' and ')} order by r.created_at desc, r.id limit $3`,
    values,
  )
  return rows.map(storedOf)
}

export interface Change {
  /** As `If-Match` named it; undefined where nothing was sent. */
  readonly revision?: number | 'any' | undefined
  readonly now: number
}

/** Changes a report, all or nothing, while nobody else does. */
async function change(
  records: Records,
  organization: string,
  id: string,
  { revision, now }: Change,
  set: (
    report: StoredReport,
    statements: Statements,
  ) => Promise<Record<string, Value>> | Record<string, Value>,
): Promise<void> {
  await records.transaction(async (statements) => {
    const [row] = await statements.all(
      `${selected} where r.id = $1 and r.organization_id = $2 and r.state <> 'deleted'${records.kind === 'postgres' ? ' for update of r' : ''}`,
      [id, organization],
    )
    if (!row) throw missing()
    const report = storedOf(row)
    if (typeof revision === 'number' && revision !== report.revision) throw new Failure('precondition_failed')
    const values = await set(report, statements)
    const columns = Object.keys(values)
    await statements.run(
      `update reports set ${columns.map((column, at) => `${column} = $${at + 3}`).join(', ')}, updated_at = $2 where id = $1`,
      [id, now, ...Object.values(values)],
    )
  })
}

export async function renameReport(
  records: Records,
  organization: string,
  id: string,
  name: string,
  how: Change,
): Promise<StoredReport> {
  await change(records, organization, id, how, ({ revision }) => ({ name, revision: revision + 1 }))
  return readReport(records, organization, id)
}

/** Archives, brings back, deletes, configures. Returns the report as it was left, also where it was deleted. */
export async function actOnReport(
  records: Records,
  organization: string,
  id: string,
  actions: ReportActionRequest,
  how: Change,
): Promise<StoredReport> {
  let left: StoredReport | undefined
  await change(records, organization, id, how, async (report, statements) => {
    if (actions.contractModelConfigAction && report.config !== null && how.revision === undefined)
      throw new Failure(
        'precondition_failed',
        'The report has a configuration already. Send the ETag that you read as If-Match to replace it.',
      )
    const { state, config } = acted(report, actions)
    if (state === 'deleted') await cancel(statements, reportJob, id, how.now)
    const revision = report.revision + 1
    left = {
      ...report,
      state,
      config,
      revision,
      shown: {
        ...report.shown,
        state: state === 'deleted' ? report.shown.state : state,
        contractModelConfig: config,
        updatedAt: new Date(how.now).toISOString(),
      },
    }
    return {
      state,
      config: config && JSON.stringify(config),
      revision,
      ...(state === 'deleted' && { deleted_at: how.now }),
    }
  })
  return left!
}

/** Queues the rows of a report to be made anew. */
export async function queueRefresh(
  records: Records,
  organization: string,
  id: string,
  how: Change,
): Promise<StoredReport> {
  await change(records, organization, id, how, async ({ status, shown }, statements) => {
    const isBusy =
      status === 'queued' ||
      status === 'running' ||
      shown.refresh?.status === 'queued' ||
      shown.refresh?.status === 'running'
    if (isBusy) throw new Failure('conflict', 'The report is already being made.')
    await enqueue(statements, { kind: reportJob, subject: id, organizationId: organization }, how.now)
    return status === 'ready'
      ? { refresh_status: 'queued', refresh_error: null }
      : { status: 'queued', error: null }
  })
  return readReport(records, organization, id)
}

/** Notes that a report is being built. */
export async function noteRunning(records: Records, id: string): Promise<void> {
  await records.transaction(async (statements) => {
    await statements.run(
      `update reports set
        status = case when status = 'ready' then status else 'running' end,
        refresh_status = case when status = 'ready' then 'running' else null end
      where id = $1 and state <> 'deleted'`,
      [id],
    )
  })
}

export interface Built {
  readonly build: string
  readonly snapshot: string
  readonly sourceMonths: readonly string[]
  readonly rows: number
  readonly now: number
}

/** Goes over to new rows. */
export async function publishBuild(statements: Statements, id: string, built: Built): Promise<void> {
  await statements.run(
    `update reports set status = 'ready', error = null, refresh_status = null, refresh_error = null,
      build = $2, snapshot = $3, source_months = $4, row_count = $5, built_at = $6, updated_at = $6
    where id = $1 and state <> 'deleted'`,
    [id, built.build, built.snapshot, JSON.stringify(built.sourceMonths), built.rows, built.now],
  )
}

/** Notes why rows could not be made; those before stay. */
export async function noteFailed(
  statements: Statements,
  id: string,
  message: string,
  now: number,
): Promise<void> {
  await statements.run(
    `update reports set
      status = case when build is null then 'failed' else status end,
      error = case when build is null then $2 else error end,
      refresh_status = case when build is null then null else 'failed' end,
      refresh_error = case when build is null then null else $2 end,
      updated_at = $3
    where id = $1`,
    [id, message, now],
  )
}

/** The records as callers see them, with how far each is. */
export async function shownReports(records: Records, reports: readonly StoredReport[]): Promise<Report[]> {
  const busy = reports.filter(({ status, shown }) => status !== 'ready' || shown.refresh !== null)
  const progress = await progressOf(
    records,
    reportJob,
    busy.map(({ id }) => id),
  )
  return reports.map(({ id, status, shown }) => {
    const { refresh, ...rest } = shown
    return {
      ...rest,
      progress: status === 'ready' ? 1 : (progress.get(id) ?? 0),
      refresh: refresh && { ...refresh, progress: progress.get(id) ?? 0 },
    }
  })
}

function storedOf(row: Row): StoredReport {
  const text = (name: string) => row[name] as string | null
  const number = (name: string) => (row[name] === null ? null : Number(row[name]))
  const instant = (name: string) => (row[name] === null ? null : new Date(Number(row[name])).toISOString())
  const state = text('state') as StoredReport['state']
  const query = JSON.parse(String(row['query'])) as ReportQuery
  const config = text('config') === null ? null : (JSON.parse(text('config')!) as SavedContractModelConfig)
  const build = text('build')
  const refresh = text('refresh_status') as 'queued' | 'running' | 'failed' | null
  const status = text('status') as Report['status']
  return {
    id: String(row['id']),
    organizationId: String(row['organization_id']),
    state,
    query,
    build,
    status,
    snapshot: text('snapshot'),
    rowCount: number('row_count'),
    config,
    revision: Number(row['revision']),
    shown: {
      id: String(row['id']),
      name: String(row['name']),
      status,
      error: text('error'),
      state: state === 'deleted' ? 'archived' : state,
      query,
      sourceMonths: JSON.parse(text('source_months') ?? '[]') as string[],
      snapshot: text('snapshot'),
      builtAt: instant('built_at'),
      columns: build === null ? [] : reportColumnIds.map(describedColumn),
      rowCount: number('row_count'),
      refresh: refresh && { status: refresh, error: text('refresh_error') },
      contractModelConfig: config,
      createdBy: text('created_by_email') ?? text('created_by_name'),
      createdAt: instant('created_at')!,
      updatedAt: instant('updated_at')!,
    },
  }
}

import { randomUUID } from 'node:crypto'
import type { Records, Row, Statements } from '../records/records.ts'

/** Work to be done in the background. */
export interface NewJob {
  readonly kind: string
  /** What it is about, such as a report's id. */
  readonly subject: string
  readonly organizationId?: string | null
  readonly payload?: unknown
}

/** A piece of work that a worker has claimed. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly organizationId: string | null
  readonly payload: unknown
  /** The how-manieth try this is, from 1. With the worker's name it tells a claim from a later one. */
  readonly attempt: number
  readonly worker: string
}

/** Puts work in the queue, in the transaction that makes the record it is about. Returns its id. */
export async function enqueue(statements: Statements, job: NewJob, now: number): Promise<string> {
  const id = randomUUID()
  await statements.insert(
    'jobs',
    [
      'id',
      'kind',
      'subject',
      'organization_id',
      'payload',
      'status',
      'attempts',
      'run_at',
      'progress',
      'created_at',
    ],
    [
      [
        id,
        job.kind,
        job.subject,
        job.organizationId ?? null,
        JSON.stringify(job.payload ?? null),
        'queued',
        0,
        now,
        0,
        now,
      ],
    ],
  )
  return id
}

// A worker that was killed beats no more: after the lease its job is anybody's.
const claiming = (kinds: string, locked: string) => `
  update jobs set status = 'running', worker = $1, beat_at = $2, attempts = attempts + 1
  where id = (
    select id from jobs
    where kind in (${kinds}) and ((status = 'queued' and run_at <= $2) or (status = 'running' and beat_at < $3))
    order by run_at, created_at, id limit 1 ${locked})
  returning id, kind, subject, organization_id, payload, attempts`
const claims = {
  sqlite: claiming('select value from json_each($4)', ''),
  postgres: claiming('select jsonb_array_elements_text($4::jsonb)', 'for update skip locked'),
}

/** Takes the job whose turn it is; undefined when there is none. No two workers get the same one. */
export function claim(
  records: Records,
  worker: string,
  kinds: readonly string[],
  now: number,
  leaseMs: number,
): Promise<Job | undefined> {
  return records.transaction(async (statements) => {
    const [row] = await statements.all(claims[records.kind], [
      worker,
      now,
      now - leaseMs,
      JSON.stringify(kinds),
    ])
    return row && jobOf(row, worker)
  })
}

const jobOf = (row: Row, worker: string): Job => ({
  id: String(row['id']),
  kind: String(row['kind']),
  subject: String(row['subject']),
  organizationId: row['organization_id'] as string | null,
  payload: JSON.parse(String(row['payload'])) as unknown,
  attempt: Number(row['attempts']),
  worker,
})

// Holds only while the claim does: not after a cancel, nor after another worker took over.
const stillMine = `where id = $1 and worker = $2 and attempts = $3 and status = 'running' returning id`
const mine = ({ id, worker, attempt }: Job) => [id, worker, attempt] as const

/** Shows that the worker is alive and how far it is. False when the job is no longer its own. */
export async function beat(records: Records, job: Job, progress: number, now: number): Promise<boolean> {
  const rows = await records.transaction(async (statements) =>
    statements.all(`update jobs set beat_at = $4, progress = $5 ${stillMine}`, [...mine(job), now, progress]),
  )
  return rows.length > 0
}

/** Ends a job well, in the transaction that publishes what it made. False when it is no longer the worker's. */
export async function finish(statements: Statements, job: Job, now: number): Promise<boolean> {
  const rows = await statements.all(
    `update jobs set status = 'done', progress = 1, error = null, finished_at = $4 ${stillMine}`,
    [...mine(job), now],
  )
  return rows.length > 0
}

/** Ends a job for good, with the reason. */
export async function fail(statements: Statements, job: Job, error: string, now: number): Promise<boolean> {
  const rows = await statements.all(
    `update jobs set status = 'failed', error = $4, finished_at = $5 ${stillMine}`,
    [...mine(job), error, now],
  )
  return rows.length > 0
}

/** Puts a job back in the queue: after an error that may pass, or when its worker stops. */
export async function putBack(
  records: Records,
  job: Job,
  { error, runAt, uncounted = false }: { error?: string; runAt: number; uncounted?: boolean },
): Promise<void> {
  await records.transaction(async (statements) =>
    statements.all(
      `update jobs set status = 'queued', worker = null, beat_at = null, run_at = $4, error = $5, attempts = attempts - $6 ${stillMine}`,
      [...mine(job), runAt, error ?? null, uncounted ? 1 : 0],
    ),
  )
}

/** Cancels the work about a subject. A worker that is at it hears of it with its next beat. */
export async function cancel(
  statements: Statements,
  kind: string,
  subject: string,
  now: number,
): Promise<void> {
  await statements.run(
    `update jobs set status = 'cancelled', finished_at = $3 where kind = $1 and subject = $2 and status in ('queued', 'running')`,
    [kind, subject, now],
  )
}

/** How far the newest work about each subject is, from 0 to 1. */
export async function progressOf(
  records: Records,
  kind: string,
  subjects: readonly string[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map()
  const rows = await records.db
    .selectFrom('jobs')
    .select(['subject', 'progress'])
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .orderBy('created_at')
    .execute()
  return new Map(rows.map(({ subject, progress }) => [subject, progress]))
}

/** Removes jobs that ended before a moment. */
export async function forgetEndedJobs(records: Records, before: number): Promise<void> {
  await records.db.deleteFrom('jobs').where('finished_at', '<', before).execute()
}

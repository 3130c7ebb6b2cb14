import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import type { Records } from '../records/records.ts'
import { beat, cancel, claim, enqueue, forgetEndedJobs, type NewJob, progressOf } from './queue.ts'
import { JobFailure, JobSetback, type JobHandler, JobWorker, type WorkerOptions } from './worker.ts'

const add = (records: Records, subject: string, more: Partial<NewJob> = {}) =>
  records.transaction((statements) => enqueue(statements, { kind: 'count', subject, ...more }, Date.now()))

const jobs = (records: Records) =>
  records.db
    .selectFrom('jobs')
    .select(['subject', 'status', 'attempts', 'error', 'progress'])
    .orderBy('subject')
    .execute()

function working(records: Records, handler: JobHandler, options: WorkerOptions = {}): JobWorker {
  const worker = new JobWorker(
    records,
    { count: handler },
    { pollMs: 10, retryMs: 1, log: () => {}, ...options },
  )
  onTestFinished(() => worker.stop())
  worker.start()
  return worker
}

const ended = async (records: Records) =>
  expect((await jobs(records)).every(({ status }) => status !== 'queued' && status !== 'running')).toBe(true)

describe('the queue', () => {
  it('gives each job to one worker only, oldest first', async () => {
    const records = await freshRecords()
    for (let at = 0; at < 20; at++) await add(records, `s${at}`)
    const claimed = await Promise.all(
      Array.from({ length: 25 }, (_, at) => claim(records, `w${at}`, ['count'], Date.now() + at, 30_000)),
    )
    const subjects = claimed.flatMap((job) => (job ? [job.subject] : []))
    expect(new Set(subjects).size).toBe(20)
    expect(subjects).toHaveLength(20)
    expect(await claim(records, 'w', ['other'], Date.now(), 30_000)).toBeUndefined()
  })

  it('keeps what is queued only when the transaction around it is kept', async () => {
    const records = await freshRecords()
    await expect(
      records.transaction(async (statements) => {
        await enqueue(statements, { kind: 'count', subject: 'never' }, 0)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await jobs(records)).toEqual([])
  })

  it('gives a job to another worker when its own is silent for the lease, and the first one hears of it', async () => {
    const records = await freshRecords()
    await add(records, 's')
    const start = Date.now()
    const first = (await claim(records, 'first', ['count'], start, 1_000))!
    expect(await claim(records, 'second', ['count'], start + 999, 1_000)).toBeUndefined()
    expect(await beat(records, first, 0.5, start + 1_500)).toBe(true)
    expect(await claim(records, 'second', ['count'], start + 2_000, 1_000)).toBeUndefined()
    const second = (await claim(records, 'second', ['count'], start + 3_000, 1_000))!
    expect(second.attempt).toBe(2)
    expect(await beat(records, first, 0.6, start + 3_001)).toBe(false)
    expect(await progressOf(records, 'count', ['s'])).toEqual(new Map([['s', 0.5]]))
  })

  it('forgets what ended long ago and nothing else', async () => {
    const records = await freshRecords()
    await add(records, 'old')
    await records.transaction((statements) => cancel(statements, 'count', 'old', 5))
    await add(records, 'waiting')
    await forgetEndedJobs(records, 6)
    expect((await jobs(records)).map(({ subject }) => subject)).toEqual(['waiting'])
  })
})

describe('a worker', () => {
  it('does what is queued and hands over what was queued with it', async () => {
    const records = await freshRecords()
    const seen: unknown[] = []
    await add(records, 'a', { payload: { n: 1 } })
    const worker = working(records, {
      run: async ({ subject, payload }) => void seen.push([subject, payload]),
    })
    await add(records, 'b')
    worker.look()
    await vi.waitFor(() => ended(records))
    expect(seen).toEqual([
      ['a', { n: 1 }],
      ['b', null],
    ])
    expect((await jobs(records)).map(({ status, progress }) => [status, progress])).toEqual([
      ['done', 1],
      ['done', 1],
    ])
  })

  it('publishes together with the end of the job, or not at all', async () => {
    const records = await freshRecords()
    const secret = (name: string) => ['secrets', ['name', 'value', 'created_at'], [[name, 'v', 0]]] as const
    await add(records, 'kept')
    await add(records, 'cancelled')
    working(records, {
      run: async (job, { publish }) => {
        if (job.subject === 'cancelled')
          await records.transaction((statements) => cancel(statements, 'count', 'cancelled', 1))
        await publish(async (statements) => statements.insert(...secret(job.subject)))
      },
    })
    await vi.waitFor(() => ended(records))
    const rows = await records.db.selectFrom('secrets').select('name').execute()
    expect(rows.map(({ name }) => name).filter((name) => name === 'kept' || name === 'cancelled')).toEqual([
      'kept',
    ])
    expect((await jobs(records)).map(({ status }) => status)).toEqual(['cancelled', 'done'])
  })

  it('tries again what may pass, gives up after three, and tells the record', async () => {
    const records = await freshRecords()
    const told: string[] = []
    await add(records, 'passes')
    await add(records, 'breaks')
    await add(records, 'cannot')
    await add(records, 'does not pass')
    working(records, {
      run: async ({ subject, attempt }) => {
        if (subject === 'passes' && attempt < 3) throw new Error('not yet')
        if (subject === 'breaks') throw new Error('a secret of ours')
        if (subject === 'cannot') throw new JobFailure('The question is too wide.')
        if (subject === 'does not pass') throw new JobSetback('The service does not answer.')
      },
      failed: async (_, { subject }, message) => void told.push(`${subject}: ${message}`),
    })
    await vi.waitFor(() => ended(records))
    expect(await jobs(records)).toMatchObject([
      { subject: 'breaks', status: 'failed', attempts: 3 },
      { subject: 'cannot', status: 'failed', attempts: 1, error: 'The question is too wide.' },
      { subject: 'does not pass', status: 'failed', attempts: 3, error: 'The service does not answer.' },
      { subject: 'passes', status: 'done', attempts: 3, error: null },
    ])
    expect(told.sort()).toEqual([
      'breaks: The work failed for a reason of ours, which has been logged.',
      'cannot: The question is too wide.',
      'does not pass: The service does not answer.',
    ])
  })

  it('stops work that was cancelled', async () => {
    const records = await freshRecords()
    await add(records, 's')
    let reason: unknown
    working(
      records,
      {
        run: async (_, { signal }) => {
          await records.transaction((statements) => cancel(statements, 'count', 's', 1))
          await wait(10_000, undefined, { signal }).catch(() => (reason = signal.reason))
          signal.throwIfAborted()
        },
      },
      { leaseMs: 60 },
    )
    await vi.waitFor(() => expect(reason).toMatchObject({ message: 'The job was cancelled or taken over.' }))
    expect(await jobs(records)).toMatchObject([{ status: 'cancelled' }])
  })

  it('puts its work back when it stops, without counting the try', async () => {
    const records = await freshRecords()
    await add(records, 's')
    let started = false
    const worker = working(records, {
      run: async (_, { signal, progress }) => {
        started = true
        progress(0.4)
        await wait(10_000, undefined, { signal })
      },
    })
    await vi.waitFor(() => expect(started).toBe(true))
    await worker.stop()
    expect(await jobs(records)).toMatchObject([{ status: 'queued', attempts: 0 }])
  })

  it('gives up a job under which worker after worker dies', async () => {
    const records = await freshRecords()
    await add(records, 's')
    for (const at of [1, 2, 3])
      await claim(records, `killed ${at}`, ['count'], Date.now() + at * 100_000, 1_000)
    working(records, { run: async () => {} }, { now: () => Date.now() + 1_000_000 })
    await vi.waitFor(() => ended(records))
    expect(await jobs(records)).toMatchObject([
      { status: 'failed', error: 'The work was interrupted 3 times and given up.' },
    ])
  })
})

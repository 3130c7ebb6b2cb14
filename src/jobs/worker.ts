import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Records, Statements } from '../records/records.ts'
import { beat, claim, fail, finish, type Job, putBack } from './queue.ts'

/** What work in progress may use. */
export interface Work {
  /** Fires when the job was cancelled, lost to another worker, or this worker stops. */
  readonly signal: AbortSignal
  /** Says how far it is, from 0 to 1. */
  readonly progress: (fraction: number) => void
  /** Publishes what was made and ends the job, in one transaction; throws when the job is no longer ours. */
  readonly publish: (publication: (statements: Statements) => Promise<void>) => Promise<void>
}

/** How one kind of job is done. It may run more than once: what it makes counts only once `publish` returns. */
export interface JobHandler {
  run(job: Job, work: Work): Promise<void>
  /** Tells the record that its work failed for good, in the transaction that ends the job. */
  failed?(statements: Statements, job: Job, message: string): Promise<void>
}

/** An error that trying again cannot mend; its message is for the user. */
export class JobFailure extends Error {}

/** An error that trying again may mend; its message is for the user where it did not. */
export class JobSetback extends Error {}

/** The claim on a job has gone: it was cancelled, or another worker has it. */
export class JobLost extends Error {}

export interface WorkerOptions {
  readonly now?: () => number
  readonly log?: (text: string) => void
  /** How often it looks for work that another process queued. */
  readonly pollMs?: number
  /** How long a worker may be silent before its job is given to another. */
  readonly leaseMs?: number
  readonly atOnce?: number
  readonly triesMost?: number
  /** How long it waits before the second try; twice as long before each further one. */
  readonly retryMs?: number
}

/** Does the queue's work in the background of a process. Several processes share one queue. */
export class JobWorker {
  readonly #records: Records
  readonly #handlers: Readonly<Record<string, JobHandler>>
  readonly #options: Required<WorkerOptions>
  readonly #name = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
  readonly #running = new Map<string, { stop: AbortController; ended: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #lookAgain = false
  #stopped = true

  constructor(records: Records, handlers: Readonly<Record<string, JobHandler>>, options: WorkerOptions = {}) {
    this.#records = records
    this.#handlers = handlers
    this.#options = {
      now: Date.now,
      log: console.error,
      pollMs: 1_000,
      leaseMs: 30_000,
      atOnce: 1,
      triesMost: 3,
      retryMs: 2_000,
      ...options,
    }
  }

  start(): void {
    if (!this.#stopped || Object.keys(this.#handlers).length === 0) return
    this.#stopped = false
    this.#timer = setInterval(() => this.look(), this.#options.pollMs).unref()
    this.look()
  }

  /** Looks for work now: called by whoever has just queued some. */
  look(): void {
    if (this.#stopped) return
    if (this.#looking) {
      this.#lookAgain = true
      return
    }
    this.#looking = this.#fill()
      .catch((error: Error) => this.#options.log(`The job queue could not be read: ${error.message}`))
      .finally(() => {
        this.#looking = undefined
        if (this.#lookAgain) {
          this.#lookAgain = false
          this.look()
        }
      })
  }

  /** Puts back what is running and waits until nothing is. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#looking
    for (const { stop } of this.#running.values()) stop.abort(new Error('The worker stops.'))
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  async #fill(): Promise<void> {
    const { now, leaseMs, atOnce } = this.#options
    while (!this.#stopped && this.#running.size < atOnce) {
      const job = await claim(this.#records, this.#name, Object.keys(this.#handlers), now(), leaseMs)
      if (!job) return
      const stop = new AbortController()
      const ended = this.#do(job, stop)
        .catch((error: Error) => this.#options.log(`${job.kind} ${job.subject}: ${error.message}`))
        .finally(() => {
          this.#running.delete(job.id)
          this.look()
        })
      this.#running.set(job.id, { stop, ended })
    }
  }

  async #do(job: Job, stop: AbortController): Promise<void> {
    const { now, triesMost, leaseMs } = this.#options
    const handler = this.#handlers[job.kind]!
    let progress = 0
    let published = false
    const beats = setInterval(() => {
      // A store that does not answer for a while is no reason to stop: the lease decides.
      beat(this.#records, job, progress, now()).then(
        (mine) => mine || published || stop.abort(new JobLost('The job was cancelled or taken over.')),
        () => {},
      )
    }, leaseMs / 6).unref()
    try {
      if (job.attempt > triesMost)
        throw new JobFailure(`The work was interrupted ${job.attempt - 1} times and given up.`)
      await handler.run(job, {
        signal: stop.signal,
        progress: (fraction) => (progress = Math.max(progress, Math.min(1, fraction))),
        publish: async (publication) => {
          await this.#records.transaction(async (statements) => {
            if (!(await finish(statements, job, now()))) throw new JobLost('The job is no longer ours.')
            await publication(statements)
          })
          published = true
        },
      })
      if (!published) await this.#records.transaction(async (statements) => finish(statements, job, now()))
    } catch (error) {
      await this.#afterError(job, handler, error, stop.signal)
    } finally {
      clearInterval(beats)
    }
  }

  async #afterError(job: Job, handler: JobHandler, error: unknown, signal: AbortSignal): Promise<void> {
    const { now, log, triesMost, retryMs } = this.#options
    const lost = error instanceof JobLost || signal.reason instanceof JobLost
    if (lost) return
    if (signal.aborted) return putBack(this.#records, job, { runAt: now(), uncounted: true })
    const message = (error as Error).message
    const final = error instanceof JobFailure
    if (!final) log(`${job.kind} ${job.subject}, try ${job.attempt}: ${(error as Error).stack ?? message}`)
    if (!final && job.attempt < triesMost)
      return putBack(this.#records, job, {
        error: message,
        runAt: now() + retryMs * 2 ** (job.attempt - 1),
      })
    // What broke inside is for the log; the user gets a sentence.
    const says =
      final || error instanceof JobSetback
        ? message
        : 'The work failed for a reason of ours, which has been logged.'
    await this.#records.transaction(async (statements) => {
      if (await fail(statements, job, says, now())) await handler.failed?.(statements, job, says)
    })
  }
}

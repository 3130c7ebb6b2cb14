import { Worker } from 'node:worker_threads'
import { Failure, type FailureCode, type Problem } from '../errors.ts'

/** What a worker is told. */
export type ToWorker =
  | { readonly kind: 'load'; readonly folder: string }
  | { readonly kind: 'open'; readonly shared: unknown }
  | { readonly kind: 'ask'; readonly job: unknown }

/** What a worker says. */
export type FromWorker =
  | { readonly kind: 'loaded'; readonly shared: unknown }
  | { readonly kind: 'opened' }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | {
      readonly kind: 'failed'
      readonly code: FailureCode | undefined
      readonly message: string
      readonly problems: readonly Problem[]
    }

export interface PoolSettings {
  /** The worker's file; it calls `workIn` of worker.ts. */
  readonly worker: URL
  readonly threads: number
  /** Questions that may wait; one more is refused as `overloaded`. */
  readonly waitingMax: number
}

export interface AskOptions {
  /** Goes before the questions that wait: somebody is typing. */
  readonly ahead?: boolean
  /** A question whose asker has left is dropped while it waits, and its answer is thrown away afterwards. */
  readonly signal?: AbortSignal | undefined
}

/** Answers are small and soon gone: a small nursery keeps a thread small, too. */
const threadLimits = { resourceLimits: { maxYoungGenerationSizeMb: 4 } }

interface Waiting {
  readonly job: unknown
  readonly signal: AbortSignal | undefined
  readonly done: (answer: unknown) => void
  readonly failed: (error: unknown) => void
}

interface Thread {
  worker: Worker
  /** What the next message of the worker answers. */
  listener: ((said: FromWorker) => void) | undefined
  /** Called when the worker dies instead of answering. */
  lost: ((error: Error) => void) | undefined
}

/**
 * Threads that answer questions over one opened folder, so that the event loop never waits for a search.
 * A new folder takes the place of the old one thread by thread, between questions: none fails for it.
 */
export class Pool {
  readonly #settings: PoolSettings
  readonly #threads: Thread[] = []
  readonly #idle: Thread[] = []
  readonly #taking = new Map<Thread, () => void>()
  readonly #typing: Waiting[] = []
  readonly #waiting: Waiting[] = []
  #shared: unknown
  #swaps: Promise<void> = Promise.resolve()
  #closed = false

  private constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  static async open(settings: PoolSettings, folder: string): Promise<Pool> {
    const pool = new Pool(settings)
    try {
      pool.#shared = await pool.#loaded(folder)
      for (let place = 0; place < settings.threads; place++) {
        const thread = pool.#spawned()
        pool.#threads.push(thread)
        await tell(thread, { kind: 'open', shared: pool.#shared })
        pool.#idle.push(thread)
      }
    } catch (error) {
      await pool.close()
      throw error
    }
    return pool
  }

  /** The answer of a free thread. */
  ask(job: unknown, { ahead = false, signal }: AskOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Failure('shutting_down'))
    if (signal?.aborted === true) return Promise.reject(left(signal))
    if (this.#idle.length === 0 && this.waiting >= this.#settings.waitingMax) {
      this.#dropLeft()
      if (this.waiting >= this.#settings.waitingMax)
        return Promise.reject(new Failure('overloaded', 'Too many searches wait. Try again shortly.'))
    }
    return new Promise((done, failed) => {
      const list = ahead ? this.#typing : this.#waiting
      list.push({ job, signal, done, failed })
      this.#next()
    })
  }

  get waiting(): number {
    return this.#typing.length + this.#waiting.length
  }

  /** Serves a new folder from now on. Questions under way finish on the old one. */
  swap(folder: string): Promise<void> {
    const swapped = this.#swapAfter(this.#swaps, folder)
    this.#swaps = swapped.catch(() => undefined)
    return swapped
  }

  async #swapAfter(before: Promise<void>, folder: string): Promise<void> {
    await before
    if (this.#closed) return
    const shared = await this.#loaded(folder)
    this.#shared = shared
    for (const thread of this.#threads) {
      await this.#taken(thread)
      try {
        await tell(thread, { kind: 'open', shared })
      } finally {
        this.#free(thread)
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { failed } of [...this.#typing.splice(0), ...this.#waiting.splice(0)])
      failed(new Failure('shutting_down'))
    await this.#swaps
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #next(): void {
    while (this.#idle.length > 0) {
      const next = this.#typing.shift() ?? this.#waiting.shift()
      if (next === undefined) return
      if (next.signal?.aborted === true) {
        next.failed(left(next.signal))
        continue
      }
      const thread = this.#idle.pop()
      if (thread !== undefined) void this.#answer(thread, next)
    }
  }

  async #answer(thread: Thread, question: Waiting): Promise<void> {
    try {
      const said = await tell(thread, { kind: 'ask', job: question.job })
      if (question.signal?.aborted === true) question.failed(left(question.signal))
      else if (said.kind === 'answer') question.done(said.answer)
      else if (said.kind === 'failed') question.failed(failureOf(said))
    } catch (error) {
      question.failed(new Failure('internal', undefined, { cause: error }))
      if (!(await this.#revived(thread))) return
    }
    this.#free(thread)
  }

  /** Waits until a thread is between questions and keeps it from the next, however many wait. */
  #taken(thread: Thread): Promise<void> {
    const at = this.#idle.indexOf(thread)
    if (at >= 0) {
      this.#idle.splice(at, 1)
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#taking.set(thread, resolve))
  }

  /** Gives a thread to whoever wants it for itself, else to the next question. */
  #free(thread: Thread): void {
    const taker = this.#taking.get(thread)
    if (taker !== undefined) {
      this.#taking.delete(thread)
      taker()
      return
    }
    this.#idle.push(thread)
    this.#next()
  }

  #dropLeft(): void {
    for (const list of [this.#typing, this.#waiting])
      for (const question of list.splice(0)) {
        if (question.signal?.aborted === true) question.failed(left(question.signal))
        else list.push(question)
      }
  }

  /** A folder's shared memory, read by a worker that does nothing else. */
  async #loaded(folder: string): Promise<unknown> {
    const thread = this.#spawned()
    try {
      const said = await tell(thread, { kind: 'load', folder })
      if (said.kind === 'failed') throw failureOf(said)
      return said.kind === 'loaded' ? said.shared : undefined
    } finally {
      await thread.worker.terminate()
    }
  }

  #spawned(): Thread {
    const worker = new Worker(this.#settings.worker, threadLimits)
    const thread: Thread = { worker, listener: undefined, lost: undefined }
    this.#listen(thread)
    return thread
  }

  #listen(thread: Thread): void {
    const { worker } = thread
    // A worker that was replaced still says that it ended; that is no news of the one in its place.
    const lost = (error: Error) => {
      if (thread.worker === worker) thread.lost?.(error)
    }
    worker.on('message', (said: FromWorker) => thread.listener?.(said))
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('the search worker ended')))
    worker.unref()
  }

  /** Puts a new worker in the place of a dead one; false where that fails too, and the thread is given up. */
  async #revived(thread: Thread): Promise<boolean> {
    if (this.#closed) return false
    const dead = thread.worker
    thread.worker = new Worker(this.#settings.worker, threadLimits)
    this.#listen(thread)
    await dead.terminate()
    try {
      await tell(thread, { kind: 'open', shared: this.#shared })
      return true
    } catch {
      this.#threads.splice(this.#threads.indexOf(thread), 1)
      this.#taking.get(thread)?.()
      return false
    }
  }
}

function tell(thread: Thread, message: ToWorker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    thread.worker.ref()
    const settled = () => {
      thread.listener = undefined
      thread.lost = undefined
      thread.worker.unref()
    }
    thread.listener = (said) => {
      settled()
      if (said.kind === 'failed' && message.kind === 'open') reject(failureOf(said))
      else resolve(said)
    }
    thread.lost = (error) => {
      settled()
      reject(error)
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage(message)
  })
}

const left = (signal: AbortSignal) =>
  signal.reason instanceof Error ? signal.reason : new Error('the asker left')

const failureOf = ({ code, message, problems }: Extract<FromWorker, { kind: 'failed' }>) =>
  code === undefined
    ? new Failure('internal', undefined, { cause: message })
    : new Failure(code, message, problems.length > 0 ? { problems } : {})

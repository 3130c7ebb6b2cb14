import { availableParallelism } from 'node:os'
import { Worker, type MessagePort } from 'node:worker_threads'
import { lentInflating } from './inflate/inflated.ts'
import type { Job, ThreadData, ThreadHears, ThreadSays } from './work-thread.ts'

export interface JobHelp {
  readonly progress?: (said: Extract<ThreadSays, { says: 'progress' | 'building' }>) => void
  /** A fresh address for one that expired. */
  readonly renew?: () => Promise<string | undefined>
}

/** Threads that read and build, one job each at a time. */
export class Threads {
  readonly size: number
  #data: ThreadData = { http: {} }
  #idle: Worker[] = []
  #all = new Set<Worker>()
  #waiting: ((worker: Worker) => void)[] = []
  #stopped = false

  constructor(size = availableParallelism()) {
    this.size = size
  }

  /**
   * Starts a thread ahead of its first job, and has it load what reading needs: both take a while. So does the thread that inflates
   * for it, which therefore comes up at the same time and not after it.
   */
  prepare(): void {
    if (this.#all.size > 0) return
    const worker = this.#start()
    this.#idle.push(worker)
    const inflating = lentInflating()
    tell(worker, { hears: 'prepare', inflating }, [inflating.port])
  }

  /** What all jobs from now on share: a filter may hold a million NPIs, so that each thread gets it once. */
  share(data: ThreadData): void {
    this.#data = data
    for (const worker of this.#all) tell(worker, { hears: 'shared', data })
  }

  /** Runs a job on the next free thread. */
  async run<Result>(job: Job, help: JobHelp = {}): Promise<Result> {
    const worker = await this.#free()
    try {
      const result = await this.#done(worker, job, help)
      this.#release(worker)
      return result as Result
    } catch (error) {
      // A thread that broke may hold anything; the next job gets a new one.
      this.#all.delete(worker)
      await worker.terminate()
      if (!this.#stopped) this.#next()
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#idle = []
    await Promise.all([...this.#all].map((worker) => worker.terminate()))
    this.#all.clear()
  }

  #done(worker: Worker, job: Job, help: JobHelp): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (deed: () => void) => {
        worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit')
        deed()
      }
      worker.on('message', (said: ThreadSays) => {
        if (said.says === 'done') settle(() => resolve(said.result))
        else if (said.says === 'broke')
          settle(() => reject(Object.assign(new Error(said.message), { stack: said.stack })))
        else if (said.says === 'expired') {
          const renewed = (address?: string) => tell(worker, { hears: 'renewed', address })
          void (help.renew?.() ?? Promise.resolve(undefined)).then(renewed, () => renewed())
        } else help.progress?.(said)
      })
      worker.on('error', (error) => settle(() => reject(error)))
      worker.on('exit', () => settle(() => reject(new Error('the thread stopped'))))
      tell(worker, { hears: 'job', job })
    })
  }

  #free(): Promise<Worker> {
    if (this.#stopped) return Promise.reject(new Error('stopped'))
    const idle = this.#idle.pop()
    if (idle) return Promise.resolve(idle)
    if (this.#all.size < this.size) return Promise.resolve(this.#start())
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #release(worker: Worker): void {
    const waiting = this.#waiting.shift()
    if (waiting) waiting(worker)
    else this.#idle.push(worker)
  }

  #next(): void {
    this.#waiting.shift()?.(this.#start())
  }

  #start(): Worker {
    const worker = new Worker(new URL('work-thread.ts', import.meta.url))
    tell(worker, { hears: 'shared', data: this.#data })
    // A thread that waits for work does not keep the program alive.
    worker.unref()
    this.#all.add(worker)
    return worker
  }
}

function tell(worker: Worker, told: ThreadHears, moved: readonly MessagePort[] = []): void {
  worker.postMessage(told, moved)
}

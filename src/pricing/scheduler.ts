import { Failure } from '../errors.ts'
import { stopReason } from '../warehouse/engine.ts'

export interface SchedulerSettings {
  /** Price rows to read above which a question is heavy (some 20 ms of work) and waits for its turn. */
  readonly heavyRows: number
  /** Heavy questions under way at once. Light ones never wait. */
  readonly heavyAtOnce: number
  /** Heavy questions that may wait; beyond it callers are told to come back. */
  readonly waitingMost: number
}

export const defaultScheduler: SchedulerSettings = { heavyRows: 20_000, heavyAtOnce: 2, waitingMost: 256 }

interface Waiting {
  readonly start: () => void
}

/**
 * Shares the machine fairly: light questions run at once, heavy ones a few at a time,
 * and among those that wait each organisation gets its turn, however many it has sent.
 */
export class Scheduler {
  private readonly settings: SchedulerSettings
  private readonly queues = new Map<string, Waiting[]>()
  private running = 0
  private waiting = 0

  constructor(settings: SchedulerSettings = defaultScheduler) {
    this.settings = settings
  }

  async run<Result>(
    rows: number,
    owner: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (rows <= this.settings.heavyRows) return work()
    await this.admitted(owner, signal)
    try {
      return await work()
    } finally {
      this.running--
      this.next()
    }
  }

  private admitted(owner: string, signal?: AbortSignal): Promise<void> {
    if (this.running < this.settings.heavyAtOnce) {
      this.running++
      return Promise.resolve()
    }
    if (this.waiting >= this.settings.waitingMost) return Promise.reject(new Failure('overloaded'))
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(owner) ?? []
      const leave = () => {
        const at = queue.indexOf(entry)
        if (at < 0) return
        queue.splice(at, 1)
        if (queue.length === 0) this.queues.delete(owner)
        this.waiting--
        reject(stopReason(signal!))
      }
      const entry: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      queue.push(entry)
      this.queues.set(owner, queue)
      this.waiting++
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
    })
  }

  private next(): void {
    if (this.running >= this.settings.heavyAtOnce) return
    const [owner, queue] = this.queues.entries().next().value ?? []
    const entry = queue?.shift()
    if (owner === undefined || !queue || !entry) return
    // To the back of the line: the next turn is another organisation's.
    this.queues.delete(owner)
    if (queue.length > 0) this.queues.set(owner, queue)
    this.waiting--
    this.running++
    entry.start()
  }
}

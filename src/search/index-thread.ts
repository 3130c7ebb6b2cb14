import { mkdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Facet } from './columns.ts'
import { Gathering, type Entry } from './gathering.ts'
import type { Batch } from './index-file.ts'

/** What the thread is told. */
export type ToIndexThread = { readonly kind: 'keep'; readonly batch: Batch } | { readonly kind: 'finish' }

/** What the thread says: that a batch is kept, or that the file is whole. */
export type FromIndexThread = 'kept' | 'finished'

const waitingMax = 4

/**
 * Writes an index like `IndexWriter`, its file in a thread of its own: while one core makes words of the next entries,
 * the other sorts those of the last into posting lists.
 */
export class IndexThread {
  readonly #gathering: Gathering
  readonly #worker: Worker
  #waiting = 0
  #failed: unknown
  #told: (() => void) | undefined
  #finished = false

  constructor(folder: string, facets: readonly (string | Facet)[]) {
    mkdirSync(folder, { recursive: true })
    this.#gathering = new Gathering(folder, facets)
    this.#worker = new Worker(new URL('./index-thread-worker.ts', import.meta.url), {
      workerData: folder,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    })
    this.#worker.on('message', (said: FromIndexThread) => {
      if (said === 'kept') this.#waiting--
      else this.#finished = true
      this.#told?.()
    })
    this.#worker.on('error', (error) => {
      this.#failed = error
      this.#told?.()
    })
    this.#worker.on('exit', () => {
      if (!this.#finished) this.#failed ??= new Error('the thread that writes the index ended')
      this.#told?.()
    })
  }

  get rows(): number {
    return this.#gathering.rows
  }

  /** Takes an entry. Where a promise comes back, the thread is behind: wait before the next. */
  add(entry: Entry): Promise<void> | undefined {
    if (!this.#gathering.add(entry)) return undefined
    this.#tell({ kind: 'keep', batch: this.#gathering.batch() })
    return this.#until(() => this.#waiting < waitingMax)
  }

  /** Hands over the last batch; the folder is complete when the promise is fulfilled. */
  async finish(): Promise<void> {
    this.#tell({ kind: 'keep', batch: this.#gathering.batch() })
    this.#tell({ kind: 'finish' })
    this.#gathering.writeShared()
    await this.#until(() => this.#finished)
    await this.#worker.terminate()
  }

  /** Gives up and leaves the folder to whoever made it. */
  async abandon(): Promise<void> {
    await this.#worker.terminate()
  }

  #tell(told: ToIndexThread): void {
    if (told.kind === 'keep') this.#waiting++
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(told)
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#failed !== undefined) throw this.#failed
      await new Promise<void>((resolve) => (this.#told = resolve))
    }
  }
}

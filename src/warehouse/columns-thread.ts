import { Worker } from 'node:worker_threads'
import type { ColumnsThreadData, FromColumnsThread, ToColumnsThread } from './columns-thread-worker.ts'
import type { MonthColumns, WrittenColumns } from './month-columns.ts'
import { PriceBatch } from './price-batch.ts'
import type { PairContent } from './provider-columns.ts'
import type { SetColumns } from './set-sizes.ts'

/** Batches that are filled and packed in turn. */
const batchesMost = 4

/** Writes columns in a thread of its own: while one core resolves the prices of the next codes, the other packs those of the last. */
export class ColumnsThread implements MonthColumns {
  readonly #worker: Worker
  readonly #packing: PriceBatch[] = []
  readonly #empty: PriceBatch[] = []
  /** How many batches the thread has packed: seen without waiting for its message. */
  readonly #packed = new Int32Array(new SharedArrayBuffer(4))
  #taken = 0
  #batches = 1
  #failed: unknown
  #written: WrittenColumns | undefined
  #told: (() => void) | undefined

  constructor(folder: string) {
    const data: ColumnsThreadData = { folder, packed: this.#packed }
    this.#worker = new Worker(new URL('columns-thread-worker.ts', import.meta.url), { workerData: data })
    this.#worker.on('message', (said: FromColumnsThread) => {
      if (said.kind === 'written') this.#written = said.written
      this.#told?.()
    })
    this.#worker.on('error', (error) => {
      this.#failed ??= error
      this.#told?.()
    })
    this.#worker.on('exit', () => {
      if (!this.#written) this.#failed ??= new Error('the thread that writes columns ended')
      this.#told?.()
    })
  }

  writePairs(pairs: PairContent): void {
    this.#tell({ kind: 'pairs', pairs })
  }

  setsSoFar(sets: SetColumns): void {
    this.#tell({ kind: 'sets', sets })
  }

  writePrices(batch: PriceBatch): PriceBatch | Promise<PriceBatch> {
    this.#packing.push(batch)
    this.#tell({ kind: 'prices', batch: batch.content() })
    return this.#nextBatch() ?? this.#until(() => this.#nextBatch())
  }

  finish(sets: SetColumns): Promise<WrittenColumns> {
    this.#tell({ kind: 'finish', sets })
    return this.#until(() => this.#written)
  }

  async stop(): Promise<void> {
    if (!this.#written) await this.#worker.terminate()
  }

  #nextBatch(): PriceBatch | undefined {
    for (const packed = Atomics.load(this.#packed, 0); this.#taken < packed; this.#taken++) {
      const batch = this.#packing.shift()!
      batch.clear()
      this.#empty.push(batch)
    }
    if (this.#empty.length > 0) return this.#empty.pop()
    if (this.#batches === batchesMost) return undefined
    this.#batches++
    return new PriceBatch()
  }

  async #until<Answer>(answer: () => Answer | undefined): Promise<Answer> {
    for (;;) {
      if (this.#failed !== undefined) throw this.#failed
      const given = answer()
      if (given !== undefined) return given
      await new Promise<void>((resolve) => (this.#told = resolve))
    }
  }

  #tell(told: ToColumnsThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(told)
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { ColumnFiles, type WrittenColumns } from './month-columns.ts'
import type { BatchContent } from './price-batch.ts'
import type { PairContent } from './provider-columns.ts'
import type { SetColumns } from './set-sizes.ts'

/** What it begins with: where to write, and the number of batches packed, which it counts up. */
export interface ColumnsThreadData {
  readonly folder: string
  readonly packed: Int32Array
}

/** What the thread that writes columns is told. */
export type ToColumnsThread =
  | { readonly kind: 'pairs'; readonly pairs: PairContent }
  | { readonly kind: 'sets'; readonly sets: SetColumns }
  | { readonly kind: 'prices'; readonly batch: BatchContent }
  | { readonly kind: 'finish'; readonly sets: SetColumns }

/** What it says: that one more batch may be used again, in the order in which they came; that all is written. */
export type FromColumnsThread =
  | { readonly kind: 'packed' }
  | { readonly kind: 'written'; readonly written: WrittenColumns }

const port = parentPort
if (port) {
  const { folder, packed } = workerData as ColumnsThreadData
  let files: ColumnFiles | undefined
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const say = (said: FromColumnsThread) => port.postMessage(said)
  const finish = async (open: ColumnFiles, sets: SetColumns) => {
    say({ kind: 'written', written: await open.finish(sets) })
    port.close()
  }
  port.on('message', (told: ToColumnsThread) => {
    if (told.kind === 'pairs') files = new ColumnFiles(folder, told.pairs)
    if (!files) throw new Error('pairs are written before everything else')
    if (told.kind === 'sets') {
      files.setsSoFar(told.sets)
      files.packAhead(told.sets)
    } else if (told.kind === 'prices') {
      files.writePrices(told.batch)
      Atomics.add(packed, 0, 1)
      say({ kind: 'packed' })
    } else if (told.kind === 'finish') {
      void finish(files, told.sets)
    }
  })
}

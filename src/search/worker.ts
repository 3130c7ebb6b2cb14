import { parentPort } from 'node:worker_threads'
import { Failure } from '../errors.ts'
import type { FromWorker, ToWorker } from './pool.ts'

/** How a worker makes itself ready and answers. */
export interface Work<Shared> {
  /** Reads what all threads share from a folder. */
  load(folder: string): Shared
  /** Opens what this thread has for itself. */
  open(shared: Shared): { answer(job: never): unknown; close(): void }
}

/** Turns this thread into a pool's worker. A new folder is opened before the old one is closed. */
export function workIn<Shared>(work: Work<Shared>): void {
  const port = parentPort
  if (port === null) throw new Error('not a worker thread')
  let opened: ReturnType<Work<Shared>['open']> | undefined
  const reply = (said: FromWorker) => port.postMessage(said)
  port.on('message', (told: ToWorker) => {
    try {
      if (told.kind === 'load') reply({ kind: 'loaded', shared: work.load(told.folder) })
      else if (told.kind === 'open') {
        const before = opened
        opened = work.open(told.shared as Shared)
        before?.close()
        reply({ kind: 'opened' })
      } else reply({ kind: 'answer', answer: opened?.answer(told.job as never) })
    } catch (error) {
      reply({
        kind: 'failed',
        code: error instanceof Failure ? error.code : undefined,
        message:
          error instanceof Error
            ? error instanceof Failure
              ? error.message
              : String(error.stack)
            : String(error),
        problems: error instanceof Failure ? [...(error.details.problems ?? [])] : [],
      })
    }
  })
}

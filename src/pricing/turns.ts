import { stopReason } from '../warehouse/engine.ts'

const turnMs = 4

/**
 * Lets others have their turn. A long computation calls `pause` between small pieces of work; after a few milliseconds
 * it waits for the event loop to go round, so that requests behind it are served, and notices that it has been stopped.
 */
export class Turns {
  private readonly signal: AbortSignal | undefined
  private since = performance.now()

  constructor(signal?: AbortSignal) {
    this.signal = signal
  }

  async pause(): Promise<void> {
    if (performance.now() - this.since < turnMs) return
    await new Promise(setImmediate)
    if (this.signal?.aborted) throw stopReason(this.signal)
    this.since = performance.now()
  }
}

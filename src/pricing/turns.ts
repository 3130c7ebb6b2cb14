import { stopReason } from '../warehouse/engine.ts'

const turnMs = 4
const longestWaitingEvery = 4

interface Waiting {
  readonly usedMs: number
  readonly resume: () => void
}

const waiting: Waiting[] = []
let going = false
let turn = 0

/**
 * One computation goes on per round of the event loop, so that requests that have come meanwhile are looked at in between:
 * the one that has used least so far, and every fourth time the one that has waited longest, so that none waits for ever.
 */
function goOn(): void {
  let next = 0
  if (++turn % longestWaitingEvery !== 0)
    for (let i = 1; i < waiting.length; i++) if (waiting[i]!.usedMs < waiting[next]!.usedMs) next = i
  waiting.splice(next, 1)[0]?.resume()
  going = waiting.length > 0
  if (going) setImmediate(goOn)
}

/**
 * Lets others have their turn. A long computation calls `pause` between small pieces of work; after a few milliseconds
 * it stands in line, and notices when it goes on that it has been stopped.
 */
export class Turns {
  private readonly signal: AbortSignal | undefined
  private since = performance.now()
  private usedMs = 0

  constructor(signal?: AbortSignal) {
    this.signal = signal
  }

  async pause(): Promise<void> {
    const spent = performance.now() - this.since
    if (spent < turnMs) return
    this.usedMs += spent
    await new Promise<void>((resume) => {
      waiting.push({ usedMs: this.usedMs, resume })
      if (going) return
      going = true
      setImmediate(goOn)
    })
    if (this.signal?.aborted) throw stopReason(this.signal)
    this.since = performance.now()
  }
}

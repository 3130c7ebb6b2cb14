import { stopReason } from '../warehouse/engine.ts'

const turnMsDefault = 4
const longestWaitingEvery = 4

interface Waiting {
  readonly usedMs: number
  readonly resume: () => void
}

const waiting: Waiting[] = []
let turn = 0
/** When the first computation of this round of the event loop went on; undefined = none has yet. */
let roundSince: number | undefined

/** Begins a round, which ends when the event loop has looked at what has come meanwhile. */
function beginRound(): number {
  roundSince = performance.now()
  setImmediate(endRound)
  return roundSince
}

/**
 * Ends a round. The next one belongs to the computation that has used least so far, and every fourth time to the one
 * that has waited longest, so that none waits for ever.
 */
function endRound(): void {
  roundSince = undefined
  if (waiting.length === 0) return
  let next = 0
  if (++turn % longestWaitingEvery !== 0)
    for (let i = 1; i < waiting.length; i++) if (waiting[i]!.usedMs < waiting[next]!.usedMs) next = i
  beginRound()
  waiting.splice(next, 1)[0]!.resume()
}

export interface TurnSettings {
  readonly signal?: AbortSignal | undefined
  /** How long computations go on in one round of the event loop, all together; 0 = every piece stands in line. */
  readonly turnMs?: number | undefined
}

/**
 * Lets others have their turn. A computation calls `begin` first and `pause` between small pieces of work; when the round's
 * few milliseconds are used up, by itself or by others, it stands in line, and notices when it goes on that it has been stopped.
 */
export class Turns {
  private readonly signal: AbortSignal | undefined
  private readonly turnMs: number
  private since = 0
  private usedMs = 0

  constructor({ signal, turnMs }: TurnSettings = {}) {
    this.signal = signal
    this.turnMs = turnMs ?? turnMsDefault
  }

  async begin(): Promise<void> {
    this.since = performance.now()
    if (this.since - (roundSince ?? beginRound()) >= this.turnMs || waiting.length > 0)
      await this.standInLine()
  }

  async pause(): Promise<void> {
    const now = performance.now()
    if (now - (roundSince ?? beginRound()) >= this.turnMs) {
      this.usedMs += now - this.since
      await this.standInLine()
    }
  }

  private async standInLine(): Promise<void> {
    await new Promise<void>((resume) => waiting.push({ usedMs: this.usedMs, resume }))
    if (this.signal?.aborted) throw stopReason(this.signal)
    this.since = performance.now()
  }
}

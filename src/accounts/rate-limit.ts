/** How often something may happen: on average, and at once. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export interface Turn {
  readonly allowed: boolean
  /** How many more may come at once. */
  readonly remaining: number
  /** Seconds until the whole burst is there again. */
  readonly fullInS: number
  /** Seconds to wait before the next try; 0 when allowed. */
  readonly retryInS: number
}

const namesKept = 100_000

/**
 * A token bucket per name, kept as one number each: the time at which the bucket will be full again (GCRA).
 * A fixed window would let twice the limit through around its edge.
 */
export class RateLimit {
  readonly #fullAt = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Takes a turn, or says how long to wait. */
  take(name: string, { perSecond, burst }: Rate): Turn {
    const now = this.#now()
    const intervalMs = 1_000 / perSecond
    // An empty bucket is the worst there is, also after the rate was raised or the clock was set back.
    const emptyAt = now + burst * intervalMs
    const fullAt = Math.min(Math.max(this.#fullAt.get(name) ?? now, now), emptyAt)
    const next = fullAt + intervalMs
    const tooEarlyMs = next - emptyAt
    // The sums are floating-point; a millionth of a millisecond is nobody's wait.
    const allowed = tooEarlyMs <= 1e-6
    if (allowed) {
      this.#fullAt.delete(name)
      this.#fullAt.set(name, next)
      if (this.#fullAt.size > namesKept) this.#forget(now)
    } else this.#fullAt.set(name, fullAt)
    const used = ((allowed ? next : fullAt) - now) / intervalMs
    return {
      allowed,
      remaining: Math.max(0, Math.floor(burst - used + 1e-6)),
      fullInS: Math.ceil(((allowed ? next : fullAt) - now) / 1_000),
      retryInS: allowed ? 0 : Math.max(1, Math.ceil(tooEarlyMs / 1_000)),
    }
  }

  /** A bucket that is full again says nothing. Under attack the oldest go too: bounded memory comes first. */
  #forget(now: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(name)
    for (const name of this.#fullAt.keys()) {
      if (this.#fullAt.size <= namesKept / 2) break
      this.#fullAt.delete(name)
    }
  }
}

/** The fields of the IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(rate: Rate, turn: Turn): Record<string, string> {
  return {
    'RateLimit-Policy': `"organization";q=${rate.burst};w=${Math.max(1, Math.ceil(rate.burst / rate.perSecond))}`,
    RateLimit: `"organization";r=${turn.remaining};t=${turn.fullInS}`,
  }
}

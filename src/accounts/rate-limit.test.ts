import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimit, rateLimitHeaders } from './rate-limit.ts'

/** A bucket as one would write it down without thinking: tokens that drip in. */
class NaiveBucket {
  #tokens: number
  #at = 0
  readonly #rate: { perSecond: number; burst: number }
  constructor(rate: { perSecond: number; burst: number }) {
    this.#rate = rate
    this.#tokens = rate.burst
  }
  take(now: number): boolean {
    this.#tokens = Math.min(
      this.#rate.burst,
      this.#tokens + ((now - this.#at) * this.#rate.perSecond) / 1_000,
    )
    this.#at = now
    if (this.#tokens < 1 - 1e-9) return false
    this.#tokens -= 1
    return true
  }
}

const rate = fc.record({
  perSecond: fc.constantFrom(0.5, 1, 2, 8, 20, 64, 125),
  burst: fc.integer({ min: 1, max: 50 }),
})
const waits = fc.array(fc.oneof(fc.constant(0), fc.nat(30), fc.nat(3_000)), { minLength: 1, maxLength: 300 })

describe('a rate limit', () => {
  it('lets through exactly what a bucket of tokens would', () => {
    fc.assert(
      fc.property(rate, waits, (rate, waits) => {
        let now = 0
        const limit = new RateLimit(() => now)
        const naive = new NaiveBucket(rate)
        for (const wait of waits) {
          now += wait
          expect(limit.take('a', rate).allowed).toBe(naive.take(now))
        }
      }),
    )
  })

  it('lets through at most burst + rate × time in any window', () => {
    fc.assert(
      fc.property(rate, waits, (rate, waits) => {
        let now = 0
        const limit = new RateLimit(() => now)
        const passed: number[] = []
        for (const wait of waits) {
          now += wait
          if (limit.take('a', rate).allowed) passed.push(now)
        }
        for (const [first, from] of passed.entries())
          for (let last = first; last < passed.length; last++)
            expect(last - first + 1).toBeLessThanOrEqual(
              rate.burst + ((passed[last]! - from) * rate.perSecond) / 1_000 + 1e-6,
            )
      }),
    )
  })

  it('tells the truth about waiting and about what remains', () => {
    fc.assert(
      fc.property(rate, waits, (rate, waits) => {
        let now = 0
        const limit = new RateLimit(() => now)
        for (const wait of waits) {
          now += wait
          const { allowed, remaining, retryInS } = limit.take('a', rate)
          expect(allowed || remaining === 0).toBe(true)
          now += retryInS * 1_000
          expect(allowed || limit.take('a', rate).allowed).toBe(true)
        }
        const { remaining } = limit.take('a', rate)
        for (let left = remaining; left > 0; left--) expect(limit.take('a', rate).allowed).toBe(true)
        expect(limit.take('a', rate).allowed).toBe(false)
      }),
    )
  })

  it('keeps names apart: who asks too often takes nothing from the others', () => {
    let now = 0
    const limit = new RateLimit(() => now)
    const rate = { perSecond: 10, burst: 5 }
    let quiet = 0
    for (; now < 10_000; now += 1) {
      limit.take('greedy', rate)
      if (now % 100 === 0 && limit.take('quiet', rate).allowed) quiet++
    }
    expect(quiet).toBe(100)
  })

  it('forgets a slow past when the limit is raised, and when the clock is set back', () => {
    let now = 1_000_000
    const limit = new RateLimit(() => now)
    for (let at = 0; at < 10; at++) limit.take('a', { perSecond: 0.01, burst: 10 })
    for (const jump of [0, -900_000]) {
      now += jump
      expect(limit.take('a', { perSecond: 100, burst: 10 }).allowed).toBe(false)
      now += 10
      expect(limit.take('a', { perSecond: 100, burst: 10 }).allowed).toBe(true)
    }
  })

  it('remembers a bounded number of names, the busy ones the longest', () => {
    let now = 0
    const limit = new RateLimit(() => now)
    const rate = { perSecond: 1, burst: 2 }
    const before = process.memoryUsage().heapUsed
    for (let name = 0; name < 400_000; name++) {
      if (name % 1_000 === 0) limit.take('busy', rate)
      limit.take(`name ${name}`, rate)
    }
    expect(limit.take('busy', rate).allowed).toBe(false)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1_048_576)
    now += 1
  })

  it('writes its headers as the draft says', () => {
    const limit = new RateLimit(() => 0)
    const rate = { perSecond: 20, burst: 40 }
    expect(rateLimitHeaders(rate, limit.take('a', rate))).toEqual({
      'RateLimit-Policy': '"organization";q=40;w=2',
      RateLimit: '"organization";r=39;t=1',
    })
  })
})

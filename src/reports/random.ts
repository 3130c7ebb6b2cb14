import { createHash } from 'node:crypto'

/**
 * Random numbers that a seed repeats, on every machine and in every version: blocks of SHA-256 over the seed and a counter.
 */
export class SeededRandom {
  private readonly seed: string
  private block = Buffer.alloc(0)
  private at = 0
  private counter = 0

  constructor(seed: string) {
    this.seed = seed
  }

  /** A whole number from 0 to below `limit`, each with the same chance. `limit` is at most 2^48. */
  below(limit: number): number {
    const room = 2 ** 48
    // Numbers beyond the last whole multiple would favour the small ones.
    const fair = room - (room % limit)
    for (;;) {
      const number = this.next()
      if (number < fair) return number % limit
    }
  }

  private next(): number {
    if (this.at + 6 > this.block.length) {
      this.block = createHash('sha256')
        .update(`${this.counter++} ${this.seed}`)
        .digest()
      this.at = 0
    }
    const number = this.block.readUIntBE(this.at, 6)
    this.at += 6
    return number
  }
}

/** Different whole numbers from 0 to below `limit`, ascending, each set of that size with the same chance (Floyd). */
export function drawn(random: SeededRandom, limit: number, size: number): number[] {
  const chosen = new Set<number>()
  for (let last = limit - Math.min(size, limit); last < limit; last++) {
    const candidate = random.below(last + 1)
    chosen.add(chosen.has(candidate) ? last : candidate)
  }
  return [...chosen].sort((a, b) => a - b)
}

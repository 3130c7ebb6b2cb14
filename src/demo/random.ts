/** Numbers that look random and are the same on every machine and in every run. */
export class Random {
  #state: number

  /** Equal seeds give equal numbers; the seed's text is mixed by FNV-1a. */
  constructor(seed: string) {
    let hash = 0x811c9dc5
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193)
    this.#state = hash >>> 0
  }

  /** From 0 up to, not including, 1 (the mulberry32 generator). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }

  /**
   * Near a standard normal: twelve uniform numbers less six. Only additions, so that every machine rounds alike;
   * logarithms and cosines may differ in the last bit.
   */
  normal(): number {
    let sum = -6
    for (let i = 0; i < 12; i++) sum += this.next()
    return sum
  }

  /** Spread around 1 as prices are: exp(sigma × normal), by its series, which again only adds and multiplies. */
  spread(sigma: number): number {
    const x = this.normal() * sigma
    let term = 1
    let sum = 1
    for (let n = 1; n < 16; n++) {
      term *= x / n
      sum += term
    }
    return sum
  }
}

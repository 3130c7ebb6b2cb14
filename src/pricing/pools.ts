import { isPlausibleRate } from '../warehouse/build-layout.ts'
import type { PriceBlock } from '../warehouse/price-blocks.ts'
import type { BuildCohort } from './build-cohort.ts'
import type { GroupValues } from './groups.ts'

/** Prices of one build that are pooled: rate, provider set, how many of its pairs are in the cohort, and what Medicare would be asked about. */
export class PoolPart {
  readonly cohort: BuildCohort
  length = 0
  rate = new Float64Array(0)
  set = new Uint32Array(0)
  count = new Uint32Array(0)
  subject = new Uint32Array(0)

  constructor(cohort: BuildCohort) {
    this.cohort = cohort
  }

  /** Adds those rows of a block that are plausible, asked for by label, and held by somebody in the cohort. */
  addRows(
    block: PriceBlock,
    from: number,
    to: number,
    labels: Uint8Array | undefined,
    subject: number,
  ): void {
    this.reserve(to - from)
    const { cohort, rate, set, count } = this
    let at = this.length
    for (let row = from; row < to; row++) {
      const value = block.rate[row]!
      if (!isPlausibleRate(value) || (labels !== undefined && labels[block.label[row]!] === 0)) continue
      const members = cohort.countOf(block.set[row]!)
      if (members === 0) continue
      rate[at] = value
      set[at] = block.set[row]!
      count[at] = members
      at++
    }
    this.subject.fill(subject, this.length, at)
    this.length = at
  }

  sets(): Uint32Array {
    return this.set.subarray(0, this.length)
  }

  private reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.rate.length) return
    const size = Math.max(needed, this.rate.length * 2, 64)
    const larger = <Values extends Float64Array | Uint32Array>(values: Values, into: Values): Values => {
      into.set(values)
      return into
    }
    this.rate = larger(this.rate, new Float64Array(size))
    this.set = larger(this.set, new Uint32Array(size))
    this.count = larger(this.count, new Uint32Array(size))
    this.subject = larger(this.subject, new Uint32Array(size))
  }
}

/** Prices that one group of an answer is computed from, before providers split it further. */
export class Pool {
  readonly values: GroupValues
  readonly parts: PoolPart[] = []

  constructor(values: GroupValues) {
    this.values = values
  }

  part(cohort: BuildCohort): PoolPart {
    const last = this.parts.at(-1)
    if (last?.cohort === cohort) return last
    const part = new PoolPart(cohort)
    this.parts.push(part)
    return part
  }
}

import { Uint32List } from '../warehouse/interning.ts'
import type { BuildCohort } from './build-cohort.ts'
import type { GroupValues } from './groups.ts'

/** Prices of one build that are pooled: rate, provider set, and what Medicare would be asked about. */
export class PoolPart {
  readonly cohort: BuildCohort
  readonly set = new Uint32List()
  readonly subject = new Uint32List()
  private values = new Float64Array(32)

  constructor(cohort: BuildCohort) {
    this.cohort = cohort
  }

  get length(): number {
    return this.set.length
  }

  add(rate: number, set: number, subject: number): void {
    const row = this.set.push(set)
    this.subject.push(subject)
    if (row === this.values.length) {
      const larger = new Float64Array(row * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[row] = rate
  }

  get rate(): Float64Array {
    return this.values.subarray(0, this.set.length)
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

import type { Value } from '../warehouse/engine.ts'

/** The values of a statement while it is being written: each is bound, none becomes text. */
export class Parameters {
  readonly values: Value[] = []

  /** Binds a value and answers its place in the statement. */
  add(value: Value): string {
    return `$${this.values.push(value)}`
  }
}

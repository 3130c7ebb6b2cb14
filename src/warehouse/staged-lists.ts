import type { Stage } from './staged-columns.ts'

/** Lists of texts of one stage: network names, service codes, modifiers. */
export class StagedLists {
  private readonly stage: Stage
  private readonly end: Float64Array
  private readonly items: Uint32Array

  constructor(stage: Stage) {
    this.stage = stage
    this.end = stage.i64('lists', 'end')
    this.items = stage.u32('lists', 'texts')
  }

  texts(list: number): string[] {
    const from = list === 0 ? 0 : this.end[list - 1]!
    return Array.from(this.items.subarray(from, this.end[list]), (text) => this.stage.text(text))
  }
}

/** Sets of a month so far: where each ends, and their atoms. More are only ever added behind them. */
export interface SetColumns {
  readonly sets: number
  readonly atoms: number
  /** Both may be longer than what they hold. */
  readonly end: Uint32Array
  readonly items: Uint32Array
}

/** How many pairs each set has. */
export class SetSizes {
  /** Per set that was added; longer than there are sets. */
  sizes = new Float64Array(1_024)
  private sets = 0
  private readonly atomSize: Uint32Array

  /** Takes the atom of each pair. */
  constructor(atomOf: Uint32Array, atoms: number) {
    this.atomSize = new Uint32Array(atoms)
    for (let pair = 0; pair < atomOf.length; pair++) this.atomSize[atomOf[pair]!]!++
  }

  /** Counts the sets that are new since it was told last. */
  add({ sets, end, items }: SetColumns): void {
    if (sets > this.sizes.length) {
      const more = new Float64Array(Math.max(sets, this.sizes.length * 2))
      more.set(this.sizes)
      this.sizes = more
    }
    const { atomSize, sizes } = this
    for (let set = this.sets, i = set === 0 ? 0 : end[set - 1]!; set < sets; set++) {
      let size = 0
      for (; i < end[set]!; i++) size += atomSize[items[i]!]!
      sizes[set] = size
    }
    this.sets = sets
  }
}

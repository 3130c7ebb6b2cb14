import { digest0, digest1, digest2, digest3, digestBytes } from './digest.ts'

const slotWords = 5
const slotsFirst = 1 << 10

/** Memory that holds content. */
export interface Place {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** Memory for content on its way into a pool. */
export function scratchPlace(size: number): { readonly bytes: Buffer; readonly view: DataView } {
  const bytes = Buffer.alloc(size)
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/** Finds the id of content met before. Holds digests, never the content. */
export interface Interning {
  /** The id of the content at `start…end`; -1 where it is new. `seed` tells apart what has the same bytes. */
  find(place: Place, start: number, end: number, seed?: number): number
  /** Gives an id to the content that `find` has just found to be new. */
  add(id: number): void
}

/**
 * Interning in plain TypeScript. At `entriesMax` it forgets everything and starts anew: equal content may then get a second id,
 * and memory stays bounded.
 */
export class Interner implements Interning {
  #slots = slotsFirst
  #table = new Int32Array(slotsFirst * slotWords)
  #entries = 0
  #free = -1
  readonly #entriesMax: number

  constructor(entriesMax = 3_000_000) {
    this.#entriesMax = entriesMax
  }

  find({ view }: Place, start: number, end: number, seed = 0): number {
    digestBytes(view, start, end, seed)
    const table = this.#table
    const mask = this.#slots - 1
    let slot = (digest0 & mask) * slotWords
    for (;;) {
      const id = table[slot + 4]!
      if (id === 0) {
        this.#free = slot
        return -1
      }
      if (
        table[slot] === digest0 &&
        table[slot + 1] === digest1 &&
        table[slot + 2] === digest2 &&
        table[slot + 3] === digest3
      ) {
        return id - 1
      }
      slot += slotWords
      if (slot === table.length) slot = 0
    }
  }

  add(id: number): void {
    const table = this.#table
    const slot = this.#free
    table[slot] = digest0
    table[slot + 1] = digest1
    table[slot + 2] = digest2
    table[slot + 3] = digest3
    table[slot + 4] = id + 1
    if (++this.#entries * 4 < this.#slots * 3) return
    if (this.#entries >= this.#entriesMax) this.#forget()
    else this.#grow()
  }

  #forget(): void {
    this.#table.fill(0)
    this.#entries = 0
  }

  #grow(): void {
    const old = this.#table
    this.#slots *= 2
    const table = new Int32Array(this.#slots * slotWords)
    const mask = this.#slots - 1
    for (let from = 0; from < old.length; from += slotWords) {
      if (old[from + 4] === 0) continue
      let slot = (old[from]! & mask) * slotWords
      while (table[slot + 4] !== 0) {
        slot += slotWords
        if (slot === table.length) slot = 0
      }
      for (let word = 0; word < slotWords; word++) table[slot + word] = old[from + word]!
    }
    this.#table = table
  }
}

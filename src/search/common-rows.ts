import { BlockBits, blockRows, blockWords, type RowList } from './row-list.ts'

/** Rows that are told by any of several lists. */
export type AnyOf = readonly RowList[]

/** Up to so many rows of a block are looked up one by one; beyond, whole blocks of bits are compared. */
const fewRows = 1_024
/** What it costs to empty the bits of a block and to join two of them, in steps. */
const clearCost = 150
const joinCost = 1_500

/**
 * The rows that each of several wants tells of, in order. In each block the want with the fewest rows leads: where those
 * are few, the others are only asked about them.
 */
export function* commonRows(wants: readonly AnyOf[], blocks: number): Generator<number> {
  const found = new BlockBits()
  const scratch = new BlockBits()
  const sides = wants.map((lists) => new Side(lists, scratch))
  for (let block = 0; block < blocks; block++) {
    for (const side of sides) side.enter(block)
    if (sides.some(({ most }) => most === 0)) continue
    sides.sort((a, b) => a.most - b.most)
    const [lead, ...others] = sides
    if (lead === undefined) return
    const first = block * blockRows
    if (lead.most <= fewRows) {
      let rows = lead.rows()
      for (const side of others) {
        if (rows.length === 0) break
        rows = side.among(rows)
      }
      for (const row of rows) yield first + row
      continue
    }
    lead.fill(found)
    for (const side of others) {
      side.fill(scratch)
      found.keep(scratch)
    }
    for (let word = 0; word < blockWords; word++)
      for (let left = found.words[word] ?? 0; left !== 0; left &= left - 1)
        yield first + word * 32 + 31 - Math.clz32(left & -left)
  }
}

/** One want in the present block. */
class Side {
  readonly #all: AnyOf
  readonly #scratch: BlockBits
  #lists: RowList[] = []
  #block = 0
  /** How many rows it has here at most; lists may share some. */
  most = 0
  /** What it costs to set its bits. */
  #fillCost = 0

  constructor(all: AnyOf, scratch: BlockBits) {
    this.#all = all
    this.#scratch = scratch
  }

  enter(block: number): void {
    this.#block = block
    this.most = 0
    this.#fillCost = clearCost
    this.#lists = []
    for (const list of this.#all) {
      const count = list.countIn(block)
      if (count === 0) continue
      this.#lists.push(list)
      this.most += count
      this.#fillCost += Math.min(count, joinCost)
    }
  }

  /** Its rows in order, each once. Only where they are few. */
  rows(): Uint16Array {
    const [list, ...more] = this.#lists
    if (list === undefined) return new Uint16Array(0)
    if (more.length === 0) return list.numbersIn(this.#block)
    const rows = new Uint16Array(this.most)
    let at = 0
    for (const each of this.#lists) {
      const numbers = each.numbersIn(this.#block)
      rows.set(numbers, at)
      at += numbers.length
    }
    rows.sort()
    return rows.filter((row, place) => place === 0 || row !== rows[place - 1])
  }

  /** Those of some rows that it has too. */
  among(rows: Uint16Array): Uint16Array {
    let markCost = 0
    for (const list of this.#lists) markCost += list.markCost(this.#block, rows.length)
    if (markCost > this.#fillCost + rows.length) {
      this.fill(this.#scratch)
      return rows.filter((row) => this.#scratch.has(row))
    }
    const marks = new Uint8Array(rows.length)
    for (const list of this.#lists) list.mark(this.#block, rows, marks)
    return rows.filter((_, place) => marks[place] === 1)
  }

  fill(bits: BlockBits): void {
    bits.clear()
    for (const list of this.#lists) list.addTo(bits, this.#block)
  }
}

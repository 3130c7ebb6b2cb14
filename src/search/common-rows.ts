import { BlockBits, blockRows, blockWords, type RowList } from './row-list.ts'

/** Rows that are told by any of several lists. */
export type AnyOf = readonly RowList[]

/** Up to so many rows of a block are looked up one by one; beyond, whole blocks of bits are compared. */
const fewRows = 1_024
/** What it costs to empty the bits of a block and to join two of them, in steps. */
const clearCost = 150
const joinCost = 1_500

/** Room for the work on one block, used again and again; a thread answers one question at a time. */
const room = {
  found: new BlockBits(),
  bits: new BlockBits(),
  /** Lower bits of rows, in order. */
  rows: new Uint16Array(fewRows),
  marks: new Uint8Array(fewRows),
}

/**
 * The rows that each of several wants tells of, in order. In each block the want with the fewest rows leads: where those
 * are few, the others are only asked about them. One such walk must end before the next begins.
 */
export function* commonRows(wants: readonly AnyOf[], blocks: number): Generator<number> {
  const sides = wants.map((lists) => new Side(lists))
  for (let block = 0; block < blocks; block++) {
    for (const side of sides) side.enter(block)
    if (sides.some(({ most }) => most === 0)) continue
    sides.sort((a, b) => a.most - b.most)
    const first = block * blockRows
    if ((sides[0]?.most ?? 0) <= fewRows) {
      const count = fewCommon(sides)
      for (let at = 0; at < count; at++) yield first + (room.rows[at] ?? 0)
    } else {
      fillCommon(sides)
      const { words } = room.found
      for (let word = 0; word < blockWords; word++)
        for (let left = words[word] ?? 0; left !== 0; left &= left - 1)
          yield first + word * 32 + 31 - Math.clz32(left & -left)
    }
  }
}

/** Puts the common rows of a block into the room's list; returns how many there are. The first side has few. */
function fewCommon([lead, ...others]: readonly Side[]): number {
  let count = lead?.listRows() ?? 0
  for (const side of others) {
    if (count === 0) break
    count = side.keepRows(count)
  }
  return count
}

/** Sets the room's bits of the common rows of a block. */
function fillCommon([lead, ...others]: readonly Side[]): void {
  lead?.fill(room.found)
  for (const side of others) {
    side.fill(room.bits)
    room.found.keep(room.bits)
  }
}

/** One want in the present block. */
class Side {
  readonly #all: AnyOf
  readonly #lists: RowList[] = []
  #block = 0
  /** How many rows it has here at most; lists may share some. */
  most = 0
  /** What it costs to set its bits. */
  #fillCost = 0

  constructor(all: AnyOf) {
    this.#all = all
  }

  enter(block: number): void {
    this.#block = block
    this.most = 0
    this.#fillCost = clearCost
    this.#lists.length = 0
    for (const list of this.#all) {
      const count = list.countIn(block)
      if (count === 0) continue
      this.#lists.push(list)
      this.most += count
      this.#fillCost += Math.min(count, joinCost)
    }
  }

  /** Puts its rows into the room's list, each once; returns how many there are. */
  listRows(): number {
    let count = 0
    for (const list of this.#lists) count += list.copyTo(room.rows, count, this.#block)
    if (this.#lists.length === 1) return count
    room.rows.subarray(0, count).sort()
    let kept = 0
    for (let at = 0; at < count; at++) {
      const row = room.rows[at] ?? 0
      if (kept === 0 || room.rows[kept - 1] !== row) room.rows[kept++] = row
    }
    return kept
  }

  /** Keeps those of the room's rows that it has too; returns how many are left. */
  keepRows(count: number): number {
    const { rows, marks } = room
    let markCost = 0
    for (const list of this.#lists) markCost += list.markCost(this.#block, count)
    let kept = 0
    if (markCost > this.#fillCost + count) {
      this.fill(room.bits)
      for (let at = 0; at < count; at++) if (room.bits.has(rows[at] ?? 0)) rows[kept++] = rows[at] ?? 0
    } else {
      marks.fill(0, 0, count)
      for (const list of this.#lists) list.mark(this.#block, rows, count, marks)
      for (let at = 0; at < count; at++) if (marks[at] === 1) rows[kept++] = rows[at] ?? 0
    }
    return kept
  }

  fill(bits: BlockBits): void {
    bits.clear()
    for (const list of this.#lists) list.addTo(bits, this.#block)
  }
}

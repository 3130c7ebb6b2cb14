/** Lists are cut where the upper bits of the row change: a block holds rows that differ in their lower sixteen bits. */
export const blockRows = 65_536
/** A block with more rows is kept as one bit for each, one with fewer as their numbers. */
export const numbersMax = 4_096
/** How many 32-bit words the bits of a block take. */
export const blockWords = blockRows / 32

/** A list that is so many times as long is searched for each row instead of being read beside them. */
const searchFrom = 8

export const blocksOf = (rows: number) => Math.ceil(rows / blockRows)
/** How many 16-bit numbers a block of a list takes. */
export const blockSize = (count: number) => (count > numbersMax ? blockRows / 16 : count)

/** The rows of a word in order, block by block, in one piece of memory: how many each block has, then their rows. */
export class RowList {
  readonly #counts: Uint16Array
  readonly #starts: Uint32Array
  readonly #data: Uint16Array

  /** Of `data`, which may be longer than the list. */
  constructor(data: Uint16Array, blocks: number) {
    this.#data = data
    this.#counts = data.subarray(0, blocks)
    this.#starts = new Uint32Array(blocks)
    let at = blocks
    for (let block = 0; block < blocks; block++) {
      this.#starts[block] = at
      at += blockSize(this.#counts[block] ?? 0)
    }
  }

  /** The list of some rows, which come in order. */
  static of(rows: readonly number[], blocks: number): RowList {
    const counts = new Uint16Array(blocks)
    for (const row of rows) counts[row >>> 16] = Math.min(blockRows - 1, (counts[row >>> 16] ?? 0) + 1)
    const data = new Uint16Array(blocks + counts.reduce((sum, count) => sum + blockSize(count), 0))
    data.set(counts)
    let start = blocks
    let next = 0
    for (const [block, count] of counts.entries()) {
      const size = blockSize(count)
      for (let at = start; next < rows.length && (rows[next] ?? 0) >>> 16 === block; next++) {
        const row = (rows[next] ?? 0) & 0xffff
        if (count > numbersMax)
          data[start + (row >>> 4)] = (data[start + (row >>> 4)] ?? 0) | (1 << (row & 15))
        else data[at++] = row
      }
      start += size
    }
    return new RowList(data, blocks)
  }

  /** How many rows a block has. One that is full counts one less. */
  countIn(block: number): number {
    return this.#counts[block] ?? 0
  }

  has(row: number): boolean {
    return this.hasIn(row >>> 16, row & 0xffff)
  }

  /** Whether a block has a row, given by its lower bits. */
  hasIn(block: number, wanted: number): boolean {
    const count = this.#counts[block] ?? 0
    const start = this.#starts[block] ?? 0
    if (count > numbersMax) return (((this.#data[start + (wanted >>> 4)] ?? 0) >>> (wanted & 15)) & 1) === 1
    let [low, high] = [start, start + count]
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#data[middle] ?? 0
      if (there === wanted) return true
      if (there < wanted) low = middle + 1
      else high = middle
    }
    return false
  }

  /** Marks those of the first `length` rows, given in order by their lower bits, that a block has. */
  mark(block: number, rows: Uint16Array, length: number, marks: Uint8Array): void {
    const count = this.#counts[block] ?? 0
    if (count > numbersMax || count > length * searchFrom) {
      for (let place = 0; place < length; place++) if (this.hasIn(block, rows[place] ?? 0)) marks[place] = 1
      return
    }
    let at = this.#starts[block] ?? 0
    const end = at + count
    for (let place = 0; place < length; place++) {
      const row = rows[place] ?? 0
      while (at < end && (this.#data[at] ?? 0) < row) at++
      if (at === end) return
      if (this.#data[at] === row) marks[place] = 1
    }
  }

  /** What it costs to mark so many rows, in steps. */
  markCost(block: number, rows: number): number {
    const count = this.#counts[block] ?? 0
    if (count > numbersMax) return rows * 2
    return Math.min(rows + count, rows * (2 + 32 - Math.clz32(count)))
  }

  /** Copies the lower bits of a block's rows, of which there are at most `numbersMax`; returns how many there are. */
  copyTo(rows: Uint16Array, from: number, block: number): number {
    const start = this.#starts[block] ?? 0
    const count = this.#counts[block] ?? 0
    for (let at = 0; at < count; at++) rows[from + at] = this.#data[start + at] ?? 0
    return count
  }

  /** Sets the bits of a block's rows. */
  addTo(bits: BlockBits, block: number): void {
    const count = this.#counts[block] ?? 0
    const start = this.#starts[block] ?? 0
    if (count > numbersMax) bits.addAll(this.#data.subarray(start, start + blockRows / 16))
    else bits.add(this.#data, start, count)
  }
}

/** One bit for each row of a block. */
export class BlockBits {
  readonly words = new Uint32Array(blockWords)
  readonly #halves = new Uint16Array(this.words.buffer)
  readonly #others = new Uint32Array(blockWords)
  readonly #otherHalves = new Uint16Array(this.#others.buffer)
  #isEmpty = true

  clear(): void {
    if (!this.#isEmpty) this.words.fill(0)
    this.#isEmpty = true
  }

  add(rows: Uint16Array, start: number, count: number): void {
    const { words } = this
    for (let at = start; at < start + count; at++) {
      const row = rows[at] ?? 0
      words[row >>> 5] = (words[row >>> 5] ?? 0) | (1 << (row & 31))
    }
    this.#isEmpty = false
  }

  addAll(halves: Uint16Array): void {
    if (this.#isEmpty) this.#halves.set(halves)
    else {
      // Lists lie at any even place; copied, they can be joined a whole word at a time.
      this.#otherHalves.set(halves)
      const { words } = this
      for (let word = 0; word < blockWords; word++)
        words[word] = (words[word] ?? 0) | (this.#others[word] ?? 0)
    }
    this.#isEmpty = false
  }

  /** Keeps the bits that others have too. */
  keep(others: BlockBits): void {
    const { words } = this
    for (let word = 0; word < blockWords; word++) words[word] = (words[word] ?? 0) & (others.words[word] ?? 0)
  }

  has(row: number): boolean {
    return (((this.words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
  }
}

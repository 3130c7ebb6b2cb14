import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** A word that at least this share of the entries bears, and so many of them, has a list of its own here. */
const frequentShare = 1 / 2_048
const frequentLeast = 64

/** Lists are cut where the upper bits of the row change: a block holds rows that differ in their lower sixteen bits. */
export const blockRows = 65_536
/** A block with more rows is kept as one bit for each, one with fewer as their numbers. */
export const numbersMax = 4_096
const blockWords = blockRows / 32
const cacheBytes = 6 * 1024 * 1024

export const isFrequent = (count: number, rows: number) =>
  count >= Math.max(frequentLeast, rows * frequentShare)
export const blocksOf = (rows: number) => Math.ceil(rows / blockRows)
/** How many 16-bit numbers a block of a list takes. */
export const blockSize = (count: number) => (count > numbersMax ? blockRows / 16 : count)

export const listsFile = (folder: string) => join(folder, 'frequent.bin')
export const placesFile = (folder: string) => join(folder, 'frequent.json')

/** The rows of a frequent word, block by block, in one piece of memory. */
class List {
  readonly #counts: Uint16Array
  readonly #starts: Uint32Array
  readonly #data: Uint16Array

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

  get bytes(): number {
    return this.#data.byteLength
  }

  isEmptyIn(block: number): boolean {
    return this.#counts[block] === 0
  }

  has(row: number): boolean {
    const block = row >>> 16
    const count = this.#counts[block] ?? 0
    const start = this.#starts[block] ?? 0
    const wanted = row & 0xffff
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

  /** Sets the bits of a block's rows. */
  addTo(bits: Uint16Array, block: number): void {
    const count = this.#counts[block] ?? 0
    const start = this.#starts[block] ?? 0
    if (count > numbersMax)
      for (let place = 0; place < bits.length; place++)
        bits[place] = (bits[place] ?? 0) | (this.#data[start + place] ?? 0)
    else
      for (let at = start; at < start + count; at++) {
        const row = this.#data[at] ?? 0
        bits[row >>> 4] = (bits[row >>> 4] ?? 0) | (1 << (row & 15))
      }
  }
}

export type FrequentList = List

/** Entries of which one of several lists tells, and rows beside them. */
export interface Wanted {
  readonly lists: readonly FrequentList[]
  /** In order. */
  readonly rows: readonly number[]
}

/**
 * The lists of the words that many entries bear, for one thread. They lie in a file of their own, in a form that two
 * of them can be compared block by block and from the first rank on; the posting lists cannot skip. The page cache
 * holds them; the last few used stay here.
 */
export class Frequent {
  readonly #file: number
  readonly #blocks: number
  readonly #places: ReadonlyMap<string, { readonly start: number; readonly size: number }>
  readonly #kept = new Map<string, List>()
  #keptBytes = 0

  constructor(folder: string, rows: number) {
    this.#blocks = blocksOf(rows)
    const places = existsSync(placesFile(folder))
      ? (JSON.parse(readFileSync(placesFile(folder), 'utf8')) as [string, number, number][])
      : []
    this.#places = new Map(places.map(([token, start, size]) => [token, { start, size }]))
    this.#file = openSync(listsFile(folder), 'r')
  }

  has(token: string): boolean {
    return this.#places.has(token)
  }

  list(token: string): FrequentList {
    let list = this.#kept.get(token)
    if (list === undefined) {
      const { start, size } = this.#places.get(token) ?? { start: 0, size: 0 }
      const data = new Uint16Array(size)
      readSync(this.#file, data, 0, data.byteLength, start)
      list = new List(data, this.#blocks)
      this.#keptBytes += list.bytes
    } else this.#kept.delete(token)
    this.#kept.set(token, list)
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= cacheBytes || this.#kept.size === 1) break
      this.#kept.delete(oldest)
      this.#keptBytes -= bytes
    }
    return list
  }

  /** The rows that all of the wanted tell of, in order. */
  *common(all: readonly Wanted[]): Generator<number> {
    const found = new Uint32Array(blockWords)
    const next = new Uint32Array(blockWords)
    const at = all.map(() => 0)
    for (let block = 0; block < this.#blocks; block++) {
      for (const [place, wanted] of all.entries()) {
        const bits = place === 0 ? found : next
        bits.fill(0)
        at[place] = addBlock(wanted, block, at[place] ?? 0, new Uint16Array(bits.buffer))
        if (place > 0)
          for (let word = 0; word < blockWords; word++) found[word] = (found[word] ?? 0) & (next[word] ?? 0)
      }
      for (let word = 0; word < blockWords; word++)
        for (let left = found[word] ?? 0; left !== 0; left &= left - 1)
          yield block * blockRows + word * 32 + 31 - Math.clz32(left & -left)
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Sets the bits of a block; returns where the rows of the next block begin. */
function addBlock({ lists, rows }: Wanted, block: number, from: number, bits: Uint16Array): number {
  for (const list of lists) if (!list.isEmptyIn(block)) list.addTo(bits, block)
  let at = from
  for (; at < rows.length && (rows[at] ?? 0) >>> 16 === block; at++) {
    const row = (rows[at] ?? 0) & 0xffff
    bits[row >>> 4] = (bits[row >>> 4] ?? 0) | (1 << (row & 15))
  }
  return at
}

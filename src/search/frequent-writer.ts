import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isFrequent, listsFile, placesFile } from './frequent.ts'
import { blockRows, blockSize, numbersMax } from './row-list.ts'

/** The tokens of a word by where they go. */
export interface SortedTokens {
  /** Places of frequent ones. */
  readonly places: readonly number[]
  /** The others, each after a space. */
  readonly rare: string
}

/**
 * Writes the lists of frequent words while entries stream by. Which words are frequent is told by the first block of
 * entries; its words wait until then. A block is written out when it is full: memory does not grow with the entries.
 */
export class FrequentWriter {
  readonly #folder: string
  readonly #file: number
  readonly #path: string
  /** Places of the frequent words; undefined before they are known. */
  #places: Map<string, number> | undefined
  readonly #waiting: (readonly string[])[] = []
  #lists: number[][] = []
  /** How many rows each word has in each block that was written, and where the block begins in the file. */
  readonly #blocks: { readonly counts: Uint32Array; readonly start: number }[] = []
  #rows = 0
  #written = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, 'frequent.part')
    this.#file = openSync(this.#path, 'w+')
  }

  /** Whether it is known which words are frequent. */
  get isChosen(): boolean {
    return this.#places !== undefined
  }

  /** Which of a word's tokens have lists here, and the others, each after a space. */
  sorted(tokens: readonly string[]): SortedTokens {
    const places: number[] = []
    let rare = ''
    for (const token of tokens) {
      const place = this.#places?.get(token)
      if (place === undefined) rare += ` ${token}`
      else places.push(place)
    }
    return { places, rare }
  }

  /** Takes the tokens of the next entry before it is known which are frequent. */
  wait(tokens: readonly string[]): void {
    this.#waiting.push(tokens)
    if (this.#waiting.length === blockRows) this.#choose()
  }

  /** Takes the next entry. */
  add(words: readonly SortedTokens[]): void {
    const row = this.#rows % blockRows
    for (const { places } of words)
      for (const place of places) {
        const list = this.#lists[place]
        // Two words of an entry may begin alike.
        if (list !== undefined && list[list.length - 1] !== row) list.push(row)
      }
    if (++this.#rows % blockRows === 0) this.#writeBlock()
  }

  /** Chooses the frequent among the words met so far. */
  #choose(): void {
    const counts = new Map<string, number>()
    for (const tokens of this.#waiting)
      for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
    this.#places = new Map()
    for (const [token, count] of counts)
      if (isFrequent(count, this.#waiting.length)) this.#places.set(token, this.#places.size)
    this.#lists = Array.from({ length: this.#places.size }, () => [])
    for (const tokens of this.#waiting.splice(0)) this.add([this.sorted(tokens)])
  }

  /** Puts each word's blocks together. */
  finish(): void {
    if (this.#places === undefined) this.#choose()
    if (this.#rows % blockRows !== 0) this.#writeBlock()
    const places: [string, number, number][] = []
    const out = openSync(listsFile(this.#folder), 'w')
    const starts = this.#blocks.map(({ start }) => start)
    let end = 0
    for (const [token, place] of this.#places ?? []) {
      const counts = Uint16Array.from(this.#blocks, ({ counts: all }) => Math.min(65_535, all[place] ?? 0))
      const sizes = Array.from(counts, blockSize)
      const data = new Uint16Array(counts.length + sizes.reduce((sum, size) => sum + size, 0))
      data.set(counts)
      let at = counts.length
      for (const [block, size] of sizes.entries()) {
        if (size > 0) readSync(this.#file, data, at * 2, size * 2, starts[block] ?? 0)
        starts[block] = (starts[block] ?? 0) + size * 2
        at += size
      }
      writeSync(out, data)
      places.push([token, end, data.length])
      end += data.byteLength
    }
    fsyncSync(out)
    closeSync(out)
    this.abandon()
    rmSync(this.#path)
    const list = openSync(placesFile(this.#folder), 'w')
    writeSync(list, JSON.stringify(places))
    fsyncSync(list)
    closeSync(list)
  }

  abandon(): void {
    closeSync(this.#file)
  }

  #writeBlock(): void {
    const pieces = this.#lists.map(packed)
    this.#blocks.push({
      counts: Uint32Array.from(this.#lists, ({ length }) => length),
      start: this.#written,
    })
    const bytes = Buffer.concat(pieces)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
    this.#written += bytes.length
    for (const list of this.#lists) list.length = 0
  }
}

function packed(rows: readonly number[]): Uint8Array {
  const numbers = rows.length > numbersMax ? new Uint16Array(blockRows / 16) : Uint16Array.from(rows)
  if (rows.length > numbersMax)
    for (const row of rows) numbers[row >>> 4] = (numbers[row >>> 4] ?? 0) | (1 << (row & 15))
  return new Uint8Array(numbers.buffer)
}

import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { blockRows, blocksOf, RowList } from './row-list.ts'

/** A word that at least this share of the entries bears has a list of its own here. */
const frequentShare = 1 / 16_384
/** In an index of less than a block, the posting lists serve all but the most frequent words as well. */
const frequentLeast = 64

const cacheBytes = 6 * 1024 * 1024
/** Memory is handed on in a few sizes, of each so many pieces. */
const sizeLeast = 512
const freeMax = 4

/** Whether a word is frequent that so many of the first rows bear: a block of them, or all there are. */
export const isFrequent = (count: number, rows: number) =>
  count >= (rows < blockRows ? frequentLeast : rows * frequentShare)

export const listsFile = (folder: string) => join(folder, 'frequent.bin')
export const placesFile = (folder: string) => join(folder, 'frequent.json')

interface Kept {
  readonly list: RowList
  /** Memory that the list lies in; it serves the next one when this one goes. */
  readonly memory: Uint16Array
}

/**
 * The lists of the words that many entries bear, for one thread. They lie in a file of their own, in a form that two
 * of them can be compared block by block and from the first rank on; the posting lists cannot skip. The page cache
 * holds them; the last few used stay here, in memory that is used again: what a question throws away would wait long
 * for the collector.
 */
export class Frequent {
  readonly #file: number
  readonly blocks: number
  readonly #places: ReadonlyMap<string, { readonly start: number; readonly size: number }>
  readonly #kept = new Map<string, Kept>()
  readonly #free = new Map<number, Uint16Array[]>()
  #bytes = 0

  constructor(folder: string, rows: number) {
    this.blocks = blocksOf(rows)
    const places = existsSync(placesFile(folder))
      ? (JSON.parse(readFileSync(placesFile(folder), 'utf8')) as [string, number, number][])
      : []
    this.#places = new Map(places.map(([token, start, size]) => [token, { start, size }]))
    this.#file = openSync(listsFile(folder), 'r')
  }

  has(token: string): boolean {
    return this.#places.has(token)
  }

  /** The rows of a word. Good until `tidy`. */
  list(token: string): RowList {
    const kept = this.#kept.get(token) ?? this.#read(token)
    // The last used come last.
    this.#kept.delete(token)
    this.#kept.set(token, kept)
    return kept.list
  }

  /** Gives the memory of the lists that were not used for long to others. Between questions. */
  tidy(): void {
    for (const [token, { memory }] of this.#kept) {
      if (this.#bytes <= cacheBytes) break
      this.#kept.delete(token)
      this.#bytes -= memory.byteLength
      const free = this.#free.get(memory.length) ?? []
      this.#free.set(memory.length, free)
      if (free.length < freeMax) free.push(memory)
    }
  }

  #read(token: string): Kept {
    const { start, size } = this.#places.get(token) ?? { start: 0, size: 0 }
    const length = Math.max(sizeLeast, 2 ** Math.ceil(Math.log2(size)))
    const memory = this.#free.get(length)?.pop() ?? new Uint16Array(length)
    readSync(this.#file, memory, 0, size * 2, start)
    this.#bytes += memory.byteLength
    return { list: new RowList(memory, this.blocks), memory }
  }

  close(): void {
    closeSync(this.#file)
  }
}

import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { blockRows, blocksOf, RowList } from './row-list.ts'

/** A word that at least this share of the entries bears has a list of its own here. */
const frequentShare = 1 / 16_384
/** In an index of less than a block, the posting lists serve all but the most frequent words as well. */
const frequentLeast = 64

const cacheBytes = 6 * 1024 * 1024

/** Whether a word is frequent that so many of the first rows bear: a block of them, or all there are. */
export const isFrequent = (count: number, rows: number) =>
  count >= (rows < blockRows ? frequentLeast : rows * frequentShare)

export const listsFile = (folder: string) => join(folder, 'frequent.bin')
export const placesFile = (folder: string) => join(folder, 'frequent.json')

/**
 * The lists of the words that many entries bear, for one thread. They lie in a file of their own, in a form that two
 * of them can be compared block by block and from the first rank on; the posting lists cannot skip. The page cache
 * holds them; the last few used stay here.
 */
export class Frequent {
  readonly #file: number
  readonly blocks: number
  readonly #places: ReadonlyMap<string, { readonly start: number; readonly size: number }>
  readonly #kept = new Map<string, RowList>()
  #keptBytes = 0

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

  list(token: string): RowList {
    let list = this.#kept.get(token)
    if (list === undefined) {
      const { start, size } = this.#places.get(token) ?? { start: 0, size: 0 }
      const data = new Uint16Array(size)
      readSync(this.#file, data, 0, data.byteLength, start)
      list = new RowList(data, this.blocks)
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

  close(): void {
    closeSync(this.#file)
  }
}

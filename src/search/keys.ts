import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

export const keysFile = (folder: string) => join(folder, 'keys.bin')
/** Two 64-bit numbers before the keys: what each is less by, and how many bytes it takes. */
export const keysHeader = 16
const blockLength = 16_384

/**
 * The identifier of every entry in rank order, for one thread. They lie in a file, which the page cache holds: a
 * question asks for a few of them, or reads on from the first.
 */
export class Keys {
  readonly #file: number
  readonly #rows: number
  readonly #base: number
  readonly #block: Uint32Array | Float64Array
  /** First row of the block that was read last. */
  #first = -1

  constructor(folder: string, rows: number) {
    this.#rows = rows
    this.#file = openSync(keysFile(folder), 'r')
    const header = new Float64Array(2)
    readSync(this.#file, header, 0, keysHeader, 0)
    this.#base = header[0] ?? 0
    this.#block = header[1] === 4 ? new Uint32Array(blockLength) : new Float64Array(blockLength)
  }

  /** The identifier of an entry. */
  at(row: number): number {
    this.#read(row - (row % blockLength))
    return (this.#block[row % blockLength] ?? 0) + this.#base
  }

  /** The first entries, in their order, whose identifier lies between two numbers. */
  rowsBetween(from: number, through: number, most: number, passes: (row: number) => boolean): number[] {
    const found: number[] = []
    const [low, high] = [from - this.#base, through - this.#base]
    if (high < 0) return found
    for (let first = 0; first < this.#rows && found.length < most; first += blockLength) {
      this.#read(first)
      const length = Math.min(blockLength, this.#rows - first)
      for (let place = 0; place < length && found.length < most; place++) {
        const key = this.#block[place] ?? 0
        if (key >= low && key <= high && passes(first + place)) found.push(first + place)
      }
    }
    return found
  }

  close(): void {
    closeSync(this.#file)
  }

  #read(first: number): void {
    if (first === this.#first) return
    const { byteLength, BYTES_PER_ELEMENT: width } = this.#block
    readSync(this.#file, this.#block, 0, byteLength, keysHeader + first * width)
    this.#first = first
  }
}

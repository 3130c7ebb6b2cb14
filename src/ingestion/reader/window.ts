import { bracketsEnd, closeObject, openObject, quote } from './json.ts'
import { scanPrice, type PriceScan } from './price-scan.ts'

/** No single value is held beyond this; larger ones are skipped with a finding. */
export const valueBytesMax = 16 << 20

/** Bytes that a window takes at once. */
export const chunkBytesMax = 1 << 20

/** Room for the largest value, the chunk that completes it, and a margin for reads by the vector. */
export const windowBytes = valueBytesMax + 2 * chunkBytesMax + 64

/** A provider group in its usual form: how many NPIs it has, where its EIN and its business name stand (0: none). */
export interface GroupScan {
  npis: number
  tinAt: number
  tinEnd: number
  nameAt: number
  nameEnd: number
}

/** How far passing over a list or object by its brackets alone has come: how deep, and whether inside a string. */
export interface LooseSkip {
  depth: number
  inString: boolean
}

/**
 * The part of a file that is looked at: from the piece that is being read to the last byte that has come.
 * What was read is dropped when the next chunk comes, so memory does not grow with the file.
 */
export class Window {
  readonly bytes: Buffer
  readonly view: DataView
  /** Where the next piece begins, and where the bytes end. */
  at = 0
  end = 0
  /** The file's offset of `bytes[0]`. */
  base = 0
  /** No more bytes will come. */
  done = false

  constructor(memory: ArrayBuffer = new ArrayBuffer(windowBytes), offset = 0) {
    this.bytes = Buffer.from(memory, offset, windowBytes)
    this.view = new DataView(memory, offset, windowBytes)
  }

  add(chunk: Uint8Array): void {
    // Out of memory that threads share, bytes are copied eight times as fast where both places lie alike within eight bytes.
    const start = (chunk.byteOffset - this.bytes.byteOffset - this.waiting) & 7
    if (this.at !== start) {
      this.bytes.copyWithin(start, this.at, this.end)
      this.base += this.at - start
      this.end += start - this.at
      this.at = start
    }
    this.bytes.set(chunk, this.end)
    this.end += chunk.length
  }

  /** The end of the list or object at `at` by its brackets and quotes alone; `incomplete` where it is not whole. */
  bracketsEnd(at: number, end: number): number {
    return bracketsEnd(this.bytes, at, end)
  }

  /** A quick look at the price at `at`. */
  scanPrice(at: number, end: number, scan: PriceScan): void {
    scanPrice(this.bytes, at, end, scan)
  }

  /** Goes on passing over a list or object by its brackets and quotes alone, as far as it has come; depth 0 is its end. */
  skipOn(skip: LooseSkip): void {
    const { bytes, end } = this
    let { at } = this
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (skip.inString) {
        if (byte === 0x5c) {
          // What is escaped must be there.
          if (at + 1 >= end) break
          at++
        } else if (byte === quote) skip.inString = false
      } else if (byte === quote) skip.inString = true
      else if ((byte | 0x20) === openObject) skip.depth++
      else if ((byte | 0x20) === closeObject && --skip.depth === 0) {
        at++
        break
      }
    }
    this.at = at
  }

  /** Reads the group of `at…end` where that is quick and the group is usual; its NPIs wait in the module's memory then. */
  readGroup(_at: number, _end: number, _group: GroupScan): boolean {
    return false
  }

  /** Begins another document. */
  restart(): void {
    this.at = 0
    this.end = 0
    this.base = 0
    this.done = false
  }

  get waiting(): number {
    return this.end - this.at
  }
}

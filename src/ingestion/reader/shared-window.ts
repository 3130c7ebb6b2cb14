import type { PriceScan } from './price-scan.ts'
import type { ReaderMemory, ReaderModule } from './reader-module.ts'
import { Window, type GroupScan, type LooseSkip } from './window.ts'

/** A window in the memory of the module, which passes over lists sixteen bytes at a time. */
export class SharedWindow extends Window {
  readonly #module: ReaderModule
  readonly #offset: number
  readonly #scanned: Int32Array
  readonly #amount: Float64Array

  readonly #group: Int32Array
  readonly #skip: Int32Array

  constructor(module: ReaderModule, { buffer, places }: ReaderMemory) {
    super(buffer, places.windowAt)
    this.#module = module
    this.#offset = places.windowAt!
    this.#scanned = new Int32Array(buffer, places.regScanned, 4)
    this.#amount = new Float64Array(buffer, places.regAmount, 1)
    this.#skip = new Int32Array(buffer, places.regSkip, 2)
    this.#group = new Int32Array(buffer, places.regGroup, 5)
  }

  override skipOn(skip: LooseSkip): void {
    const words = this.#skip
    words[0] = skip.depth
    words[1] = skip.inString ? 1 : 0
    this.at = this.#module.skipOn(this.at + this.#offset, this.end + this.#offset) - this.#offset
    skip.depth = words[0]
    skip.inString = words[1] === 1
  }

  override readGroup(at: number, end: number, group: GroupScan): boolean {
    const offset = this.#offset
    if (this.#module.readGroup(at + offset, end + offset) === 0) return false
    const words = this.#group
    group.npis = words[0]!
    group.tinAt = words[1]! - offset
    group.tinEnd = words[2]! - offset
    group.nameAt = words[3] === 0 ? 0 : words[3]! - offset
    group.nameEnd = words[4]! - offset
    return true
  }

  override scanPrice(at: number, end: number, scan: PriceScan): void {
    const offset = this.#offset
    const close = this.#module.scanPrice(at + offset, end + offset)
    const words = this.#scanned
    scan.end = close < 0 ? close : close - offset
    scan.rateAt = words[0] === 0 ? 0 : words[0]! - offset
    scan.rateEnd = words[1]! - offset
    scan.noteAt = words[2] === 0 ? 0 : words[2]! - offset
    scan.noteEnd = words[3]! - offset
    scan.amount = this.#amount[0]!
  }

  override bracketsEnd(at: number, end: number): number {
    const close = this.#module.bracketsEnd(at + this.#offset, end + this.#offset)
    return close < 0 ? close : close - this.#offset
  }
}

import type { FindingBook } from '../findings.ts'
import { MemoTable, entryWords } from './memo.ts'
import type { PriceScan } from './price-scan.ts'
import type { ReaderMemory, ReaderModule } from './reader-module.ts'

/** A memo in the memory of the module, which looks up there itself. */
export class SharedMemo extends MemoTable {
  protected readonly digest: Uint32Array
  readonly #module: ReaderModule
  readonly #free: Int32Array
  readonly #epoch: Int32Array
  readonly #at: number
  readonly #window: number

  constructor(
    module: ReaderModule,
    { buffer, places }: ReaderMemory,
    at: number,
    slots: number,
    book?: FindingBook,
  ) {
    super(new Uint32Array(buffer, at, slots * entryWords), book)
    this.#module = module
    this.digest = new Uint32Array(buffer, places.regDigest, 4)
    this.#free = new Int32Array(buffer, places.regFree, 1)
    this.#epoch = new Int32Array(buffer, places.regEpoch, 1)
    this.#at = at
    this.#window = places.windowAt!
  }

  /** What the module noted about entries is void with them. */
  protected override emptied(): void {
    super.emptied()
    this.#epoch[0]!++
  }

  protected get free(): number {
    return this.#free[0]! / 4
  }

  findPrice(at: number, rateAt: number, rateEnd: number, end: number): number {
    const offset = this.#window
    const { slots } = this
    return this.#entry(
      this.#module.findPrice(at + offset, rateAt + offset, rateEnd + offset, end + offset, this.#at, slots),
    )
  }

  findNotedPrice(at: number, { rateAt, rateEnd, noteAt, noteEnd, end }: PriceScan): number {
    const offset = this.#window
    const noteFirst = noteAt < rateAt
    const address = this.#module.findNotedPrice(
      at + offset,
      (noteFirst ? noteAt : rateAt) + offset,
      (noteFirst ? noteEnd : rateEnd) + offset,
      (noteFirst ? rateAt : noteAt) + offset,
      (noteFirst ? rateEnd : noteEnd) + offset,
      end + offset,
      this.#at,
      this.slots,
    )
    return this.#entry(address)
  }

  findPiece(at: number, end: number, kind: number): number {
    const offset = this.#window
    return this.#entry(this.#module.findPiece(at + offset, end + offset, kind, this.#at, this.slots))
  }

  /** Looks up the digest at `at` in the module's memory. */
  findDigest(at: number): number {
    return this.#entry(this.#module.findDigest(at, this.#at, this.slots))
  }

  #entry(address: number): number {
    return address < 0 ? address : (address - this.#at) / 4
  }
}

import type { Effect, FindingBook } from '../findings.ts'
import { MemoTable, entryWords } from './memo.ts'
import type { PriceScan } from './price-scan.ts'
import type { ReaderMemory, ReaderModule } from './reader-module.ts'

/** Where the module reads how many slots there are, and how many entries it may still write, if it does so by itself. */
export interface MemoRegisters {
  readonly slotsAt?: number
  readonly leftAt?: number
}

/** A memo in the memory of the module, which looks up there itself. */
export class SharedMemo extends MemoTable {
  /** Kept from the module's registers: while the groups of a new list are read, another memo looks up too. */
  protected readonly digest = new Uint32Array(4)
  protected free = 0
  readonly #module: ReaderModule
  readonly #digestFound: Uint32Array
  readonly #freeFound: Int32Array
  readonly #epoch: Int32Array
  readonly #slotsAt: Int32Array | undefined
  readonly #leftAt: Int32Array | undefined
  readonly #at: number
  readonly #window: number

  constructor(
    module: ReaderModule,
    { buffer, places }: ReaderMemory,
    at: number,
    slots: number,
    book?: FindingBook,
    { slotsAt, leftAt }: MemoRegisters = {},
  ) {
    super(new Uint32Array(buffer, at, slots * entryWords), book)
    if (slotsAt !== undefined) this.#slotsAt = new Int32Array(buffer, slotsAt, 1)
    if (leftAt !== undefined) this.#leftAt = new Int32Array(buffer, leftAt, 1)
    this.#module = module
    this.#digestFound = new Uint32Array(buffer, places.regDigest, 4)
    this.#freeFound = new Int32Array(buffer, places.regFree, 1)
    this.#epoch = new Int32Array(buffer, places.regEpoch, 1)
    this.#at = at
    this.#window = places.windowAt!
    this.moved()
    this.took(0)
  }

  protected left(entries: number): void {
    if (this.#leftAt) this.#leftAt[0] = entries
  }

  /** Gives the entry that the module has written at `address` its effect. */
  attach(address: number, effect: Effect): void {
    this.give((address - this.#at) / 4, effect)
  }

  /** What the module noted about entries is void, and it looks among as many slots as there are now. */
  protected moved(): void {
    this.#epoch[0]!++
    if (this.#slotsAt) this.#slotsAt[0] = this.slots
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

  #entry(address: number): number {
    if (address >= 0) return (address - this.#at) / 4
    for (let word = 0; word < 4; word++) this.digest[word] = this.#digestFound[word]!
    this.free = this.#freeFound[0]! / 4
    return address
  }
}

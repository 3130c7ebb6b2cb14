import type { Effect, FindingBook } from '../findings.ts'
import type { PriceScan } from './price-scan.ts'
import { digest0, digest1, digest2, digest3, digestBytes } from './digest.ts'

/**
 * What raw bytes meant when they were read first. The same bytes in the same state mean the same thing:
 * a hit needs no parsing, no judging, no strings.
 */
export interface Memo {
  /** Looks a price up by the bytes around its rate; -1 where they are new. */
  findPrice(at: number, rateAt: number, rateEnd: number, end: number): number
  /** Looks a price up by the bytes around its rate and around its note: notes differ where all else repeats. */
  findNotedPrice(at: number, scan: PriceScan): number
  /** Looks a list or a group up by its bytes. */
  findPiece(at: number, end: number, kind: number): number
  /** Remembers what the bytes of the last look-up, a miss, mean. */
  remember(value: number, extra: number, effect: Effect | undefined): void
  value(entry: number): number
  extra(entry: number): number
  effect(entry: number): Effect | undefined
  /** Counts the hits since the last time by their effects. */
  count(): void
}

/** The kinds of pieces: equal bytes mean other things in other places. */
export const groupPiece = 1
export const groupsPiece = 2
export const referencesPiece = 3

/** An entry: four words of digest, value, extra, effect, hits. */
export const entryWords = 8

/** Slots that a memo begins with: memory that nobody has touched costs nothing, and the first touch of a page costs much. */
const slotsFirst = 1 << 12

/** A memo that is full beyond this share grows, up to its bound; there it is emptied, so that memory stays bounded. */
export const isFull = (entries: number, slots: number) => entries * 4 >= slots * 3

/** The effects of a memo's entries by number (0 is none), and where in its table each entry stands. */
export class Effects {
  readonly #list: (Effect | undefined)[] = [undefined]
  readonly #slots: number[] = [0]

  add(effect: Effect | undefined, slot: number): number {
    if (effect === undefined) return 0
    this.#slots.push(slot)
    return this.#list.push(effect) - 1
  }

  /** An entry stands elsewhere now. */
  move(number: number, slot: number): void {
    this.#slots[number] = slot
  }

  get(number: number): Effect | undefined {
    return this.#list[number]
  }

  /** Adds the hits of the entries in `table` to the counts, and sets them to zero. */
  count(table: Uint32Array, book: FindingBook): void {
    for (let number = 1; number < this.#list.length; number++) {
      const hits = this.#slots[number]! + 7
      if (table[hits]! > 0) book.repeat(this.#list[number]!, table[hits]!)
      table[hits] = 0
    }
  }

  clear(): void {
    this.#list.length = 1
    this.#slots.length = 1
  }
}

/** A table of entries, found by digest: what both readers' memos share. */
export abstract class MemoTable implements Memo {
  /** How many of the table's slots are in use. */
  protected slots: number
  protected readonly table: Uint32Array
  /** Left by a look-up that missed: the digest, and the word where its entry may stand. */
  protected abstract readonly digest: Uint32Array
  protected abstract free: number
  readonly #book: FindingBook | undefined
  readonly #effects = new Effects()
  #entries = 0

  /** With a book, the effects of hits are counted there in time; without, whoever looks up counts them. */
  constructor(table: Uint32Array, book: FindingBook | undefined) {
    this.slots = Math.min(slotsFirst, table.length / entryWords)
    this.table = table
    this.#book = book
  }

  /** Told when entries are gone, or stand elsewhere. */
  protected abstract moved(): void

  /** Told how many entries the table can still take. */
  protected abstract left(entries: number): void

  abstract findPrice(at: number, rateAt: number, rateEnd: number, end: number): number
  abstract findNotedPrice(at: number, scan: PriceScan): number
  abstract findPiece(at: number, end: number, kind: number): number

  remember(value: number, extra: number, effect: Effect | undefined): void {
    const { table, digest } = this
    let { free } = this
    if (isFull(this.#entries + 1, this.slots)) {
      this.#clear()
      free = (digest[0]! & (this.slots - 1)) * entryWords
    }
    table[free] = digest[0]!
    table[free + 1] = digest[1]!
    table[free + 2] = digest[2]!
    table[free + 3] = digest[3]!
    table[free + 4] = value
    table[free + 5] = extra
    table[free + 6] = this.#effects.add(effect, free)
    this.took(1)
  }

  /** So many entries have been written to the table. */
  took(entries: number): void {
    this.#entries += entries
    if (isFull(this.#entries + 1, this.slots) && this.slots * entryWords < this.table.length) this.#grow()
    this.#tellLeft()
  }

  /** Makes room in a table that others write to, where it has none. */
  makeRoom(): void {
    if (isFull(this.#entries + 1, this.slots)) this.#clear()
  }

  /** Gives the entry at word `entry`, which others have written, its effect. */
  protected give(entry: number, effect: Effect): void {
    this.table[entry + 6] = this.#effects.add(effect, entry)
  }

  #clear(): void {
    this.count()
    this.table.fill(0)
    this.#entries = 0
    this.#effects.clear()
    this.moved()
    this.#tellLeft()
  }

  #tellLeft(): void {
    this.left(Math.max(0, Math.ceil((this.slots * 3) / 4) - 1 - this.#entries))
  }

  #grow(): void {
    const { table } = this
    const old = table.slice(0, this.slots * entryWords)
    table.fill(0, 0, old.length)
    this.slots = Math.min(this.slots * 4, table.length / entryWords)
    const end = this.slots * entryWords
    for (let from = 0; from < old.length; from += entryWords) {
      if (!isEntry(old, from)) continue
      let slot = (old[from]! & (this.slots - 1)) * entryWords
      while (isEntry(table, slot)) slot = slot + entryWords === end ? 0 : slot + entryWords
      for (let word = 0; word < entryWords; word++) table[slot + word] = old[from + word]!
      if (old[from + 6] !== 0) this.#effects.move(old[from + 6]!, slot)
    }
    this.moved()
  }

  value(entry: number): number {
    return this.table[entry + 4]!
  }

  extra(entry: number): number {
    return this.table[entry + 5]!
  }

  effect(entry: number): Effect | undefined {
    return this.#effects.get(this.table[entry + 6]!)
  }

  count(): void {
    if (this.#book) this.#effects.count(this.table, this.#book)
  }
}

const isEntry = (table: Uint32Array, slot: number) =>
  table[slot] !== 0 || table[slot + 1] !== 0 || table[slot + 2] !== 0 || table[slot + 3] !== 0

/** The memo of the reader in plain TypeScript. */
export class TableMemo extends MemoTable {
  protected readonly digest = new Uint32Array(4)
  protected free = 0
  readonly #view: DataView

  constructor(view: DataView, slots: number, book?: FindingBook) {
    super(new Uint32Array(slots * entryWords), book)
    this.#view = view
  }

  protected moved(): void {}

  protected left(): void {}

  findPrice(at: number, rateAt: number, rateEnd: number, end: number): number {
    this.digest.fill(1)
    this.#stir(at, rateAt)
    this.#stir(rateEnd, end)
    return this.#find()
  }

  findNotedPrice(at: number, { rateAt, rateEnd, noteAt, noteEnd, end }: PriceScan): number {
    const noteFirst = noteAt < rateAt
    this.digest.fill(2)
    this.#stir(at, noteFirst ? noteAt : rateAt)
    this.#stir(noteFirst ? noteEnd : rateEnd, noteFirst ? rateAt : noteAt)
    this.#stir(noteFirst ? rateEnd : noteEnd, end)
    return this.#find()
  }

  /** Adds a part of a price to the digest. */
  #stir(from: number, to: number): void {
    digestBytes(this.#view, from, to)
    const { digest } = this
    digest[0] = Math.imul(digest[0]!, 0x2545f491) ^ digest0
    digest[1] = Math.imul(digest[1]!, 0x2545f491) ^ digest1
    digest[2] = Math.imul(digest[2]!, 0x2545f491) ^ digest2
    digest[3] = Math.imul(digest[3]!, 0x2545f491) ^ digest3
  }

  findPiece(at: number, end: number, kind: number): number {
    digestBytes(this.#view, at, end, kind)
    const { digest } = this
    digest[0] = digest0
    digest[1] = digest1
    digest[2] = digest2
    digest[3] = digest3
    return this.#find()
  }

  #find(): number {
    const { table, digest } = this
    const a = digest[0]!
    const b = digest[1]!
    const c = digest[2]!
    const d = digest[3]!
    let slot = (a & (this.slots - 1)) * entryWords
    for (;;) {
      if (table[slot] === a && table[slot + 1] === b && table[slot + 2] === c && table[slot + 3] === d) {
        table[slot + 7]!++
        return slot
      }
      if (!isEntry(table, slot)) {
        this.free = slot
        return -1
      }
      slot += entryWords
      if (slot === this.slots * entryWords) slot = 0
    }
  }
}

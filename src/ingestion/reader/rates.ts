import { amountMax } from './decimals.ts'
import type { Groups } from './groups.ts'
import { incomplete, openList, openObject } from './json.ts'
import { keys } from './keys.ts'
import { closed, waits, type Machine, type Step } from './machine.ts'
import { groupsPiece, referencesPiece, type Memo } from './memo.ts'
import { Words } from './pools.ts'
import { PriceParser } from './price.ts'
import type { PriceScan } from './price-scan.ts'
import type { Reading } from './reading.ts'
import { readReferenceList, referenceAt } from './reference-list.ts'
import type { References } from './references.ts'
import type { Vocabulary } from './words.ts'

/** Over 100 million dollars a rate is absurd: kept, flagged, and left out of market statistics. */
const absurdAmount = 100_000_000 * 10_000

/** Lists up to this size are looked up whole; longer ones are read element by element. */
export const listBytesMax = 1 << 20

/** The set of a list of which a filter wants no one. */
export const unwantedSet = 0xffffffff

/** What the reader keeps of raw bytes: prices around their rate, lists of references or groups, and single groups. */
export interface Memos {
  readonly prices: Memo
  readonly lists: Memo
  readonly groups: Memo
}

/** Reads negotiated_rates: the providers of each rate object, and its prices. */
export class Rates {
  prices = 0
  zero = 0
  absurd = 0
  /** The rate object being read: where it begins, its sets so far, its prices so far and where they begin. */
  offset = 0
  referenceSet = 0
  groupSet = 0
  pricesRead = 0
  notesRead = 0
  seen = 0
  readonly #machine: Machine
  readonly #reading: Reading
  readonly #groups: Groups
  readonly #references: References
  readonly #parser: PriceParser
  readonly #memos: Memos
  readonly #members = new Words()
  readonly #scan: PriceScan = { end: 0, rateAt: 0, rateEnd: 0, amount: 0, noteAt: 0, noteEnd: 0 }
  readonly #filtered: boolean
  #referenceIndex = 0

  constructor(
    machine: Machine,
    groups: Groups,
    references: References,
    vocabulary: Vocabulary,
    memos: Memos,
    filtered: boolean,
  ) {
    this.#machine = machine
    this.#reading = machine.reading
    this.#groups = groups
    this.#references = references
    this.#parser = new PriceParser(machine.reading, vocabulary)
    this.#memos = memos
    this.#filtered = filtered
  }

  /** How deep in negotiated_rates the machine stands: 1 in the list, 2 in a rate object of it, 3 in its prices; 0 elsewhere. */
  depth(): number {
    const { step, stack } = this.#machine
    if (step === this.price) return stack.at(-1) === this.member && stack.at(-2) === this.element ? 3 : 0
    if (step === this.member) return stack.at(-1) === this.element ? 2 : 0
    return step === this.element ? 1 : 0
  }

  /** Moves the machine to another depth, after somebody else has read on. */
  moveTo(depth: number): void {
    const machine = this.#machine
    machine.stack.length -= this.depth() - 1
    if (depth > 1) machine.stack.push(this.element)
    if (depth > 2) machine.stack.push(this.member)
    machine.step = depth === 1 ? this.element : depth === 2 ? this.member : this.price
    this.#reading.scope = depth === 3 ? 'price' : 'rate'
  }

  /** An element of negotiated_rates. */
  readonly element: Step = () => {
    const machine = this.#machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.#reading.scope = 'item'
      return machine.leave()
    }
    if (byte === openObject) return this.enterObject(machine.window.at)
    const end = machine.strictEnd(machine.window.at)
    if (end === incomplete) return machine.wait(machine.window.at, 'negotiated_rates')
    this.#reading.scope = 'rate'
    this.#reading.odd(byte === 0x6e ? 'null_in_list' : 'wrong_type', machine.window.at, '')
    this.#reading.rate++
    return machine.pass(end)
  }

  enterObject(at: number): true {
    this.#reading.scope = 'rate'
    this.offset = this.#reading.window.base + at
    this.referenceSet = 0
    this.groupSet = 0
    this.pricesRead = 0
    this.notesRead = 0
    this.seen = 0
    this.#reading.price = 0
    return this.#machine.enter(this.member, at)
  }

  /** A member of a rate object. */
  readonly member: Step = () => {
    const machine = this.#machine
    const reading = this.#reading
    reading.scope = 'rate'
    const found = machine.member()
    if (found === waits) return false
    if (found === closed) {
      this.#finishRate()
      return machine.leave()
    }
    const { value, keyAt, keyEnd } = machine
    const byte = machine.window.bytes[value]!
    switch (found - 1) {
      case keys.negotiated_prices:
        if (byte === openList) {
          this.#note(1, keyAt, 'repeated_part')
          reading.scope = 'price'
          return machine.enter(this.price, value)
        }
        if (byte === openObject) return this.#singlePrice(value)
        break
      case keys.provider_references:
        if (byte === openList) return this.#referenceList(value)
        if (byte !== openObject) return this.#singleReference(value)
        break
      case keys.provider_groups:
        if (byte === openList) return this.#groupList(value)
        if (byte === openObject) return this.#singleGroup(value)
        break
      default: {
        const end = machine.strictEnd(value)
        if (end === incomplete && machine.window.end - value < listBytesMax) return machine.wait(value, '')
        reading.unknownKey(keyAt, keyEnd)
        return end === incomplete ? machine.skip(value) : machine.pass(end)
      }
    }
    const end = machine.strictEnd(value)
    if (end === incomplete) return machine.wait(value, reading.excerpt(keyAt + 1, keyEnd - 1))
    reading.odd(byte === 0x6e ? 'null_value' : 'wrong_type', value, reading.excerpt(keyAt + 1, keyEnd - 1))
    return machine.pass(end)
  }

  #note(bit: number, at: number, kind: 'repeated_part' | 'duplicate_key'): void {
    if ((this.seen & bit) !== 0) {
      this.#reading.odd(
        kind,
        at,
        bit === 1 ? 'negotiated_prices' : bit === 2 ? 'provider_references' : 'provider_groups',
      )
    }
    this.seen |= bit
  }

  /** An element of negotiated_prices. */
  readonly price: Step = () => {
    const machine = this.#machine
    const { window } = machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.#reading.scope = 'rate'
      return machine.leave()
    }
    if (byte !== openObject) {
      const end = machine.strictEnd(window.at)
      if (end === incomplete) return machine.wait(window.at, '')
      this.#reading.odd(byte === 0x6e ? 'null_in_list' : 'wrong_type', window.at, '')
      this.#reading.price++
      return machine.pass(end)
    }
    const end = this.#readPrice(window.at)
    return end === incomplete ? machine.wait(window.at, '') : machine.pass(end)
  }

  #singlePrice(value: number): boolean {
    this.#reading.scope = 'price'
    const end = this.#readPrice(value)
    this.#reading.scope = 'rate'
    if (end === incomplete) return this.#machine.wait(value, 'negotiated_prices')
    this.#note(1, value, 'repeated_part')
    this.#reading.odd('single_for_list', value, 'negotiated_prices')
    return this.#machine.pass(end)
  }

  #readPrice(at: number): number {
    const { window, book, pools } = this.#reading
    const memo = this.#memos.prices
    const scan = this.#scan
    window.scanPrice(at, window.end, scan)
    const { end } = scan
    if (end === incomplete) return incomplete
    const usual = scan.rateAt > 0 && scan.amount > 0 && scan.amount <= absurdAmount
    const noted = usual && scan.noteAt > 0
    if (usual) {
      const entry = memo.findPrice(at, scan.rateAt, scan.rateEnd, end)
      if (entry >= 0) {
        this.#keep(memo.value(entry), memo.extra(entry), scan.amount)
        return end
      }
    }
    if (noted) {
      const entry = memo.findNotedPrice(at, scan)
      if (entry >= 0) {
        this.#keep(
          memo.value(entry),
          pools.text(window.bytes, window.view, scan.noteAt, scan.noteEnd),
          scan.amount,
        )
        return end
      }
    }
    const parser = this.#parser
    const mark = book.startUnit()
    parser.parse(at, end)
    const effect = book.endUnit(mark)
    if (usual && parser.rateAt === scan.rateAt && (!noted || parser.noteAt === scan.noteAt)) {
      memo.remember(parser.attributes, parser.note, effect)
    }
    if (Number.isNaN(parser.amount)) this.#reading.price++
    else {
      this.#judge(parser.amount, at)
      this.#keep(parser.attributes, parser.note, parser.amount)
    }
    return end
  }

  #judge(amount: number, at: number): void {
    if (amount <= 0) {
      this.zero++
      this.#reading.odd('rate_zero', at, 'negotiated_rate')
    } else if (amount > absurdAmount && amount <= amountMax) {
      this.absurd++
      this.#reading.odd('rate_absurd', at, 'negotiated_rate')
    }
  }

  #keep(attributes: number, note: number, amount: number): void {
    const { prices, notes } = this.#reading.stage.tables
    if (note !== 0) {
      notes.price.pushWhole(prices.amount.length)
      notes.text.pushWord(note)
      this.notesRead++
    }
    prices.attributes.pushWord(attributes)
    prices.amount.pushWhole(amount)
    this.#reading.price++
    this.pricesRead++
  }

  #referenceList(value: number): boolean {
    const machine = this.#machine
    const { window, book } = this.#reading
    const end = window.bracketsEnd(value, window.end)
    if (end === incomplete ? window.end - value > listBytesMax : end - value > listBytesMax) {
      this.#note(2, value, 'duplicate_key')
      this.#members.length = 0
      this.#referenceIndex = 0
      return machine.enter(this.#streamedReference, value)
    }
    if (end === incomplete) return machine.wait(value, 'provider_references')
    this.#note(2, value, 'duplicate_key')
    const memo = this.#memos.lists
    const entry = memo.findPiece(value, end, referencesPiece)
    if (entry >= 0) this.referenceSet = memo.value(entry)
    else {
      this.#members.length = 0
      const mark = book.startUnit()
      readReferenceList(this.#reading, value, end, this.#members)
      this.referenceSet = this.#setOfReferences(value)
      memo.remember(this.referenceSet, 0, book.endUnit(mark))
    }
    return machine.pass(end)
  }

  #setOfReferences(at: number): number {
    const members = this.#members
    const published = members.length
    if (this.#filtered) {
      let kept = 0
      for (let index = 0; index < published; index++) {
        const reference = members.array[index]!
        if (!this.#references.unwanted.has(reference)) members.array[kept++] = reference
      }
      members.length = kept
      if (kept === 0 && published > 0) return unwantedSet
    }
    const before = members.length
    const id = this.#reading.pools.set(members, members.length)
    if (members.length < before) {
      this.#reading.odd('reference_repeated', at, 'provider_references', '', before - members.length)
    }
    return id
  }

  readonly #streamedReference: Step = () => {
    const machine = this.#machine
    const { window } = this.#reading
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.referenceSet = this.#setOfReferences(window.at)
      return machine.leave()
    }
    const end = machine.strictEnd(window.at)
    if (end === incomplete) return machine.wait(window.at, 'provider_references')
    const reference = referenceAt(
      this.#reading,
      window.at,
      end,
      `provider_references[${this.#referenceIndex++}]`,
    )
    if (reference >= 0) this.#members.push(reference)
    return machine.pass(end)
  }

  #singleReference(value: number): boolean {
    const machine = this.#machine
    const { window } = this.#reading
    const end = machine.strictEnd(value)
    if (end === incomplete) return machine.wait(value, 'provider_references')
    this.#note(2, value, 'duplicate_key')
    this.#members.length = 0
    const isNull = window.bytes[value] === 0x6e
    this.#reading.odd(isNull ? 'null_value' : 'single_for_list', value, 'provider_references')
    const reference = isNull ? -1 : referenceAt(this.#reading, value, end, 'provider_references')
    if (reference >= 0) this.#members.push(reference)
    this.referenceSet = this.#setOfReferences(value)
    return machine.pass(end)
  }

  #groupList(value: number): boolean {
    const machine = this.#machine
    const { window, book } = this.#reading
    const end = window.bracketsEnd(value, window.end)
    if (end === incomplete ? window.end - value > listBytesMax : end - value > listBytesMax) {
      this.#note(4, value, 'duplicate_key')
      this.#members.length = 0
      this.#reading.group = 0
      return machine.enter(this.#streamedGroup, value)
    }
    if (end === incomplete) return machine.wait(value, 'provider_groups')
    this.#note(4, value, 'duplicate_key')
    const memo = this.#memos.lists
    const entry = memo.findPiece(value, end, groupsPiece)
    if (entry >= 0) this.groupSet = memo.value(entry)
    else {
      this.#members.length = 0
      const mark = book.startUnit()
      this.#groups.readList(value, end, this.#members)
      this.groupSet = this.#setOfGroups()
      memo.remember(this.groupSet, 0, book.endUnit(mark))
    }
    return machine.pass(end)
  }

  #setOfGroups(): number {
    if (this.#filtered && this.#members.length === 0) return unwantedSet
    return this.#reading.pools.set(this.#members, 0)
  }

  readonly #streamedGroup: Step = () => {
    const machine = this.#machine
    const { window } = machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.#reading.group = -1
      this.groupSet = this.#setOfGroups()
      return machine.leave()
    }
    const end = this.#groups.read(window.at, window.end, this.#members)
    if (end === incomplete) return machine.wait(window.at, '')
    this.#reading.group++
    return machine.pass(end)
  }

  #singleGroup(value: number): boolean {
    this.#members.length = 0
    const end = this.#groups.read(value, this.#reading.window.end, this.#members)
    if (end === incomplete) return this.#machine.wait(value, 'provider_groups')
    this.#note(4, value, 'duplicate_key')
    this.#reading.odd('single_for_list', value, 'provider_groups')
    this.groupSet = this.#setOfGroups()
    return this.#machine.pass(end)
  }

  #finishRate(): void {
    const reading = this.#reading
    const at = this.offset - reading.window.base
    const set = this.#setOfRate()
    if (set === unwantedSet) this.dropRate()
    else {
      if (set === 0) reading.odd('rate_without_providers', at, '')
      if (this.pricesRead === 0 && reading.price === 0) reading.odd('rate_without_prices', at, '')
      this.writeRate(set)
    }
    reading.rate++
  }

  #setOfRate(): number {
    const { referenceSet, groupSet } = this
    if (referenceSet === unwantedSet) return groupSet === 0 ? unwantedSet : groupSet
    if (groupSet === unwantedSet) return referenceSet === 0 ? unwantedSet : referenceSet
    if (referenceSet === 0) return groupSet
    return groupSet === 0 ? referenceSet : this.#reading.pools.unite(referenceSet, groupSet)
  }

  writeRate(set: number): void {
    const { rates } = this.#reading.stage.tables
    rates.index.pushWord(this.#reading.rate)
    rates.offset.pushWhole(this.offset)
    rates.set.pushWord(set)
    rates.prices.pushWord(this.pricesRead)
  }

  /** Takes back the prices of the rate object being read. */
  dropRate(): void {
    const { prices, notes } = this.#reading.stage.tables
    const firstPrice = prices.amount.length - this.pricesRead
    const firstNote = notes.price.length - this.notesRead
    prices.attributes.cut(firstPrice)
    prices.amount.cut(firstPrice)
    notes.price.cut(firstNote)
    notes.text.cut(firstNote)
  }
}

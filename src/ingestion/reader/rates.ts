import type { Groups } from './groups.ts'
import { incomplete, openList, openObject } from './json.ts'
import { keys } from './keys.ts'
import { closed, waits, type Machine, type Step } from './machine.ts'
import type { Memo } from './memo.ts'
import { Prices } from './prices.ts'
import { listBytesMax, RateProviders, unwantedSet } from './rate-providers.ts'
import type { Reading } from './reading.ts'
import type { References } from './references.ts'
import type { Vocabulary } from './words.ts'

/** What the reader keeps of raw bytes: prices around their rate, lists of references or groups, and single groups. */
export interface Memos {
  readonly prices: Memo
  readonly lists: Memo
  readonly groups: Memo
}

/** Reads negotiated_rates: the providers of each rate object, and its prices. */
export class Rates {
  /** The rate object being read: where it begins, and which parts it had so far. */
  offset = 0
  seen = 0
  readonly prices: Prices
  readonly providers: RateProviders
  readonly #machine: Machine
  readonly #reading: Reading

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
    this.prices = new Prices(machine.reading, vocabulary, memos.prices)
    this.providers = new RateProviders(machine, groups, references, memos.lists, filtered, (part, at) =>
      this.#note(part, at, 'duplicate_key'),
    )
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
    this.seen = 0
    this.prices.start()
    this.providers.start()
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
        if (byte === openList) return this.providers.referenceList(value)
        if (byte !== openObject) return this.providers.singleReference(value)
        break
      case keys.provider_groups:
        if (byte === openList) return this.providers.groupList(value)
        if (byte === openObject) return this.providers.singleGroup(value)
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
    const end = this.prices.readPrice(window.at)
    return end === incomplete ? machine.wait(window.at, '') : machine.pass(end)
  }

  #singlePrice(value: number): boolean {
    this.#reading.scope = 'price'
    const end = this.prices.readPrice(value)
    this.#reading.scope = 'rate'
    if (end === incomplete) return this.#machine.wait(value, 'negotiated_prices')
    this.#note(1, value, 'repeated_part')
    this.#reading.odd('single_for_list', value, 'negotiated_prices')
    return this.#machine.pass(end)
  }

  #finishRate(): void {
    const reading = this.#reading
    const at = this.offset - reading.window.base
    const set = this.providers.set()
    if (set === unwantedSet) this.prices.drop()
    else {
      if (set === 0) reading.odd('rate_without_providers', at, '')
      if (this.prices.read === 0 && reading.price === 0) reading.odd('rate_without_prices', at, '')
      this.writeRate(set)
    }
    reading.rate++
  }

  writeRate(set: number): void {
    const { rates } = this.#reading.stage.tables
    rates.index.pushWord(this.#reading.rate)
    rates.offset.pushWhole(this.offset)
    rates.set.pushWord(set)
    rates.prices.pushWord(this.prices.read)
  }
}

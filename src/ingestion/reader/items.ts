import { incomplete, objectEnd, openList, openObject, valueEnd } from './json.ts'
import { keyNumber, keys } from './keys.ts'
import { closed, waits, type Machine, type Step } from './machine.ts'
import { containedKinds, type ReadFilter } from './output.ts'
import { Words } from './word-list.ts'
import type { Rates } from './rates.ts'
import type { Reading } from './reading.ts'
import type { Vocabulary } from './words.ts'

/** Codes that a bundle or a capitation may hold; those behind them are left out. */
const containedMax = 1 << 20

/** E0601 and the like: equipment, drugs and services that CPT does not name. */
const levelTwo = /^[A-V]\d{4}$/i

/** A code as filters compare it: without regard to case and leading zeroes. */
export const comparableCode = (code: string) =>
  code
    .trim()
    .toUpperCase()
    .replace(/^0+(?=.)/, '')

/** Reads in_network: what each item is, and its rates. */
export class Items {
  /** Elements of in_network so far, and those kept. */
  items = 0
  kept = 0
  readonly #machine: Machine
  readonly #reading: Reading
  readonly #rates: Rates
  readonly #vocabulary: Vocabulary
  readonly #codes: ReadonlySet<string> | undefined
  readonly #contained = new Words()
  #offset = 0
  #arrangement = 0
  #codeType = 0
  #codeTypeVersion = 0
  #code = 0
  #name = 0
  #description = 0
  #severity = 0
  #containedKind: number = containedKinds.none
  #containedIndex = 0
  #seen = 0
  #isCpt = false
  #isLevelTwo = false
  #wanted = true
  #firstRate = 0
  #firstPrice = 0
  #firstNote = 0

  constructor(machine: Machine, rates: Rates, vocabulary: Vocabulary, filter: ReadFilter | undefined) {
    this.#machine = machine
    this.#reading = machine.reading
    this.#rates = rates
    this.#vocabulary = vocabulary
    this.#codes = filter?.codes && new Set([...filter.codes].map(comparableCode))
  }

  /** An element of in_network. */
  readonly element: Step = () => {
    const machine = this.#machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.#reading.scope = 'root'
      return machine.leave()
    }
    if (byte === openObject) return this.enterObject(machine.window.at)
    const end = machine.strictEnd(machine.window.at)
    if (end === incomplete) return machine.wait(machine.window.at, 'in_network')
    this.#reading.scope = 'item'
    this.#reading.odd(byte === 0x6e ? 'null_in_list' : 'wrong_type', machine.window.at, '')
    this.#reading.item++
    return machine.pass(end)
  }

  enterObject(at: number): true {
    const { tables } = this.#reading.stage
    this.#reading.scope = 'item'
    this.#reading.rate = 0
    this.#offset = this.#reading.window.base + at
    this.#arrangement = 0
    this.#codeType = 0
    this.#codeTypeVersion = 0
    this.#code = 0
    this.#name = 0
    this.#description = 0
    this.#severity = 0
    this.#containedKind = containedKinds.none
    this.#contained.length = 0
    this.#seen = 0
    this.#isCpt = false
    this.#isLevelTwo = false
    this.#wanted = true
    this.#firstRate = tables.rates.set.length
    this.#firstPrice = tables.prices.amount.length
    this.#firstNote = tables.notes.price.length
    return this.#machine.enter(this.member, at)
  }

  /** A member of an item. */
  readonly member: Step = () => {
    const machine = this.#machine
    this.#reading.scope = 'item'
    // Most members are short texts: as many as have come are read at one go.
    for (;;) {
      const found = machine.member()
      if (found === waits) return false
      if (found === closed) {
        this.finishItem()
        return machine.leave()
      }
      const key = found - 1
      if (key >= keys.negotiated_rates && key <= keys.covered_services) return this.#part(key)
      const end = machine.strictEnd(machine.value)
      if (end === incomplete) return this.#waitFor(key)
      this.#scalar(key, end)
      machine.pass(end)
    }
  }

  #waitFor(key: number): boolean {
    const machine = this.#machine
    const { value, keyAt, keyEnd } = machine
    const known = key >= keys.negotiation_arrangement && key <= keys.severity_of_illness
    if (known || machine.window.done || machine.window.waiting < 1 << 20) {
      return machine.wait(value, this.#reading.excerpt(keyAt + 1, keyEnd - 1))
    }
    this.#reading.unknownKey(keyAt, keyEnd)
    return machine.skip(value)
  }

  #scalar(key: number, end: number): void {
    const reading = this.#reading
    const { value, keyAt, keyEnd } = this.#machine
    if (key < keys.negotiation_arrangement || key > keys.severity_of_illness)
      return reading.unknownKey(keyAt, keyEnd)
    const bit = 1 << (key - keys.negotiation_arrangement)
    if ((this.#seen & bit) !== 0) reading.odd('duplicate_key', keyAt, reading.excerpt(keyAt + 1, keyEnd - 1))
    this.#seen |= bit
    switch (key) {
      case keys.negotiation_arrangement: {
        const text = reading.scalar(value, end, 'negotiation_arrangement')
        this.#arrangement = this.#vocabulary.arrangements.id(reading, text, value, 'negotiation_arrangement')
        break
      }
      case keys.billing_code_type: {
        const text = reading.scalar(value, end, 'billing_code_type')
        this.#codeType = this.#vocabulary.codeTypes.id(reading, text, value, 'billing_code_type')
        this.#isCpt = text.toUpperCase() === 'CPT'
        break
      }
      case keys.billing_code: {
        const text = reading.scalar(value, end, 'billing_code')
        this.#code = reading.pools.textOf(text)
        this.#isLevelTwo = levelTwo.test(text)
        this.#wanted = !this.#codes || this.#codes.has(comparableCode(text))
        break
      }
      case keys.billing_code_type_version:
        this.#codeTypeVersion = reading.text(value, end, 'billing_code_type_version')
        break
      case keys.name:
        this.#name = reading.text(value, end, 'name')
        break
      case keys.description:
        this.#description = reading.text(value, end, 'description')
        break
      default:
        this.#severity = reading.text(value, end, 'severity_of_illness')
    }
  }

  /** Goes into negotiated_rates, bundled_codes or covered_services. */
  #part(key: number): boolean {
    const machine = this.#machine
    const reading = this.#reading
    const { value, keyAt, keyEnd } = machine
    const byte = machine.window.bytes[value]!
    const leaf = reading.excerpt(keyAt + 1, keyEnd - 1)
    if (byte !== openList && byte !== openObject) {
      const end = machine.strictEnd(value)
      if (end === incomplete) return machine.wait(value, leaf)
      reading.odd(byte === 0x6e ? 'null_value' : 'wrong_type', value, leaf)
      return machine.pass(end)
    }
    const bit = 1 << (key - keys.negotiation_arrangement)
    const repeated = (this.#seen & bit) !== 0
    if (key !== keys.negotiated_rates) {
      const kind = key === keys.bundled_codes ? containedKinds.bundledCodes : containedKinds.coveredServices
      const end = byte === openList ? value : this.#readContained(value, leaf)
      if (end === incomplete) return machine.wait(value, leaf)
      if (repeated) reading.odd('repeated_part', keyAt, leaf)
      this.#seen |= bit
      this.#containedKind = kind
      this.#containedIndex = 0
      if (byte === openList) return machine.enter(this.#containedCode, value)
      reading.odd('single_for_list', value, leaf)
      return machine.pass(end)
    }
    if (repeated) reading.odd('repeated_part', keyAt, leaf)
    this.#seen |= bit
    if (!this.#wanted) return machine.skipLoosely(value)
    if (byte === openList) return machine.enter(this.#rates.element, value)
    reading.odd('single_for_list', value, leaf)
    return this.#rates.enterObject(value)
  }

  readonly #containedCode: Step = () => {
    const machine = this.#machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) return machine.leave()
    const part = this.#containedKind === containedKinds.bundledCodes ? 'bundled_codes' : 'covered_services'
    const leaf = `${part}[${this.#containedIndex}]`
    const end = this.#readContained(machine.window.at, leaf)
    if (end === incomplete) return machine.wait(machine.window.at, leaf)
    this.#containedIndex++
    return machine.pass(end)
  }

  /** Takes the code inside a bundle or capitation at `at`. */
  #readContained(at: number, leaf: string): number {
    const reading = this.#reading
    const { bytes, end } = reading.window
    const whole = this.#machine.strictEnd(at)
    if (whole === incomplete) return incomplete
    if (bytes[at] !== openObject) {
      reading.odd(bytes[at] === 0x6e ? 'null_in_list' : 'wrong_type', at, leaf)
      return whole
    }
    let codeType = 0
    let version = 0
    let code = 0
    let description = 0
    objectEnd(bytes, at, end, (keyAt, keyEnd, value) => {
      const key = keyNumber(bytes, keyAt, keyEnd) || reading.looseKey(keyAt, keyEnd)
      const after = valueEnd(bytes, value, end, 5)
      const where = `${leaf}.${reading.excerpt(keyAt + 1, keyEnd - 1)}`
      if (key === keys.billing_code_type) {
        codeType = this.#vocabulary.codeTypes.id(reading, reading.scalar(value, after, where), value, where)
      } else if (key === keys.billing_code_type_version) version = reading.text(value, after, where)
      else if (key === keys.billing_code) code = reading.text(value, after, where)
      else if (key === keys.description) description = reading.text(value, after, where)
      else if (key !== keys.negotiation_arrangement && key !== keys.name) reading.unknownKey(keyAt, keyEnd)
      return after
    })
    if (this.#contained.length < containedMax)
      this.#contained.push(reading.pools.contained(codeType, version, code, description))
    else if (this.#containedIndex === containedMax) reading.odd('too_large', at, leaf)
    return whole
  }

  /** Writes the item, or takes its rates back where a filter does not want it. */
  finishItem(): void {
    const reading = this.#reading
    const { items, rates, prices } = reading.stage.tables
    const at = this.#offset - reading.window.base
    this.items++
    reading.scope = 'item'
    if (this.#code === 0) {
      reading.odd('item_without_code', at, 'billing_code')
      this.#wanted = !this.#codes
    }
    if (!this.#wanted) this.dropItem()
    else {
      if (this.#codeType === 0) reading.odd('missing_field', at, 'billing_code_type')
      if (this.#isCpt && this.#isLevelTwo) reading.odd('code_type_mismatch', at, 'billing_code_type')
      if ((this.#seen & (1 << (keys.negotiated_rates - keys.negotiation_arrangement))) === 0) {
        reading.odd('missing_field', at, 'negotiated_rates')
      }
      this.kept++
      items.index.pushWord(reading.item)
      items.offset.pushWhole(this.#offset)
      items.arrangement.pushWord(this.#arrangement)
      items.code_type.pushWord(this.#codeType)
      items.code_type_version.pushWord(this.#codeTypeVersion)
      items.code.pushWord(this.#code)
      items.name.pushWord(this.#name)
      items.description.pushWord(this.#description)
      items.severity_of_illness.pushWord(this.#severity)
      items.contained_kind.pushByte(this.#containedKind)
      items.contained.pushBytes(this.#contained.bytes.subarray(0, this.#contained.length * 4))
      items.contained_end.pushWhole(items.contained.length)
      items.rates_end.pushWhole(rates.set.length)
      items.prices_end.pushWhole(prices.amount.length)
    }
    reading.item++
  }

  /** Takes back all rates and prices of the item being read. */
  dropItem(): void {
    const { rates, prices, notes } = this.#reading.stage.tables
    rates.index.cut(this.#firstRate)
    rates.offset.cut(this.#firstRate)
    rates.set.cut(this.#firstRate)
    rates.prices.cut(this.#firstRate)
    prices.attributes.cut(this.#firstPrice)
    prices.amount.cut(this.#firstPrice)
    notes.price.cut(this.#firstNote)
    notes.text.cut(this.#firstNote)
  }

  /** After an error inside an item: keeps its whole rates where its code is known, and takes back the rest. */
  breakOff(insideRate: boolean): void {
    if (insideRate) this.#rates.prices.drop()
    if (this.#code !== 0) this.finishItem()
    else this.dropItem()
  }
}

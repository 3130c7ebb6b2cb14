import { incomplete, openList, openObject } from './json.ts'
import type { Items } from './items.ts'
import { keyNames, keys } from './keys.ts'
import { closed, waits, type Machine, type Step } from './machine.ts'
import type { FileHeader, FileKind } from './output.ts'
import type { References } from './references.ts'
import { isoDate } from './words.ts'

const headerTextMax = 10_000

/** Reads the root of a document: its header, and which kind it is. */
export class Document {
  readonly header: Record<string, string> = {}
  /** The parts that were met, by key number. */
  readonly #parts = new Set<number>()
  readonly #machine: Machine
  readonly #references: References
  readonly #items: Items
  /** The reference that a root of provider groups stands for: the address of a remote reference. */
  readonly #location: string | undefined

  constructor(machine: Machine, references: References, items: Items, location: string | undefined) {
    this.#machine = machine
    this.#references = references
    this.#items = items
    this.#location = location
  }

  get kind(): FileKind {
    if (this.#parts.has(keys.in_network)) return 'in-network'
    if (this.#parts.has(keys.out_of_network)) return 'allowed-amounts'
    if (this.#parts.has(keys.reporting_structure)) return 'table-of-contents'
    if (this.#parts.has(keys.provider_references)) return 'in-network'
    if (this.#parts.has(keys.provider_groups)) return 'provider-reference'
    return 'other'
  }

  /** A member of the root object. */
  readonly member: Step = () => {
    const machine = this.#machine
    const { reading, window } = machine
    reading.scope = 'root'
    const found = machine.member()
    if (found === waits) return false
    if (found === closed) return machine.leave()
    const key = found - 1
    const { value, keyAt, keyEnd } = machine
    const byte = window.bytes[value]!
    if (key >= keys.in_network && key <= keys.reporting_structure) return this.#part(key, byte)
    if (key === keys.provider_groups && (byte === openList || byte === openObject)) return this.#groups(value)
    if (key === 0 || key > keys.plan_sponsor_name) {
      reading.unknownKey(keyAt, keyEnd)
      return machine.skip(value)
    }
    const end = machine.strictEnd(value)
    const name = keyNames[key]!
    if (end === incomplete) return machine.wait(value, name)
    if (this.header[name] !== undefined) reading.odd('duplicate_key', keyAt, name)
    const text = reading.scalar(value, end, name)
    if (text !== '') this.header[name] = text.slice(0, headerTextMax)
    if (key === keys.last_updated_on && text !== '') this.#judgeDate(text, value)
    return machine.pass(end)
  }

  #judgeDate(text: string, at: number): void {
    const { reading } = this.#machine
    const iso = isoDate(text)
    if (iso === undefined) reading.odd('bad_date', at, 'last_updated_on', text)
    else if (iso !== text) reading.odd('date_reshaped', at, 'last_updated_on', text)
  }

  #part(key: number, byte: number): boolean {
    const machine = this.#machine
    const { reading } = machine
    const { value, keyAt } = machine
    const name = keyNames[key]!
    if (byte !== openList && byte !== openObject) {
      const end = machine.strictEnd(value)
      if (end === incomplete) return machine.wait(value, name)
      this.#parts.add(key)
      reading.odd(byte === 0x6e ? 'null_value' : 'wrong_type', value, name)
      return machine.pass(end)
    }
    if (this.#parts.has(key)) reading.odd('repeated_part', keyAt, name)
    this.#parts.add(key)
    if (key !== keys.in_network && key !== keys.provider_references) return machine.skip(value)
    const part = key === keys.in_network ? this.#items : this.#references
    if (byte === openList) return machine.enter(part.element, value)
    reading.odd('single_for_list', value, name)
    return part.enterObject(value)
  }

  /** Groups at the root: the document is the remote half of a reference. */
  #groups(value: number): boolean {
    const machine = this.#machine
    this.#parts.add(keys.provider_groups)
    if (this.#location === undefined) return machine.skip(value)
    this.#references.start(machine.keyAt)
    return this.#references.enterGroups(value)
  }

  /** What can only be said when the root has ended. */
  finish(): void {
    const { reading } = this.#machine
    reading.scope = 'root'
    reading.group = -1
    const { kind } = this
    if (kind === 'provider-reference' && this.#location !== undefined) {
      this.#references.define(reading.pools.references.of(this.#location))
      return
    }
    if (kind !== 'in-network') return
    for (const name of ['reporting_entity_name', 'reporting_entity_type', 'last_updated_on', 'version']) {
      if (this.header[name] === undefined) reading.oddFile('missing_field', name)
    }
    if (!this.#parts.has(keys.in_network)) reading.oddFile('missing_field', 'in_network')
  }

  fileHeader(): FileHeader {
    return this.header
  }
}

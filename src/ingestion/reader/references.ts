import { storedLocation } from '../../files/address.ts'
import { closed, waits, type Machine, type Step } from './machine.ts'
import { incomplete, openList, openObject } from './json.ts'
import type { Groups } from './groups.ts'
import { keys } from './keys.ts'
import { Words } from './word-list.ts'
import type { Reading } from './reading.ts'
import { referenceAt } from './reference-list.ts'
import type { Vocabulary } from './words.ts'

const nowhere = -1

export type SignedLocation = (stored: string, location: string) => void

/** Reads provider_references: who stands behind each provider_group_id, or where that is to be fetched. */
export class References {
  /** References whose groups a filter does not want. */
  readonly unwanted = new Set<number>()
  remote = 0
  /** Whether some reference names its networks. */
  networksMet = false

  readonly #machine: Machine
  readonly #reading: Reading
  readonly #groups: Groups
  readonly #vocabulary: Vocabulary
  readonly #members = new Words()
  #offset = 0
  #reference = nowhere
  #networks = 0
  #location = 0
  #seen = 0
  #groupsRead = false

  /** Told of each location that is stored without what grants access to it, and its full text. */
  readonly #signed: SignedLocation | undefined

  constructor(machine: Machine, groups: Groups, vocabulary: Vocabulary, signed?: SignedLocation) {
    this.#signed = signed
    this.#machine = machine
    this.#reading = machine.reading
    this.#groups = groups
    this.#vocabulary = vocabulary
  }

  /** An element of provider_references. */
  readonly element: Step = () => {
    const machine = this.#machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.#reading.scope = 'root'
      return machine.leave()
    }
    this.#reading.scope = 'reference'
    if (byte === openObject) return this.enterObject(machine.window.at)
    const end = machine.strictEnd(machine.window.at)
    if (end === incomplete) return machine.wait(machine.window.at, '')
    this.#reading.odd(byte === 0x6e ? 'null_in_list' : 'wrong_type', machine.window.at, '')
    this.#reading.reference++
    return machine.pass(end)
  }

  /** Goes into the reference whose `{` stands at `at`. */
  enterObject(at: number): true {
    this.start(at)
    return this.#machine.enter(this.#member, at)
  }

  /** Begins a reference at window index `at`. */
  start(at: number): void {
    this.#reading.scope = 'reference'
    this.#offset = this.#reading.window.base + at
    this.#reference = nowhere
    this.#networks = 0
    this.#location = 0
    this.#seen = 0
    this.#groupsRead = false
    this.#members.length = 0
  }

  readonly #member: Step = () => {
    const machine = this.#machine
    const reading = this.#reading
    const found = machine.member()
    if (found === waits) return false
    if (found === closed) {
      this.define(this.#reference)
      reading.reference++
      return machine.leave()
    }
    const { value, keyAt } = machine
    const key = found - 1
    const byte = machine.window.bytes[value]!
    if (key === keys.provider_groups && (byte === openList || byte === openObject))
      return this.enterGroups(value)
    const end = machine.strictEnd(value)
    if (end === incomplete) return machine.wait(value, reading.excerpt(keyAt + 1, machine.keyEnd - 1))
    if (key >= keys.provider_group_id && key <= keys.location) {
      if ((this.#seen & (1 << (key - keys.provider_group_id))) !== 0) {
        reading.odd('duplicate_key', keyAt, reading.excerpt(keyAt + 1, machine.keyEnd - 1))
      }
      this.#seen |= 1 << (key - keys.provider_group_id)
    }
    if (key === keys.provider_group_id) {
      this.#reference = referenceAt(reading, value, end, 'provider_group_id')
    } else if (key === keys.network_name) {
      this.#readNetworks(value, end)
    } else if (key === keys.location) {
      this.#readLocation(value, end)
    } else if (key === keys.provider_groups) {
      reading.odd(byte === 0x6e ? 'null_value' : 'wrong_type', value, 'provider_groups')
    } else {
      reading.unknownKey(keyAt, machine.keyEnd)
    }
    return machine.pass(end)
  }

  /** Goes into a list of provider groups, or takes one group that stands in its place. */
  enterGroups(value: number): boolean {
    const machine = this.#machine
    const reading = this.#reading
    const isList = machine.window.bytes[value] === openList
    const end = isList ? value : this.#groups.read(value, machine.window.end, this.#members)
    if (end === incomplete) return machine.wait(value, 'provider_groups')
    if (this.#groupsRead) reading.odd('repeated_part', value, 'provider_groups')
    this.#groupsRead = true
    if (isList) {
      reading.group = 0
      return machine.enter(this.#group, value)
    }
    reading.odd('single_for_list', value, 'provider_groups')
    return machine.pass(end)
  }

  readonly #group: Step = () => {
    const machine = this.#machine
    const { window } = machine
    const byte = machine.nextElement()
    if (byte === waits) return false
    if (byte === closed) {
      this.#reading.group = -1
      return machine.leave()
    }
    const end = this.#groups.read(window.at, window.end, this.#members)
    if (end === incomplete) return machine.wait(window.at, '')
    this.#reading.group++
    return machine.pass(end)
  }

  #readNetworks(value: number, end: number): void {
    const reading = this.#reading
    const mark = reading.book.startUnit()
    this.#networks = this.#vocabulary.networks.id(reading, value, end, 'network_name')
    this.networksMet = true
    // A list in which something is odd is told each time.
    if (reading.book.endUnit(mark) === undefined)
      reading.pools.noteNetworks(reading.window, value, end, this.#networks)
  }

  #readLocation(value: number, end: number): void {
    const reading = this.#reading
    const location = reading.scalar(value, end, 'location')
    if (location === '') return
    const stored = storedLocation(location)
    if (!/^https?:\/\/[^/]/i.test(location))
      reading.odd('location_invalid', value, 'location', stored.slice(0, 200))
    if (stored !== location) this.#signed?.(stored, location)
    this.#location = reading.pools.textOf(stored)
  }

  /** Writes the definition of a reference. */
  define(reference: number): void {
    const reading = this.#reading
    const at = this.#offset - reading.window.base
    if (reference === nowhere) {
      reading.odd('missing_field', at, 'provider_group_id')
      return
    }
    if (this.#location !== 0) this.remote++
    else if (!this.#groupsRead) reading.odd('reference_empty', at, '')
    if (reading.pools.references.define(reference))
      reading.odd('reference_redefined', at, 'provider_group_id')
    this.#members.sortDistinct()
    if (this.#members.length === 0 && this.#location === 0 && this.#groupsRead) this.unwanted.add(reference)
    else this.unwanted.delete(reference)
    const { definitions } = reading.stage.tables
    definitions.reference.pushWord(reference)
    definitions.groups.pushBytes(this.#members.bytes.subarray(0, this.#members.length * 4))
    definitions.groups_end.pushWhole(definitions.groups.length)
    definitions.networks.pushWord(this.#networks)
    definitions.location.pushWord(this.#location)
    definitions.offset.pushWhole(this.#offset)
  }
}

import type { Groups } from './groups.ts'
import { incomplete } from './json.ts'
import { closed, waits, type Machine, type Step } from './machine.ts'
import { groupsPiece, referencesPiece, type Memo } from './memo.ts'
import { Words } from './word-list.ts'
import type { Reading } from './reading.ts'
import { readReferenceList, referenceAt, takeKnownReference } from './reference-list.ts'
import type { References } from './references.ts'

/** Members that a list may gather before those that come again are left out. */
const compactFrom = 1 << 20

/** Lists up to this size are looked up whole; longer ones are read element by element. */
export const listBytesMax = 1 << 20

/** The set of a list of which a filter wants no one. */
export const unwantedSet = 0xffffffff

/** Reads who a rate object is for: references, or groups in it. */
export class RateProviders {
  /** The sets of the rate object being read, so far. */
  referenceSet = 0
  groupSet = 0
  /** Whether some rate holds groups of its own. */
  groupsMet = false
  readonly #machine: Machine
  readonly #reading: Reading
  readonly #groups: Groups
  readonly #references: References
  readonly #memo: Memo
  readonly #filtered: boolean
  /** Told that a part of the rate object, 2 references or 4 groups, begins. */
  readonly #note: (part: number, at: number) => void
  readonly #members = new Words()
  #referenceIndex = 0
  /** Members of the present list that came again, whether there were any before a filter, and when to leave such out. */
  #repeated = 0
  #published = false
  #compactAt = 0

  constructor(
    machine: Machine,
    groups: Groups,
    references: References,
    memo: Memo,
    filtered: boolean,
    note: (part: number, at: number) => void,
  ) {
    this.#machine = machine
    this.#reading = machine.reading
    this.#groups = groups
    this.#references = references
    this.#memo = memo
    this.#filtered = filtered
    this.#note = note
  }

  /** Begins a rate object. */
  start(): void {
    this.referenceSet = 0
    this.groupSet = 0
  }

  /** Reads the list of references at `value`. */
  referenceList(value: number): boolean {
    const machine = this.#machine
    const { window, book } = this.#reading
    const end = window.bracketsEnd(value, window.end)
    if (end === incomplete ? window.end - value > listBytesMax : end - value > listBytesMax) {
      this.#note(2, value)
      this.#startList()
      this.#referenceIndex = 0
      return machine.enter(this.#streamedReference, value)
    }
    if (end === incomplete) return machine.wait(value, 'provider_references')
    this.#note(2, value)
    const memo = this.#memo
    const entry = memo.findPiece(value, end, referencesPiece)
    if (entry >= 0) this.referenceSet = memo.value(entry)
    else {
      this.#startList()
      const mark = book.startUnit()
      readReferenceList(this.#reading, value, end, this.#members)
      this.referenceSet = this.#setOfReferences(value)
      memo.remember(this.referenceSet, 0, book.endUnit(mark))
    }
    return machine.pass(end)
  }

  #setOfReferences(at: number): number {
    this.#compact()
    const repeated = this.#repeated
    this.#repeated = 0
    if (repeated > 0) this.#reading.odd('reference_repeated', at, 'provider_references', '', repeated)
    if (this.#members.length === 0 && this.#published) return unwantedSet
    return this.#reading.pools.set(this.#members, this.#members.length)
  }

  /** Leaves out what a filter does not want and what comes again, which is counted: a list without end has few distinct members. */
  #compact(): void {
    const members = this.#members
    this.#published = this.#filtered && (this.#published || members.length > 0)
    if (this.#filtered) {
      let kept = 0
      for (let index = 0; index < members.length; index++) {
        const reference = members.array[index]!
        if (!this.#references.unwanted.has(reference)) members.array[kept++] = reference
      }
      members.length = kept
    }
    const before = members.length
    members.sortDistinct()
    this.#repeated += before - members.length
    this.#compactAt = Math.max(compactFrom, members.length * 2)
  }

  /** Begins a list. */
  #startList(): void {
    this.#members.length = 0
    this.#repeated = 0
    this.#published = false
    this.#compactAt = compactFrom
  }

  readonly #streamedReference: Step = () => {
    const machine = this.#machine
    const { window } = this.#reading
    for (;;) {
      const byte = machine.nextElement()
      if (byte === waits) return false
      if (byte === closed) {
        this.referenceSet = this.#setOfReferences(window.at)
        return machine.leave()
      }
      const end = this.#referenceEnd(window.at)
      if (end === incomplete) return machine.wait(window.at, 'provider_references')
      this.#referenceIndex++
      if (this.#members.length >= this.#compactAt) this.#compact()
      machine.pass(end)
    }
  }

  /** Takes the reference at `at`. Answers its end. */
  #referenceEnd(at: number): number {
    const known = takeKnownReference(this.#reading, at, this.#reading.window.end, this.#members)
    if (known >= 0) return known
    const end = this.#machine.strictEnd(at)
    if (end === incomplete) return incomplete
    const reference = referenceAt(this.#reading, at, end, `provider_references[${this.#referenceIndex}]`)
    if (reference >= 0) this.#members.push(reference)
    return end
  }

  /** Reads the reference that stands where a list is due. */
  singleReference(value: number): boolean {
    const machine = this.#machine
    const { window } = this.#reading
    const end = machine.strictEnd(value)
    if (end === incomplete) return machine.wait(value, 'provider_references')
    this.#note(2, value)
    this.#startList()
    const isNull = window.bytes[value] === 0x6e
    this.#reading.odd(isNull ? 'null_value' : 'single_for_list', value, 'provider_references')
    const reference = isNull ? -1 : referenceAt(this.#reading, value, end, 'provider_references')
    if (reference >= 0) this.#members.push(reference)
    this.referenceSet = this.#setOfReferences(value)
    return machine.pass(end)
  }

  /** Reads the list of groups at `value`. */
  groupList(value: number): boolean {
    this.groupsMet = true
    const machine = this.#machine
    const { window, book } = this.#reading
    const end = window.bracketsEnd(value, window.end)
    if (end === incomplete ? window.end - value > listBytesMax : end - value > listBytesMax) {
      this.#note(4, value)
      this.#startList()
      this.#reading.group = 0
      return machine.enter(this.#streamedGroup, value)
    }
    if (end === incomplete) return machine.wait(value, 'provider_groups')
    this.#note(4, value)
    const memo = this.#memo
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
    if (this.#members.length >= this.#compactAt) {
      this.#members.sortDistinct()
      this.#compactAt = Math.max(compactFrom, this.#members.length * 2)
    }
    return machine.pass(end)
  }

  /** Reads the group that stands where a list is due. */
  singleGroup(value: number): boolean {
    this.#members.length = 0
    const end = this.#groups.read(value, this.#reading.window.end, this.#members)
    if (end === incomplete) return this.#machine.wait(value, 'provider_groups')
    this.#note(4, value)
    this.#reading.odd('single_for_list', value, 'provider_groups')
    this.groupSet = this.#setOfGroups()
    return this.#machine.pass(end)
  }

  /** The set of the rate object. */
  set(): number {
    const { referenceSet, groupSet } = this
    if (referenceSet === unwantedSet) return groupSet === 0 ? unwantedSet : groupSet
    if (groupSet === unwantedSet) return referenceSet === 0 ? unwantedSet : referenceSet
    if (referenceSet === 0) return groupSet
    return groupSet === 0 ? referenceSet : this.#reading.pools.unite(referenceSet, groupSet)
  }
}

import { Interner, scratchPlace, type Place } from './interner.ts'
import { referenceFlags } from './output.ts'
import type { ReaderMemory } from './reader-module.ts'
import { ReferenceFlags } from './reference-flags.ts'
import type { Column, StageWriter } from './stage.ts'

const smallReferencesMax = 1_000_000
const smallDigitsMax = 6

/** The text of content, which its pool numbers. */
export type NumberedText = (place: Place, start: number, end: number) => number

/** The provider_group_ids of a file: each has one number, always, for definitions and uses meet there. */
export class ReferencePool {
  readonly #ids: Column
  readonly #written: Column
  readonly #text: NumberedText
  readonly #flags: ReferenceFlags
  readonly #others = new Interner(Number.POSITIVE_INFINITY)
  /** Whole numbers below a million have a table of their own, which the module reads and writes too. */
  readonly #small: Uint32Array

  constructor({ tables }: StageWriter, text: NumberedText, memory: ReaderMemory | undefined) {
    this.#ids = tables.references.id
    this.#written = tables.references.flags
    this.#text = text
    this.#flags = new ReferenceFlags(memory)
    this.#small = memory
      ? new Uint32Array(memory.buffer, memory.places.smallReferencesAt, smallReferencesMax)
      : new Uint32Array(smallReferencesMax)
  }

  /** The reference of a provider_group_id, given as the bytes of its canonical text. */
  numbered(place: Place, start: number, end: number): number {
    const id = this.#ids.length
    const number = smallNumber(place.bytes, start, end)
    const known = number >= 0 ? this.small(number) : this.#others.find(place, start, end)
    if (known >= 0) return known
    if (number >= 0) this.#small[number] = id + 1
    else this.#others.add(id)
    this.#ids.pushWord(this.#text(place, start, end))
    return id
  }

  /** The reference of a whole number below a million, where it was met before; -1 otherwise. */
  small(number: number): number {
    return this.#small[number]! - 1
  }

  of(text: string): number {
    const place = scratchPlace(text.length * 3)
    return this.numbered(place, 0, place.bytes.write(text, 'utf8'))
  }

  /** Marks a reference as defined. Answers whether it was so before. */
  define(reference: number): boolean {
    const before = (this.#flags.of(reference) & referenceFlags.defined) !== 0
    this.#flags.mark(reference, referenceFlags.defined)
    return before
  }

  /** Marks a reference as used by a rate. */
  use(reference: number): void {
    this.#flags.mark(reference, referenceFlags.used)
  }

  /** Writes what is only known at the end, and counts it. */
  finish(): { defined: number; used: number; unused: number; undefined: number } {
    const counts = { defined: 0, used: 0, unused: 0, undefined: 0 }
    for (let id = 0; id < this.#ids.length; id++) {
      const flag = this.#flags.of(id)
      this.#written.pushByte(flag)
      const defined = (flag & referenceFlags.defined) !== 0
      const used = (flag & referenceFlags.used) !== 0
      if (defined) counts.defined++
      if (used) counts.used++
      if (defined && !used) counts.unused++
      if (used && !defined) counts.undefined++
    }
    return counts
  }
}

/** The whole number below a million that a text is, in its usual form; -1 where it is none. */
function smallNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || end - start > smallDigitsMax || (bytes[start] === 0x30 && end > start + 1)) return -1
  let number = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

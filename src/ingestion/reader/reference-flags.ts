import type { ReaderMemory } from './reader-module.ts'

/** What is known of each reference: a byte of `referenceFlags`. Those of the first ones may lie in the memory of the module. */
export class ReferenceFlags {
  readonly #first: Uint8Array
  #more = new Uint8Array(1024)

  constructor(memory: ReaderMemory | undefined) {
    this.#first = memory
      ? new Uint8Array(memory.buffer, memory.places.flaggedReferencesAt, memory.places.flaggedReferences)
      : new Uint8Array(0)
  }

  of(reference: number): number {
    const first = this.#first
    return reference < first.length ? first[reference]! : (this.#more[reference - first.length] ?? 0)
  }

  mark(reference: number, flag: number): void {
    const first = this.#first
    if (reference < first.length) {
      first[reference]! |= flag
      return
    }
    const place = reference - first.length
    if (place >= this.#more.length) {
      const more = new Uint8Array(Math.max(place + 1, this.#more.length * 2))
      more.set(this.#more)
      this.#more = more
    }
    this.#more[place]! |= flag
  }
}

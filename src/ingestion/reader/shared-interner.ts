import type { Interning, Place } from './interner.ts'
import type { ReaderMemory, ReaderModule } from './reader-module.ts'

/** The tables of the module that number content. */
export const contentTables = { texts: 0, groups: 1, sets: 2 } as const

/** Interning in a table of the module, which numbers content by itself too. */
export class SharedInterner implements Interning {
  readonly #module: ReaderModule
  readonly #memory: ReaderMemory
  readonly #table: number

  constructor(module: ReaderModule, memory: ReaderMemory, table: number) {
    this.#module = module
    this.#memory = memory
    this.#table = table
  }

  find({ bytes }: Place, start: number, end: number, seed = 0): number {
    const module = this.#module
    if (bytes.buffer !== this.#memory.buffer) return this.#findElsewhere(bytes, start, end, seed)
    return module.findContent(this.#table, bytes.byteOffset + start, bytes.byteOffset + end, seed)
  }

  /** Content in other memory is digested part by part. */
  #findElsewhere(bytes: Uint8Array, start: number, end: number, seed: number): number {
    const module = this.#module
    const { contentAt, contentBytes } = this.#memory.places
    module.beginContent(seed)
    for (let from = start; from === start || from < end; from += contentBytes!) {
      const to = Math.min(from + contentBytes!, end)
      this.#memory.bytes.set(bytes.subarray(from, to), contentAt)
      module.digestPart(contentAt!, contentAt! + to - from)
    }
    return module.numbered(this.#table)
  }

  add(id: number): void {
    this.#module.number(this.#table, id)
  }
}

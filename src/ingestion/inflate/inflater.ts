import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { inflateMemory, layout, slotAt, type InflateMemory } from './inflate-memory.ts'

/** The little of the WebAssembly interface that is used here; the types of the language's own library leave it out. */
interface WasmModule {
  readonly [Symbol.toStringTag]: string
}
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => WasmModule
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: unknown }
}
const { Instance, Module } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly

interface InflateModule {
  inflate(): number
  restart(): void
  move(to: number, from: number, count: number): void
}

/**
 * How far an inflater came: it wants `input`, another slot (`room`), or is at the `end`;
 * the file is `cut` off, or `damaged` in a way that `Inflater.says`.
 */
export type InflateState = 'input' | 'room' | 'end' | 'cut' | 'damaged'

const answers = ['input', 'room', 'member', 'damaged', 'cut'] as const

let compiled: WasmModule | undefined

/** Inflates a gzip file (RFC 1952), also of several members, as its bytes come. Checks lengths and checksums. */
export class Inflater {
  /** What is damaged. */
  says = ''
  readonly #memory: InflateMemory
  readonly #module: InflateModule
  readonly #bytes: Uint8Array
  readonly #words: Int32Array
  #stage: 'header' | 'data' | 'trailer' | 'padding' = 'header'
  #inAt: number = layout.inputAt
  #inEnd: number = layout.inputAt
  #last = false
  #members = 0
  #slot = 0
  #outAt = 0
  #reach = 0
  #crc = 0
  #size = 0

  constructor(memory = inflateMemory()) {
    compiled ??= new Module(readFileSync(join(import.meta.dirname, 'inflate.wasm')))
    this.#memory = memory
    this.#module = new Instance(compiled, { env: { memory } }).exports as InflateModule
    this.#bytes = new Uint8Array(memory.buffer)
    this.#words = new Int32Array(memory.buffer)
    this.#module.restart()
    this.#outAt = slotAt(this.#slot)
    this.#reach = this.#outAt
  }

  /** Takes as much of a chunk as there is room for. Answers how much. */
  push(chunk: Uint8Array): number {
    const bytes = this.#bytes
    if (this.#inAt > layout.inputAt) {
      bytes.copyWithin(layout.inputAt, this.#inAt, this.#inEnd)
      this.#inEnd -= this.#inAt - layout.inputAt
      this.#inAt = layout.inputAt
    }
    const room = layout.inputAt + layout.inputBytes - this.#inEnd
    const taken = room < chunk.length ? chunk.subarray(0, room) : chunk
    if (chunk.buffer === this.#memory.buffer) this.#module.move(this.#inEnd, chunk.byteOffset, taken.length)
    else bytes.set(taken, this.#inEnd)
    this.#inEnd += taken.length
    return taken.length
  }

  /** No more input will come. */
  finish(): void {
    this.#last = true
    // The decoder looks a few bytes ahead.
    this.#bytes.fill(0, this.#inEnd, this.#inEnd + 64)
  }

  /** Goes over to another slot of output. What the stream may still copy from is taken along. */
  goTo(slot: number): void {
    const kept = Math.min(layout.historyBytes, this.#outAt - this.#reach)
    const start = slotAt(slot)
    this.#module.move(start - kept, this.#outAt - kept, kept)
    this.#slot = slot
    this.#outAt = start
    this.#reach = start - kept
  }

  /** Bytes in the slot so far. */
  get filled(): number {
    return this.#outAt - slotAt(this.#slot)
  }

  /** Inflates as far as input and slot allow. */
  advance(): InflateState {
    for (;;) {
      if (this.#stage === 'header') {
        const state = this.#readHeader()
        if (state) return state
      } else if (this.#stage === 'data') {
        const state = this.#inflate()
        if (state) return state
      } else if (this.#stage === 'trailer') {
        const state = this.#readTrailer()
        if (state) return state
      } else {
        this.#inAt = this.#inEnd
        return this.#last ? 'end' : 'input'
      }
    }
  }

  #inflate(): InflateState | undefined {
    const words = this.#words
    words[layout.regInAt >> 2] = this.#inAt
    words[layout.regInEnd >> 2] = this.#inEnd
    words[layout.regLast >> 2] = this.#last ? 1 : 0
    words[layout.regOutAt >> 2] = this.#outAt
    words[layout.regOutStart >> 2] = slotAt(this.#slot)
    words[layout.regReach >> 2] = this.#reach
    const answer = answers[this.#module.inflate()]!
    const outAt = words[layout.regOutAt >> 2]!
    this.#crc = crc32(this.#bytes.subarray(this.#outAt, outAt), this.#crc)
    this.#size = (this.#size + outAt - this.#outAt) >>> 0
    this.#outAt = outAt
    this.#inAt = words[layout.regInAt >> 2]!
    if (answer === 'damaged') return this.#damaged('its data are no deflate stream')
    if (answer !== 'member') return answer
    this.#stage = 'trailer'
    return undefined
  }

  #damaged(says: string): 'damaged' {
    this.says = says
    return 'damaged'
  }

  /** Waits for more, or finds that no more comes. */
  #starved(): InflateState {
    return this.#last ? 'cut' : 'input'
  }

  #readHeader(): InflateState | undefined {
    const bytes = this.#bytes
    const start = this.#inAt
    const end = this.#inEnd
    if (start === end) return this.#last && this.#members > 0 ? 'end' : this.#starved()
    if (this.#members > 0 && bytes[start] === 0) {
      // Zeroes behind the last member fill up a block of a tape or disk.
      this.#stage = 'padding'
      return undefined
    }
    if (end - start < 10) return this.#starved()
    if (bytes[start] !== 0x1f || bytes[start + 1] !== 0x8b) return this.#damaged('no gzip member begins here')
    if (bytes[start + 2] !== 8) return this.#damaged('an unknown method of compression')
    const flags = bytes[start + 3]!
    if ((flags & 0xe0) !== 0) return this.#damaged('unknown flags')
    let at = start + 10
    if ((flags & 4) !== 0) at += 2 + (bytes[at]! | (bytes[at + 1]! << 8))
    for (const flag of [8, 16]) {
      if ((flags & flag) === 0) continue
      while (at < end && bytes[at] !== 0) at++
      at++
    }
    if ((flags & 2) !== 0) at += 2
    if (at > end) {
      return end - start >= layout.inputBytes ? this.#damaged('a header without end') : this.#starved()
    }
    this.#inAt = at
    this.#members++
    this.#crc = 0
    this.#size = 0
    this.#reach = this.#outAt
    this.#module.restart()
    this.#stage = 'data'
    return undefined
  }

  #readTrailer(): InflateState | undefined {
    if (this.#inEnd - this.#inAt < 8) return this.#starved()
    const view = new DataView(this.#memory.buffer, this.#inAt, 8)
    this.#inAt += 8
    if (view.getUint32(0, true) !== this.#crc) return this.#damaged('its checksum does not hold')
    if (view.getUint32(4, true) !== this.#size) return this.#damaged('its length does not hold')
    this.#stage = 'header'
    return undefined
  }
}

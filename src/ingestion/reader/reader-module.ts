import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the module exports: its functions, and as numbers the places in its memory. */
export interface ReaderModule {
  run(): void
  renew(): number
  bracketsEnd(at: number, end: number): number
  findPrice(at: number, rateAt: number, rateEnd: number, end: number, table: number, slots: number): number
  findNotedPrice(
    at: number,
    hole: number,
    holeEnd: number,
    other: number,
    otherEnd: number,
    end: number,
    table: number,
    slots: number,
  ): number
  findPiece(at: number, end: number, kind: number, table: number, slots: number): number
  scanPrice(at: number, end: number): number
  readGroup(at: number, end: number): number
  skipOn(at: number, end: number): number
  beginContent(seed: number): void
  digestPart(at: number, end: number): void
  numbered(table: number): number
  number(table: number, id: number): void
  findContent(table: number, at: number, end: number, seed: number): number
}

export type Places = Readonly<Record<string, number>>

/** The module's places, and its memory in the forms in which it is looked at. */
export interface ReaderMemory {
  readonly places: Places
  readonly buffer: ArrayBuffer
  readonly bytes: Uint8Array
  readonly words: Uint32Array
  readonly view: DataView
}

const pageBytes = 1 << 16

/** The little of the WebAssembly interface that is used here; the types of the language's own library leave it out. */
interface WasmModule {
  readonly [Symbol.toStringTag]: string
}
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => WasmModule
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (
    module: WasmModule,
    imports: object,
  ) => { readonly exports: Record<string, unknown> }
}
const { Instance, Memory, Module } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly

let compiled: WasmModule | undefined | null

/** The reader's WebAssembly; undefined where this machine cannot run it. */
function readerModule(): WasmModule | undefined {
  if (compiled === undefined) {
    try {
      compiled = new Module(readFileSync(join(import.meta.dirname, 'reader.wasm')))
    } catch {
      compiled = null
    }
  }
  return compiled ?? undefined
}

let places: Places | undefined

/** The module's constants. They do not depend on a memory, so a small one serves to read them. */
function placesOf(wasm: WasmModule): Places {
  if (places) return places
  const memory = new Memory({ initial: 1 })
  const { exports } = new Instance(wasm, { env: { memory } })
  places = Object.fromEntries(
    Object.entries(exports)
      .filter(([, value]) => typeof value === 'object')
      .map(([name, value]) => [name, (value as { value: number }).value]),
  )
  return places
}

/** The module with a memory of its own. */
export interface OpenModule {
  readonly module: ReaderModule
  readonly memory: ReaderMemory
}

/** A module that waits for the next file: making one takes a while. */
let idle: OpenModule | undefined

/** Makes a module ahead of the file it is for. */
export function prepareReaderModule(): void {
  idle ??= newModule()
}

/** A module for one file; undefined where this machine cannot run it, or has no memory for it. */
export function takeReaderModule(): OpenModule | undefined {
  const taken = idle ?? newModule()
  idle = undefined
  return taken
}

/** Keeps a module whose file is read for the next one. */
export function giveReaderModule(used: OpenModule): void {
  if (!idle && used.module.renew() !== 0) idle = used
}

function newModule(): OpenModule | undefined {
  const wasm = readerModule()
  if (!wasm) return undefined
  const places = placesOf(wasm)
  const memory = newMemory(Math.ceil((places.memoryBytes! + 64) / pageBytes))
  if (!memory) return undefined
  const { buffer } = memory
  return {
    module: new Instance(wasm, { env: { memory } }).exports as unknown as ReaderModule,
    memory: {
      places,
      buffer,
      bytes: new Uint8Array(buffer),
      words: new Uint32Array(buffer),
      view: new DataView(buffer),
    },
  }
}

/** Memory of so many pages. What nobody touches costs nothing, but some machines do not promise more than they have. */
function newMemory(initial: number): { readonly buffer: ArrayBuffer } | undefined {
  try {
    return new Memory({ initial })
  } catch (problem) {
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FindingBook } from '../findings.ts'
import type { Machine } from './machine.ts'
import { MemoTable, entryWords } from './memo.ts'
import type { Memos, Rates } from './rates.ts'
import type { PriceScan } from './price-scan.ts'
import { bufferedNumbers, type Column, type ColumnMemory } from './stage.ts'
import { Window } from './window.ts'

/** What the module exports: its functions, and as numbers the places in its memory. */
interface ReaderModule {
  run(): void
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
}

type Places = Readonly<Record<string, number>>

const pageBytes = 1 << 16

/** Where nothing repeats, looking ahead is in vain: after so many runs without a row it rests for so many steps. */
const vainMax = 32
const restSteps = 512

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

/** A window in the memory of the module, which passes over lists sixteen bytes at a time. */
class SharedWindow extends Window {
  readonly #module: ReaderModule
  readonly #offset: number
  readonly #scanned: Int32Array
  readonly #amount: Float64Array

  constructor(module: ReaderModule, memory: ArrayBuffer, places: Places) {
    super(memory, places.windowAt)
    this.#module = module
    this.#offset = places.windowAt!
    this.#scanned = new Int32Array(memory, places.regScanned, 4)
    this.#amount = new Float64Array(memory, places.regAmount, 1)
  }

  override scanPrice(at: number, end: number, scan: PriceScan): void {
    const offset = this.#offset
    const close = this.#module.scanPrice(at + offset, end + offset)
    const words = this.#scanned
    scan.end = close < 0 ? close : close - offset
    scan.rateAt = words[0] === 0 ? 0 : words[0]! - offset
    scan.rateEnd = words[1]! - offset
    scan.noteAt = words[2] === 0 ? 0 : words[2]! - offset
    scan.noteEnd = words[3]! - offset
    scan.amount = this.#amount[0]!
  }

  override bracketsEnd(at: number, end: number): number {
    const close = this.#module.bracketsEnd(at + this.#offset, end + this.#offset)
    return close < 0 ? close : close - this.#offset
  }
}

/** A memo in the memory of the module, which looks up there itself. */
class SharedMemo extends MemoTable {
  protected readonly digest: Uint32Array
  readonly #module: ReaderModule
  readonly #free: Int32Array
  readonly #at: number
  readonly #window: number

  constructor(
    module: ReaderModule,
    memory: ArrayBuffer,
    at: number,
    slots: number,
    places: Places,
    book?: FindingBook,
  ) {
    super(new Uint32Array(memory, at, slots * entryWords), book)
    this.#module = module
    this.digest = new Uint32Array(memory, places.regDigest, 4)
    this.#free = new Int32Array(memory, places.regFree, 1)
    this.#at = at
    this.#window = places.windowAt!
  }

  protected get free(): number {
    return this.#free[0]! / 4
  }

  findPrice(at: number, rateAt: number, rateEnd: number, end: number): number {
    const offset = this.#window
    const { slots } = this
    return this.#entry(
      this.#module.findPrice(at + offset, rateAt + offset, rateEnd + offset, end + offset, this.#at, slots),
    )
  }

  findNotedPrice(at: number, { rateAt, rateEnd, noteAt, noteEnd, end }: PriceScan): number {
    const offset = this.#window
    const noteFirst = noteAt < rateAt
    const address = this.#module.findNotedPrice(
      at + offset,
      (noteFirst ? noteAt : rateAt) + offset,
      (noteFirst ? noteEnd : rateEnd) + offset,
      (noteFirst ? rateAt : noteAt) + offset,
      (noteFirst ? rateEnd : noteEnd) + offset,
      end + offset,
      this.#at,
      this.slots,
    )
    return this.#entry(address)
  }

  findPiece(at: number, end: number, kind: number): number {
    const offset = this.#window
    return this.#entry(this.#module.findPiece(at + offset, end + offset, kind, this.#at, this.slots))
  }

  #entry(address: number): number {
    return address < 0 ? address : (address - this.#at) / 4
  }
}

/**
 * Passes over rates whose bytes were met before, in WebAssembly with vectors. It writes rows straight into the buffers of the
 * staged columns, and stops before whatever is new: that is read by the steps of the reader, as always.
 */
export class Accelerator {
  readonly window: Window
  readonly memos: Memos
  /** The buffers of the columns that the module writes. */
  readonly memories: ReadonlyMap<string, ColumnMemory>
  /** Sizes and places in the module's memory, by name. */
  readonly places: Places
  readonly #run: () => void
  readonly #windowAt: number
  readonly #words: Int32Array
  readonly #floats: Float64Array
  #vain = 0
  #rest = 0

  constructor(book: FindingBook, wasm: WasmModule) {
    const places = placesOf(wasm)
    const memory = new Memory({ initial: Math.ceil((places.memoryBytes! + 64) / pageBytes) })
    const instance = new Instance(wasm, { env: { memory } })
    const module = instance.exports as unknown as ReaderModule
    const { buffer } = memory
    const memo = (name: string, withBook: boolean) =>
      new SharedMemo(
        module,
        buffer,
        places[`${name}MemoAt`]!,
        places[`${name}Slots`]!,
        places,
        withBook ? book : undefined,
      )
    this.window = new SharedWindow(module, buffer, places)
    this.memos = { prices: memo('price', true), lists: memo('list', true), groups: memo('group', false) }
    const column = (place: string) => ({ buffer, at: places[place]! })
    this.memories = new Map([
      ['prices.attributes', column('priceAttributesAt')],
      ['prices.amount', column('priceAmountsAt')],
      ['rates.index', column('rateIndexesAt')],
      ['rates.offset', column('rateOffsetsAt')],
      ['rates.set', column('rateSetsAt')],
      ['rates.prices', column('ratePricesAt')],
      ['notes.price', column('notePricesAt')],
      ['notes.text', column('noteTextsAt')],
    ])
    this.#run = () => module.run()
    this.places = places
    this.#windowAt = places.windowAt!
    this.#words = new Int32Array(buffer, places.registersAt, 24)
    this.#floats = new Float64Array(buffer, places.regBase, 3)
  }

  /** Goes on from the machine's place as far as everything is known. */
  run(machine: Machine, rates: Rates): void {
    if (this.#rest > 0) {
      this.#rest--
      return
    }
    const state = rates.depth()
    if (state === 0) return
    const { window, reading } = machine
    const { prices, rates: rateRows, notes } = reading.stage.tables
    const words = this.#words
    const offset = this.#windowAt
    flushWhenNearlyFull(prices.attributes, prices.amount)
    flushWhenNearlyFull(rateRows.index, rateRows.offset, rateRows.set, rateRows.prices)
    flushWhenNearlyFull(notes.price, notes.text)
    const pricesBefore = prices.amount.buffered
    const ratesBefore = rateRows.set.buffered
    const notesBefore = notes.price.buffered
    words[0] = window.at + offset
    words[1] = window.end + offset
    words[2] = state
    words[3] = machine.due
    words[4] = rates.seen
    words[5] = reading.rate
    words[6] = reading.price
    words[7] = rates.pricesRead
    words[8] = rates.notesRead
    words[9] = rates.referenceSet
    words[10] = rates.groupSet
    words[11] = pricesBefore
    words[12] = ratesBefore
    words[13] = notesBefore
    this.#floats[0] = window.base
    this.#floats[1] = prices.amount.length - pricesBefore
    this.#floats[2] = rates.offset
    this.#run()
    window.at = words[0]! - offset
    machine.due = words[3]!
    rates.seen = words[4]!
    reading.rate = words[5]!
    reading.price = words[6]!
    rates.pricesRead = words[7]!
    rates.notesRead = words[8]!
    rates.referenceSet = words[9]! >>> 0
    rates.groupSet = words[10]! >>> 0
    rates.offset = this.#floats[2]!
    grow(words[11]! - pricesBefore, prices.attributes, prices.amount)
    grow(words[12]! - ratesBefore, rateRows.index, rateRows.offset, rateRows.set, rateRows.prices)
    grow(words[13]! - notesBefore, notes.price, notes.text)
    if (words[2] !== state) rates.moveTo(words[2]!)
    if (words[11] !== pricesBefore || words[12] !== ratesBefore) this.#vain = 0
    else if (++this.#vain === vainMax) {
      this.#vain = 0
      this.#rest = restSteps
    }
  }
}

function flushWhenNearlyFull(...columns: Column[]): void {
  if (columns[0]!.buffered * 4 > bufferedNumbers * 3) for (const column of columns) column.flush()
}

function grow(rows: number, ...columns: Column[]): void {
  if (rows > 0) for (const column of columns) column.length += rows
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

/** An accelerator, where this machine can run it. */
export function openAccelerator(book: FindingBook): Accelerator | undefined {
  const wasm = readerModule()
  return wasm && new Accelerator(book, wasm)
}

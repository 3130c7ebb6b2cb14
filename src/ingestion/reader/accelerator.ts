import type { FindingBook } from '../findings.ts'
import type { Machine } from './machine.ts'
import type { Pools } from './pools.ts'
import type { Memos, Rates } from './rates.ts'
import { newReaderModule, readerModule, type ReaderMemory, type WasmModule } from './reader-module.ts'
import { SharedMemo } from './shared-memo.ts'
import { SharedWindow } from './shared-window.ts'
import { bufferedNumbers, type Column, type ColumnMemory } from './stage.ts'
import type { Window } from './window.ts'

/** Where nothing repeats, looking ahead is in vain: after so many runs of a few bytes it rests for so many steps. */
const vainBytes = 128
const vainMax = 32
const restSteps = 512

/**
 * Passes over rates whose bytes were met before, in WebAssembly with vectors. It writes rows straight into the buffers of the
 * staged columns, and stops before whatever is new: that is read by the steps of the reader, as always.
 */
export class Accelerator {
  readonly window: Window
  readonly memos: Memos
  /** The buffers of the columns that the module writes. */
  readonly memories: ReadonlyMap<string, ColumnMemory>
  readonly memory: ReaderMemory
  readonly #run: () => void
  readonly #windowAt: number
  readonly #lists: SharedMemo
  /** The registers that count what was read here for the first time: lists, their members, notes. */
  readonly #newAt: number
  readonly #words: Int32Array
  readonly #floats: Float64Array
  #vain = 0
  #rest = 0

  constructor(book: FindingBook, wasm: WasmModule) {
    const { module, memory } = newReaderModule(wasm)
    const { places, buffer } = memory
    const memo = (name: string, slotsAt?: number, effectsTo?: FindingBook) =>
      new SharedMemo(module, memory, places[`${name}MemoAt`]!, places[`${name}Slots`]!, slotsAt, effectsTo)
    this.memory = memory
    this.window = new SharedWindow(module, memory)
    this.#lists = memo('list', places.regListSlots, book)
    this.memos = {
      prices: memo('price', places.regPriceSlots, book),
      lists: this.#lists,
      groups: memo('group'),
    }
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
    this.#windowAt = places.windowAt!
    this.#words = new Int32Array(buffer, places.registersAt, 48)
    this.#floats = new Float64Array(buffer, places.regBase, 3)
    this.#newAt = (places.regNewLists! - places.registersAt!) / 4
  }

  /** With a filter, lists are judged by the reader's own steps alone. */
  set filtered(filtered: boolean) {
    this.#words[this.#newAt + 3] = filtered ? 1 : 0
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
    const before = window.at
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
    words[7] = rates.prices.read
    words[8] = rates.prices.notes
    words[9] = rates.providers.referenceSet
    words[10] = rates.providers.groupSet
    words[11] = pricesBefore
    words[12] = ratesBefore
    words[13] = notesBefore
    words.fill(0, this.#newAt, this.#newAt + 3)
    this.#floats[0] = window.base
    this.#floats[1] = prices.amount.length - pricesBefore
    this.#floats[2] = rates.offset
    this.#run()
    if (words[this.#newAt]! > 0) this.#numberLists(reading.pools)
    if (words[this.#newAt + 2]! > 0) this.#numberNotes(reading.pools)
    window.at = words[0]! - offset
    machine.due = words[3]!
    rates.seen = words[4]!
    reading.rate = words[5]!
    reading.price = words[6]!
    rates.prices.read = words[7]!
    rates.prices.notes = words[8]!
    rates.providers.referenceSet = words[9]! >>> 0
    rates.providers.groupSet = words[10]! >>> 0
    rates.offset = this.#floats[2]!
    grow(words[11]! - pricesBefore, prices.attributes, prices.amount)
    grow(words[12]! - ratesBefore, rateRows.index, rateRows.offset, rateRows.set, rateRows.prices)
    grow(words[13]! - notesBefore, notes.price, notes.text)
    if (words[2] !== state) rates.moveTo(words[2]!)
    if (window.at - before > vainBytes) this.#vain = 0
    else if (++this.#vain === vainMax) {
      this.#vain = 0
      this.#rest = restSteps
    }
  }

  /** Gives the lists that the module read for the first time their sets. */
  #numberLists(pools: Pools): void {
    const { memory } = this
    const { newListsAt, newListBytes, membersAt, rateSetsAt } = memory.places
    const count = this.#words[this.#newAt]!
    for (let list = 0; list < count; list++) {
      const record = (newListsAt! + list * newListBytes!) / 4
      const members = memory.words[record + 5]!
      const set = pools.referenceSet(memory, membersAt! + memory.words[record + 4]! * 4, members)
      if (this.#lists.findDigest(record * 4) < 0) this.#lists.remember(set, 0, undefined)
      const row = memory.words[record + 6]! | 0
      // Without a row the rate is still being read.
      if (row < 0) this.#words[9] = set
      else memory.words[rateSetsAt! / 4 + row] = set
    }
  }

  /** Gives notes their texts. */
  #numberNotes(pools: Pools): void {
    const { words, bytes, view, places } = this.memory
    const { newNotesAt, newNoteBytes, noteTextsAt } = places
    const count = this.#words[this.#newAt + 2]!
    for (let note = 0; note < count; note++) {
      const record = (newNotesAt! + note * newNoteBytes!) / 4
      words[noteTextsAt! / 4 + words[record]!] = pools.text(
        bytes,
        view,
        words[record + 1]!,
        words[record + 2]!,
      )
    }
  }
}

function flushWhenNearlyFull(...columns: Column[]): void {
  if (columns[0]!.buffered * 4 > bufferedNumbers * 3) for (const column of columns) column.flush()
}

function grow(rows: number, ...columns: Column[]): void {
  if (rows > 0) for (const column of columns) column.length += rows
}

/** An accelerator, where this machine can run it. */
export function openAccelerator(book: FindingBook): Accelerator | undefined {
  const wasm = readerModule()
  return wasm && new Accelerator(book, wasm)
}

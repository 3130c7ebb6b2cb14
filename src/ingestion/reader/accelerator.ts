import { isEinPrefix } from '../../vocabulary/provider-numbers.ts'
import { effectOf, type FindingBook } from '../findings.ts'
import type { Machine } from './machine.ts'
import type { StagedTable } from './output.ts'
import type { SharedPools } from './pools.ts'
import type { Memos, Rates } from './rates.ts'
import { giveReaderModule, takeReaderModule, type OpenModule, type ReaderMemory } from './reader-module.ts'
import type { Reading } from './reading.ts'
import type { References } from './references.ts'
import { contentTables, SharedInterner } from './shared-interner.ts'
import { SharedMemo, type MemoRegisters } from './shared-memo.ts'
import { SharedWindow } from './shared-window.ts'
import type { Column, ColumnMemory, StageWriter } from './stage.ts'
import type { Window } from './window.ts'

/** The columns that the module writes, and what it calls them. */
const sharedColumns = {
  'prices.attributes': 'priceAttributes',
  'prices.amount': 'priceAmounts',
  'rates.index': 'rateIndexes',
  'rates.offset': 'rateOffsets',
  'rates.set': 'rateSets',
  'rates.prices': 'ratePrices',
  'notes.price': 'notePrices',
  'notes.text': 'noteTexts',
  'texts.bytes': 'textBytes',
  'texts.end': 'textEnds',
  'sets.references': 'setReferences',
  'sets.references_end': 'setReferencesEnds',
  'sets.groups': 'setGroups',
  'sets.groups_end': 'setGroupsEnds',
  'groups.tin_type': 'groupTinTypes',
  'groups.tin': 'groupTins',
  'groups.business_name': 'groupNames',
  'groups.flags': 'groupFlags',
  'groups.npis_end': 'groupNpisEnds',
  'groups.npis': 'groupNpis',
  'definitions.reference': 'definedReferences',
  'definitions.groups': 'definedGroups',
  'definitions.groups_end': 'definedGroupsEnds',
  'definitions.networks': 'definedNetworks',
  'definitions.location': 'definedLocations',
  'definitions.offset': 'definedOffsets',
  'references.id': 'referenceIds',
} as const

/** The findings that the module counts once enough of them have been told, in its order. */
const countedKinds = ['ein_prefix', 'reference_repeated', 'number_as_text', 'npi_repeated'] as const

/** The state of the module in provider_references. Those in negotiated_rates are the depths of `Rates`. */
const inReferences = 4

/** Where nothing repeats, looking ahead is in vain: after so many runs of a few bytes it rests for so many steps. */
const vainBytes = 128
const vainMax = 32
const restSteps = 512

/**
 * Reads definitions of references and rates in their usual forms, and passes over what was met before, in WebAssembly with vectors.
 * It writes rows straight into the buffers of the staged columns, and stops before whatever is unusual: that is read by the steps
 * of the reader, as always.
 */
export class Accelerator {
  readonly window: Window
  readonly memos: Memos
  /** The buffers of the columns that the module writes. */
  readonly memories: ReadonlyMap<string, ColumnMemory>
  readonly memory: ReaderMemory
  /** Where content gets its numbers, here as there. */
  readonly pools: SharedPools
  readonly #open: OpenModule
  readonly #run: () => void
  readonly #windowAt: number
  readonly #lists: SharedMemo
  /** The registers about lists that were read here for the first time: how many of groups, room left in the memo, taken of it. */
  readonly #newAt: number
  /** The registers of those kinds: whether they are only counted, and how many there were. */
  readonly #toldAt: number
  readonly #foundAt: number
  readonly #words: Int32Array
  readonly #floats: Float64Array
  #vain = 0
  #rest = 0

  constructor(book: FindingBook, open: OpenModule) {
    const { module, memory } = open
    this.#open = open
    const { places, buffer } = memory
    const memo = (name: string, effectsTo?: FindingBook, registers: MemoRegisters = {}) =>
      new SharedMemo(module, memory, places[`${name}MemoAt`]!, places[`${name}Slots`]!, effectsTo, registers)
    this.memory = memory
    this.window = new SharedWindow(module, memory)
    this.#lists = memo('list', book, { slotsAt: places.regListSlots!, leftAt: places.regListsLeft! })
    this.memos = {
      prices: memo('price', book, { slotsAt: places.regPriceSlots! }),
      lists: this.#lists,
      groups: memo('group', undefined, { slotsAt: places.regGroupSlots! }),
    }
    this.pools = {
      memory,
      texts: new SharedInterner(module, memory, contentTables.texts),
      groups: new SharedInterner(module, memory, contentTables.groups),
      sets: new SharedInterner(module, memory, contentTables.sets),
    }
    const column = (place: string): ColumnMemory => ({
      buffer,
      at: places[`${place}At`]!,
      rows: places[`${place}Rows`] ?? places.bufferRows!,
      countAt: places[`${place}Count`]!,
    })
    this.memories = new Map(Object.entries(sharedColumns).map(([name, place]) => [name, column(place)]))
    for (let prefix = 0; prefix < 100; prefix++)
      memory.bytes[places.einPrefixesAt! + prefix] = isEinPrefix(prefix) ? 1 : 0
    this.#run = () => module.run()
    this.#windowAt = places.windowAt!
    this.#words = new Int32Array(buffer, places.registersAt, 128)
    this.#floats = new Float64Array(buffer, places.regBase, 2)
    this.#newAt = (places.regNewLists! - places.registersAt!) / 4
    this.#toldAt = (places.regTold! - places.registersAt!) / 4
    this.#foundAt = (places.regFound! - places.registersAt!) / 4
  }

  /** Gives the memory back, for another file. Nothing of this one may be used any more. */
  close(): void {
    giveReaderModule(this.#open)
  }

  /** With a filter, lists are judged by the reader's own steps alone. */
  set filtered(filtered: boolean) {
    this.#words[this.#newAt + 3] = filtered ? 1 : 0
  }

  /** Goes on from the machine's place as far as everything is usual. */
  run(machine: Machine, rates: Rates, references: References): void {
    if (this.#rest > 0) {
      this.#rest--
      return
    }
    const state = rates.depth() || (machine.step === references.element ? inReferences : 0)
    if (state === 0) return
    const { window, reading } = machine
    const before = window.at
    const words = this.#words
    const offset = this.#windowAt
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
    for (const [number, kind] of countedKinds.entries())
      words[this.#toldAt + number] = reading.book.keeps(kind) ? 0 : 1
    this.#floats[0] = window.base
    this.#floats[1] = rates.offset
    do {
      this.#run()
      this.#takeOver(reading, rates)
    } while (words[11] !== 0 && this.#makeRoom(reading.stage))
    window.at = words[0]! - offset
    machine.due = words[3]!
    rates.seen = words[4]!
    reading.rate = words[5]!
    reading.price = words[6]!
    rates.prices.read = words[7]!
    rates.prices.notes = words[8]!
    rates.providers.referenceSet = words[9]! >>> 0
    rates.providers.groupSet = words[10]! >>> 0
    rates.offset = this.#floats[1]!
    if (words[2] !== state) rates.moveTo(words[2]!)
    if (window.at - before > vainBytes) this.#vain = 0
    else if (++this.#vain === vainMax) {
      this.#vain = 0
      this.#rest = restSteps
    }
  }

  /** Takes over what the module has counted, and what it remembers. */
  #takeOver(reading: Reading, rates: Rates): void {
    const { memory } = this
    const words = this.#words
    const { newListsAt, newListBytes } = memory.places
    reading.book.addPublished(words[12]!, words[13]!)
    for (const [number, kind] of countedKinds.entries()) {
      const found = words[this.#foundAt + number]!
      if (found > 0) reading.book.count(kind, found)
    }
    reading.reference += words[14]!
    const lists = words[this.#newAt]!
    for (let list = 0; list < lists; list++) {
      const record = (newListsAt! + list * newListBytes!) / 4
      const [entry = 0, groups = 0, npis = 0] = memory.words.subarray(record, record + 3)
      const findings = countedKinds.map((kind, number) => [kind, memory.words[record + 3 + number]!] as const)
      this.#lists.attach(entry, effectOf(groups, npis, findings))
      if (groups > 0) rates.providers.groupsMet = true
    }
    if (words[this.#newAt + 2]! > 0) this.#lists.took(words[this.#newAt + 2]!)
  }

  /** Empties the buffers, and gives the memo of lists room for more. */
  #makeRoom({ tables }: StageWriter): true {
    for (const name of Object.keys(sharedColumns)) {
      const [table, column] = name.split('.') as [StagedTable, string]
      ;(tables[table] as Record<string, Column>)[column]!.flush()
    }
    this.#lists.makeRoom()
    return true
  }
}

/** An accelerator, where this machine can run it. */
export function openAccelerator(book: FindingBook): Accelerator | undefined {
  const open = takeReaderModule()
  return open && new Accelerator(book, open)
}

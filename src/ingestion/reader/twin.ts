import type { Accelerator } from './accelerator.ts'
import { Document } from './document.ts'
import { Groups } from './groups.ts'
import { Items } from './items.ts'
import { BadJson, openObject, spaceEnd } from './json.ts'
import { Machine, Truncated, type Step } from './machine.ts'
import { TableMemo } from './memo.ts'
import type { FileKind, ReadFilter, StagedFile, StagedTable } from './output.ts'
import { Rates, type Memos } from './rates.ts'
import type { Reading } from './reading.ts'
import { References, type SignedLocation } from './references.ts'
import { versionDisagreement } from './schema-version.ts'
import { chunkBytesMax } from './window.ts'
import { Vocabulary } from './words.ts'

/** Slots of the memos: 2 MB for prices, 16 MB for lists, 8 MB for groups. */
export const priceSlots = 1 << 16
export const listSlots = 1 << 19
export const groupSlots = 1 << 18

export interface DocumentOptions {
  readonly filter?: ReadFilter | undefined
  /** Set where the document is the remote half of a reference: its address. */
  readonly location?: string | undefined
  readonly signed?: SignedLocation | undefined
}

/**
 * Reads one document as its bytes come: the reader in plain TypeScript, the reference for what is right.
 * Its sibling in WebAssembly is this same reader with an accelerator for known rates.
 */
export class Twin {
  readonly #reading: Reading
  readonly #machine: Machine
  readonly #references: References
  readonly #rates: Rates
  readonly #items: Items
  readonly #document: Document
  readonly #memos: Memos
  readonly #vocabulary: Vocabulary
  readonly #accelerator: Accelerator | undefined
  readonly #filtered: boolean
  #kind: FileKind | undefined
  #complete = false
  #over = false
  #bytesRead = 0

  constructor(reading: Reading, options: DocumentOptions = {}, accelerator?: Accelerator) {
    const { filter } = options
    const vocabulary = new Vocabulary()
    this.#vocabulary = vocabulary
    this.#reading = reading
    this.#accelerator = accelerator
    this.#memos = accelerator?.memos ?? {
      prices: new TableMemo(reading.window.view, priceSlots, reading.book),
      lists: new TableMemo(reading.window.view, listSlots, reading.book),
      groups: new TableMemo(reading.window.view, groupSlots),
    }
    this.#machine = new Machine(reading, this.#start)
    const groups = new Groups(reading, vocabulary, this.#memos.groups, filter)
    this.#references = new References(this.#machine, groups, vocabulary, options.signed)
    const filtered = filter?.npis !== undefined || filter?.tins !== undefined
    this.#filtered = filtered
    if (accelerator) accelerator.filtered = filtered
    this.#rates = new Rates(this.#machine, groups, this.#references, vocabulary, this.#memos, filtered)
    this.#items = new Items(this.#machine, this.#rates, vocabulary, filter)
    this.#document = new Document(this.#machine, this.#references, this.#items, options.location)
  }

  /** Takes the next bytes of the document. False when no more are wanted. */
  push(chunk: Uint8Array): boolean {
    for (let from = 0; from < chunk.length && !this.#over; from += chunkBytesMax) {
      this.#reading.window.add(chunk.subarray(from, from + chunkBytesMax))
      this.#advance()
    }
    return !this.#over
  }

  /** The bytes are over, or `broken` off. */
  end(broken?: string): void {
    const { window } = this.#reading
    window.done = true
    if (broken !== undefined && !this.#over) {
      this.#reading.odd('broken_source', window.end, '', broken)
    }
    this.#machine.bytesNeeded = 0
    this.#advance()
    this.#memos.prices.count()
    this.#memos.lists.count()
    if (this.#complete) this.#document.finish()
    if (this.kind === 'in-network') this.#judgeVersion()
  }

  #judgeVersion(): void {
    const disagreement = versionDisagreement(this.#document.fileHeader().version, {
      networkNames: this.#references.networksMet,
      settings: this.#vocabulary.settings.met,
      groupsInRates: this.#rates.providers.groupsMet,
      locations: this.#references.remote > 0,
    })
    if (disagreement) this.#reading.oddFile('version_disagrees', 'version', disagreement)
  }

  #advance(): void {
    const machine = this.#machine
    const { window } = machine
    if (window.waiting < machine.bytesNeeded) return
    machine.bytesNeeded = 0
    try {
      while (!this.#over) {
        this.#accelerator?.run(machine, this.#rates, this.#references)
        if (!machine.step()) return
      }
    } catch (problem) {
      if (!(problem instanceof BadJson) && !(problem instanceof Truncated)) throw problem
      this.#breakOff(problem)
    }
  }

  #breakOff(problem: BadJson | Truncated): void {
    const reading = this.#reading
    const machine = this.#machine
    this.#over = true
    reading.book.leaveUnits()
    const at = problem instanceof BadJson ? problem.at : reading.window.end
    this.#bytesRead = reading.window.base + at
    if (problem instanceof BadJson) reading.odd(problem.kind, at, '', problem.says)
    else reading.odd('truncated', at, '')
    const steps = new Set([...machine.stack, machine.step])
    if (steps.has(this.#items.member)) this.#items.breakOff(steps.has(this.#rates.member))
  }

  readonly #start: Step = () => {
    const machine = this.#machine
    const { window } = machine
    const { bytes } = window
    if (window.base + window.at === 0) {
      if (window.waiting < 3 && !window.done) return false
      const { at } = window
      if (window.waiting >= 3 && bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) {
        this.#reading.odd('byte_order_mark', at, '')
        window.at += 3
      }
    }
    window.at = spaceEnd(bytes, window.at, window.end)
    if (window.at === window.end) {
      if (window.done) this.#refuse('empty', 'empty_file')
      return window.done
    }
    machine.step = this.#tail
    const byte = bytes[window.at]!
    if (byte === openObject) return machine.enter(this.#document.member, window.at)
    if (byte === 0x3c) {
      this.#refuse('html', 'html_page')
      return true
    }
    this.#kind = 'other'
    return machine.skip(window.at)
  }

  #refuse(kind: FileKind, finding: 'html_page' | 'empty_file'): void {
    this.#kind = kind
    this.#reading.odd(finding, this.#reading.window.at, '')
    this.#bytesRead = this.#reading.window.base + this.#reading.window.at
    this.#over = true
  }

  /** Behind the document only white space may come. */
  readonly #tail: Step = () => {
    const { window } = this.#machine
    this.#complete = true
    this.#reading.scope = 'root'
    window.at = spaceEnd(window.bytes, window.at, window.end)
    this.#bytesRead = window.base + window.at
    if (window.at < window.end) {
      this.#reading.odd('trailing_bytes', window.at, '')
      this.#over = true
    } else if (window.done) this.#over = true
    return this.#over
  }

  get kind(): FileKind {
    return this.#kind ?? this.#document.kind
  }

  /** What was read, after `end`. */
  result(): StagedFile {
    const reading = this.#reading
    const { book, stage } = reading
    const { kind } = this
    const references = reading.pools.references.finish()
    if (kind !== 'in-network' && kind !== 'html' && kind !== 'empty')
      reading.oddFile('not_in_network', '', kind)
    if (references.undefined > 0) {
      reading.oddFile('reference_undefined', 'provider_references', '', references.undefined)
    }
    return {
      format: 1,
      kind,
      complete: this.#complete,
      ...(this.#filtered && { providersAsked: true }),
      header: this.#document.fileHeader(),
      counts: {
        bytes: this.#bytesRead,
        items: this.#items.items,
        itemsKept: this.#items.kept,
        rates: stage.tables.rates.set.length,
        prices: stage.tables.prices.amount.length,
        pricesZero: this.#rates.prices.zero,
        pricesAbsurd: this.#rates.prices.absurd,
        notes: stage.tables.notes.price.length,
        referencesDefined: references.defined,
        referencesUsed: references.used,
        referencesUnused: references.unused,
        referencesUndefined: references.undefined,
        referencesRemote: this.#references.remote,
        groupsPublished: book.groupsPublished,
        npisPublished: book.npisPublished,
        npisInvalid: book.of('npi_invalid'),
        tinsInvalid: book.of('tin_invalid'),
      },
      rows: stageRows(reading),
      findings: book.findings(),
    }
  }
}

function stageRows({ stage: { tables } }: Reading): Record<StagedTable, number> {
  return {
    texts: tables.texts.end.length,
    lists: tables.lists.end.length,
    attributes: tables.attributes.negotiated_type.length,
    groups: tables.groups.tin.length,
    references: tables.references.id.length,
    definitions: tables.definitions.reference.length,
    sets: tables.sets.references_end.length,
    contained: tables.contained.code.length,
    items: tables.items.index.length,
    rates: tables.rates.set.length,
    prices: tables.prices.amount.length,
    notes: tables.notes.price.length,
  }
}

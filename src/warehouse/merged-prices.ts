import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Uint32List } from './interning.ts'
import type { PriceRows } from './price-rows.ts'
import type { FileSets } from './provider-sets.ts'
import { StagedLists } from './staged-lists.ts'
import { readFully, type Stage } from './staged-columns.ts'
import { byCode, codeKey, order, type Code, type Normalisers, type TermTable } from './terms.ts'

const rateWords = 5
const priceWords = 3
const windowWords = 1 << 16

/** Words on disk, written front to back and read back in pieces. */
class WordFile {
  words = 0
  private readonly path: string
  private readonly descriptor: number
  private readonly window = new Uint32Array(windowWords)
  private filled = 0
  private piece = new Uint32Array(4_096)

  constructor(path: string) {
    this.path = path
    this.descriptor = openSync(path, 'w+')
  }

  push(word: number): void {
    if (this.filled === windowWords) this.flush()
    this.window[this.filled++] = word
    this.words++
  }

  flush(): void {
    const bytes = new Uint8Array(this.window.buffer, 0, this.filled * 4)
    for (let done = 0; done < bytes.length;) done += writeSync(this.descriptor, bytes, done)
    this.filled = 0
  }

  /** Words of a piece; good until the next is read. */
  read(from: number, count: number): Uint32Array {
    if (this.piece.length < count) this.piece = new Uint32Array(count * 2)
    readFully(this.descriptor, new Uint8Array(this.piece.buffer, 0, count * 4), from * 4)
    return this.piece.subarray(0, count)
  }

  remove(): void {
    closeSync(this.descriptor)
    rmSync(this.path, { force: true })
  }
}

/** An element of some file's in_network list. */
interface Segment {
  readonly source: number
  readonly item: number
  readonly ratesFrom: number
  readonly ratesTo: number
  readonly pricesFrom: number
  readonly pricesTo: number
}

/**
 * The prices of all files of a month, beside each other on disk under the month's own numbers.
 * The rows of an item stay together, so nothing is sorted: codes are read back in order, item by item.
 */
export class MergedPrices {
  pricesPublished = 0
  private readonly rates: WordFile
  private readonly prices: WordFile
  private readonly terms: TermTable
  private readonly normalise: Normalisers
  private readonly codes = new Map<string, { code: Code; segments: Segment[] }>()
  private readonly partsEnd = new Uint32List()
  private readonly partSet = new Uint32List()
  private readonly partLabel = new Uint32List()
  private sources = 0

  constructor(folder: string, terms: TermTable, normalise: Normalisers) {
    this.terms = terms
    this.normalise = normalise
    this.rates = new WordFile(join(folder, 'rates.scratch'))
    this.prices = new WordFile(join(folder, 'prices.scratch'))
  }

  add(stage: Stage, sets: FileSets): void {
    const source = this.sources++
    const setsBefore = this.partsEnd.length
    const partsBefore = this.partSet.length
    for (const end of sets.partsEnd) this.partsEnd.push(partsBefore + end)
    this.partSet.append(sets.partSet)
    this.partLabel.append(sets.partLabel)
    const termOf = this.termsOf(stage)
    const codeOf = this.codesOf(stage)
    const itemIndex = stage.u32('items', 'index')
    const ratesEnd = stage.i64('items', 'rates_end')
    const pricesEnd = stage.i64('items', 'prices_end')
    const streams = {
      index: stage.stream('rates', 'index', 'u32'),
      offset: stage.stream('rates', 'offset', 'i64'),
      set: stage.stream('rates', 'set', 'u32'),
      prices: stage.stream('rates', 'prices', 'u32'),
      attributes: stage.stream('prices', 'attributes', 'u32'),
      amount: stage.stream('prices', 'amount', 'i64'),
    }
    try {
      for (let item = 0; item < itemIndex.length; item++) {
        const rates = ratesEnd[item]! - (item === 0 ? 0 : ratesEnd[item - 1]!)
        const prices = pricesEnd[item]! - (item === 0 ? 0 : pricesEnd[item - 1]!)
        const ratesFrom = this.rates.words
        const pricesFrom = this.prices.words
        for (let i = 0; i < rates; i++) {
          const offset = streams.offset.next()
          this.rates.push(setsBefore + streams.set.next())
          this.rates.push(streams.index.next())
          this.rates.push(streams.prices.next())
          this.rates.push(offset >>> 0)
          this.rates.push(Math.floor(offset / 0x1_0000_0000))
        }
        for (let i = 0; i < prices; i++) {
          const amount = streams.amount.next()
          this.prices.push(termOf[streams.attributes.next()]!)
          this.prices.push(amount >>> 0)
          this.prices.push(Math.floor(amount / 0x1_0000_0000) >>> 0)
        }
        this.pricesPublished += prices
        codeOf[item]!.push({
          source,
          item: itemIndex[item]!,
          ratesFrom,
          ratesTo: this.rates.words,
          pricesFrom,
          pricesTo: this.prices.words,
        })
      }
    } finally {
      for (const stream of Object.values(streams)) stream.close()
    }
  }

  finish(): void {
    this.rates.flush()
    this.prices.flush()
  }

  remove(): void {
    this.rates.remove()
    this.prices.remove()
  }

  /** Every code in order, with a way to read its rows in the order of first sight. */
  *inOrder(): Generator<{ code: Code; segments: readonly Segment[] }> {
    yield* [...this.codes.values()].sort((a, b) => byCode(a.code, b.code))
  }

  get codeCount(): number {
    return this.codes.size
  }

  read(segments: readonly Segment[], rows: PriceRows): void {
    rows.length = 0
    for (const { source, item, ratesFrom, ratesTo, pricesFrom, pricesTo } of segments) {
      const rates = this.rates.read(ratesFrom, ratesTo - ratesFrom)
      const prices = this.prices.read(pricesFrom, pricesTo - pricesFrom)
      let price = 0
      for (let at = 0; at < rates.length; at += rateWords) {
        const set = rates[at]!
        const from = set === 0 ? 0 : this.partsEnd.values[set - 1]!
        const to = this.partsEnd.values[set]!
        const offset = rates[at + 4]! * 0x1_0000_0000 + rates[at + 3]!
        const count = rates[at + 2]!
        rows.reserve(rows.length + count * (to - from))
        for (let i = 0; i < count; i++, price += priceWords) {
          const amount = (prices[price + 2]! | 0) * 0x1_0000_0000 + prices[price + 1]!
          for (let part = from; part < to; part++) {
            const row = rows.length++
            rows.term[row] = prices[price]!
            rows.rate[row] = amount
            rows.set[row] = this.partSet.values[part]!
            rows.label[row] = this.partLabel.values[part]!
            rows.source[row] = source
            rows.offset[row] = offset
            rows.item[row] = item
            rows.rateIndex[row] = rates[at + 1]!
          }
        }
      }
    }
  }

  private termsOf(stage: Stage): Uint32Array {
    const lists = new StagedLists(stage)
    const { serviceCodes: places = same, modifiers: marks = same } = this.normalise
    const negotiatedType = stage.u32('attributes', 'negotiated_type')
    const billingClass = stage.u32('attributes', 'billing_class')
    const setting = stage.u32('attributes', 'setting')
    const serviceCodes = stage.u32('attributes', 'service_codes')
    const modifiers = stage.u32('attributes', 'modifiers')
    return Uint32Array.from(negotiatedType, (type, row) =>
      this.terms.id({
        negotiatedType: stage.text(type),
        billingClass: stage.text(billingClass[row]!),
        setting: stage.text(setting[row]!),
        serviceCodes: distinct(places(lists.texts(serviceCodes[row]!))),
        modifiers: distinct(marks(lists.texts(modifiers[row]!))),
      }),
    )
  }

  private codesOf(stage: Stage): Segment[][] {
    const type = stage.u32('items', 'code_type')
    const code = stage.u32('items', 'code')
    const severity = stage.u32('items', 'severity_of_illness')
    return Array.from(type, (_, item) => {
      const written = {
        type: stage.text(type[item]!),
        code: stage.text(code[item]!),
        severity: stage.text(severity[item]!),
      }
      const normal = this.normalise.code?.(written) ?? written
      const key = codeKey(normal)
      let entry = this.codes.get(key)
      if (!entry) this.codes.set(key, (entry = { code: normal, segments: [] }))
      return entry.segments
    })
  }
}

const distinct = (texts: readonly string[]) => [...new Set(texts)].sort(order)
const same = (texts: readonly string[]) => texts

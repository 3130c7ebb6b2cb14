import { join } from 'node:path'
import { Uint32List } from './interning.ts'
import type { PriceRows } from './price-rows.ts'
import type { FileSets } from './provider-sets.ts'
import { ScratchWords } from './scratch-words.ts'
import { StagedLists } from './staged-lists.ts'
import type { ColumnWords, Stage } from './staged-columns.ts'
import { byCode, codeKey, order, type Code, type Normalisers, type TermTable } from './terms.ts'

const rateWords = 5
const priceWords = 3
/** Rows that are taken over at once. */
const windowRows = 1 << 14

/** Gives the rows of staged columns some at a time, and closes the columns. */
function eachWindow<Name extends string>(
  columns: Readonly<Record<Name, ColumnWords>>,
  total: number,
  take: (words: Readonly<Record<Name, Uint32Array>>, rows: number) => void,
): void {
  const named = Object.entries<ColumnWords>(columns)
  try {
    for (let from = 0; from < total; from += windowRows) {
      const rows = Math.min(windowRows, total - from)
      const words = Object.fromEntries(named.map(([name, column]) => [name, column.next(rows)]))
      take(words as Record<Name, Uint32Array>, rows)
    }
  } finally {
    for (const [, column] of named) column.close()
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

/** How many rows the files of a month have together. */
export interface RowCounts {
  readonly rates: number
  readonly prices: number
}

/**
 * The prices of all files of a month, beside each other (on disk, where they are many) under the month's own numbers.
 * The rows of an item stay together, so nothing is sorted: codes are read back in order, item by item.
 */
export class MergedPrices {
  pricesPublished = 0
  private readonly rates: ScratchWords
  private readonly prices: ScratchWords
  private readonly terms: TermTable
  private readonly normalise: Normalisers
  private readonly codes = new Map<string, { code: Code; segments: Segment[] }>()
  private readonly partsEnd = new Uint32List()
  private readonly partSet = new Uint32List()
  private readonly partLabel = new Uint32List()
  private sources = 0

  constructor(folder: string, rows: RowCounts, terms: TermTable, normalise: Normalisers) {
    this.terms = terms
    this.normalise = normalise
    this.rates = new ScratchWords(join(folder, 'rates.scratch'), rows.rates * rateWords)
    this.prices = new ScratchWords(join(folder, 'prices.scratch'), rows.prices * priceWords)
  }

  add(stage: Stage, sets: FileSets): void {
    const source = this.sources++
    const setsBefore = this.partsEnd.length
    const partsBefore = this.partSet.length
    this.partsEnd.append(sets.partsEnd)
    const ends = this.partsEnd.values
    if (partsBefore > 0) for (let i = setsBefore; i < this.partsEnd.length; i++) ends[i]! += partsBefore
    this.partSet.append(sets.partSet)
    this.partLabel.append(sets.partLabel)
    const termOf = this.termsOf(stage)
    const codeOf = this.codesOf(stage)
    const itemIndex = stage.u32('items', 'index')
    const ratesEnd = stage.i64('items', 'rates_end')
    const pricesEnd = stage.i64('items', 'prices_end')
    const ratesBefore = this.rates.length
    const pricesBefore = this.prices.length
    this.addRates(stage, setsBefore)
    this.addPrices(stage, termOf)
    for (let item = 0; item < itemIndex.length; item++)
      codeOf[item]!.push({
        source,
        item: itemIndex[item]!,
        ratesFrom: ratesBefore + (item === 0 ? 0 : ratesEnd[item - 1]!) * rateWords,
        ratesTo: ratesBefore + ratesEnd[item]! * rateWords,
        pricesFrom: pricesBefore + (item === 0 ? 0 : pricesEnd[item - 1]!) * priceWords,
        pricesTo: pricesBefore + pricesEnd[item]! * priceWords,
      })
  }

  private addRates(stage: Stage, setsBefore: number): void {
    const columns = {
      set: stage.words('rates', 'set', 'u32'),
      index: stage.words('rates', 'index', 'u32'),
      prices: stage.words('rates', 'prices', 'u32'),
      offset: stage.words('rates', 'offset', 'i64'),
    }
    eachWindow(columns, stage.rows['rates'] ?? 0, ({ set, index, prices, offset }, rows) => {
      let to = this.rates.room(rows * rateWords)
      const taken = this.rates.piece
      for (let row = 0; row < rows; row++, to += rateWords) {
        taken[to] = setsBefore + set[row]!
        taken[to + 1] = index[row]!
        taken[to + 2] = prices[row]!
        taken[to + 3] = offset[2 * row]!
        taken[to + 4] = offset[2 * row + 1]!
      }
      this.rates.wrote(rows * rateWords)
    })
  }

  private addPrices(stage: Stage, termOf: Uint32Array): void {
    const columns = {
      attributes: stage.words('prices', 'attributes', 'u32'),
      amount: stage.words('prices', 'amount', 'i64'),
    }
    eachWindow(columns, stage.rows['prices'] ?? 0, ({ attributes, amount }, rows) => {
      let to = this.prices.room(rows * priceWords)
      const taken = this.prices.piece
      for (let row = 0; row < rows; row++, to += priceWords) {
        taken[to] = termOf[attributes[row]!]!
        taken[to + 1] = amount[2 * row]!
        taken[to + 2] = amount[2 * row + 1]!
      }
      this.prices.wrote(rows * priceWords)
      this.pricesPublished += rows
    })
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

  /** Adds the rows of a code. */
  read(segments: readonly Segment[], rows: PriceRows): void {
    for (const segment of segments) this.readSegment(segment, rows)
  }

  private readSegment(segment: Segment, rows: PriceRows): void {
    const { ratesFrom, ratesTo, pricesFrom, pricesTo } = segment
    const ratesAt = this.rates.load(ratesFrom, ratesTo - ratesFrom)
    const ratesEnd = ratesAt + ratesTo - ratesFrom
    const rates = this.rates.piece
    let price = this.prices.load(pricesFrom, pricesTo - pricesFrom)
    const prices = this.prices.piece
    const partsEnd = this.partsEnd.values
    const partSet = this.partSet.values
    const partLabel = this.partLabel.values
    const { objects } = rows
    let object = objects.length
    objects.add(segment.source, segment.item, (ratesTo - ratesFrom) / rateWords)
    const { offset, index } = objects
    let row = rows.length
    rows.length += this.rowsOf(ratesAt, ratesEnd)
    rows.reserve(rows.length)
    const { term, rate, set: setOf, label, object: objectOf } = rows
    for (let at = ratesAt; at < ratesEnd; at += rateWords, object++) {
      const set = rates[at]!
      const from = set === 0 ? 0 : partsEnd[set - 1]!
      const to = partsEnd[set]!
      index[object] = rates[at + 1]!
      offset[object] = rates[at + 4]! * 0x1_0000_0000 + rates[at + 3]!
      for (const end = price + rates[at + 2]! * priceWords; price < end; price += priceWords) {
        const amount = (prices[price + 2]! | 0) * 0x1_0000_0000 + prices[price + 1]!
        for (let part = from; part < to; part++, row++) {
          term[row] = prices[price]!
          rate[row] = amount
          setOf[row] = partSet[part]!
          label[row] = partLabel[part]!
          objectOf[row] = object
        }
      }
    }
  }

  /** How many rows the loaded rate objects have: one for each price and part of their set. */
  private rowsOf(ratesAt: number, ratesEnd: number): number {
    const rates = this.rates.piece
    const partsEnd = this.partsEnd.values
    let rows = 0
    for (let at = ratesAt; at < ratesEnd; at += rateWords) {
      const set = rates[at]!
      rows += rates[at + 2]! * (partsEnd[set]! - (set === 0 ? 0 : partsEnd[set - 1]!))
    }
    return rows
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

import { amountMax } from './decimals.ts'
import { incomplete } from './json.ts'
import type { Memo } from './memo.ts'
import { PriceParser } from './price.ts'
import type { PriceScan } from './price-scan.ts'
import type { Reading } from './reading.ts'
import type { Vocabulary } from './words.ts'

/** Over 100 million dollars a rate is absurd: kept, flagged, and left out of market statistics. */
const absurdAmount = 100_000_000 * 10_000

/** Below one dollar, or one percent, a price is looked at: some publishers write 0.65 for 65 percent. */
const oneUnit = 10_000

/** Reads the prices of a rate object, and keeps them. */
export class Prices {
  zero = 0
  absurd = 0
  /** Prices and notes of the rate object being read, so far. */
  read = 0
  notes = 0
  readonly #reading: Reading
  readonly #parser: PriceParser
  readonly #memo: Memo
  /** Attributes whose negotiated type is percentage. */
  readonly #percentages = new Set<number>()
  readonly #scan: PriceScan = { end: 0, rateAt: 0, rateEnd: 0, amount: 0, noteAt: 0, noteEnd: 0 }

  constructor(reading: Reading, vocabulary: Vocabulary, memo: Memo) {
    this.#reading = reading
    this.#parser = new PriceParser(reading, vocabulary)
    this.#memo = memo
  }

  /** Begins a rate object. */
  start(): void {
    this.read = 0
    this.notes = 0
    this.#reading.price = 0
  }

  /** Reads the price at `at`. Answers its end, `incomplete` where it is not whole. */
  readPrice(at: number): number {
    const { window, book, pools } = this.#reading
    const memo = this.#memo
    const scan = this.#scan
    window.scanPrice(at, window.end, scan)
    const { end } = scan
    if (end === incomplete) return incomplete
    const usual = scan.rateAt > 0 && scan.amount > 0 && scan.amount <= absurdAmount
    const noted = usual && scan.noteAt > 0
    if (usual) {
      const entry = memo.findPrice(at, scan.rateAt, scan.rateEnd, end)
      if (entry >= 0) {
        this.#judgeSmall(memo.value(entry), scan.amount, at)
        this.#keep(memo.value(entry), memo.extra(entry), scan.amount)
        return end
      }
    }
    if (noted) {
      const entry = memo.findNotedPrice(at, scan)
      if (entry >= 0) {
        const attributes = memo.value(entry)
        const known = pools.texts
        const note = pools.text(window, scan.noteAt, scan.noteEnd)
        // A note that comes again may come often: from now on the price is known with it.
        if (note < known) {
          const effect = memo.effect(entry)
          memo.findPrice(at, scan.rateAt, scan.rateEnd, end)
          memo.remember(attributes, note, effect)
        }
        this.#judgeSmall(attributes, scan.amount, at)
        this.#keep(attributes, note, scan.amount)
        return end
      }
    }
    const parser = this.#parser
    const mark = book.startUnit()
    parser.parse(at, end)
    const effect = book.endUnit(mark)
    if (usual && parser.rateAt === scan.rateAt && (!noted || parser.noteAt === scan.noteAt)) {
      memo.remember(parser.attributes, parser.note, effect)
    }
    if (Number.isNaN(parser.amount)) this.#reading.price++
    else {
      this.#judge(parser.amount, at)
      if (parser.isPercentage) this.#percentages.add(parser.attributes)
      this.#judgeSmall(parser.attributes, parser.amount, at)
      this.#keep(parser.attributes, parser.note, parser.amount)
    }
    return end
  }

  #judge(amount: number, at: number): void {
    if (amount <= 0) {
      this.zero++
      this.#reading.odd('rate_zero', at, 'negotiated_rate')
    } else if (amount > absurdAmount && amount <= amountMax) {
      this.absurd++
      this.#reading.odd('rate_absurd', at, 'negotiated_rate')
    }
  }

  #judgeSmall(attributes: number, amount: number, at: number): void {
    if (amount > 0 && amount < oneUnit && this.#percentages.has(attributes))
      this.#reading.odd('percentage_below_one', at, 'negotiated_rate')
  }

  #keep(attributes: number, note: number, amount: number): void {
    const { prices, notes } = this.#reading.stage.tables
    if (note !== 0) {
      notes.price.pushWhole(prices.amount.length)
      notes.text.pushWord(note)
      this.notes++
    }
    prices.attributes.pushWord(attributes)
    prices.amount.pushWhole(amount)
    this.#reading.price++
    this.read++
  }

  /** Takes back the prices of the rate object being read. */
  drop(): void {
    const { prices, notes } = this.#reading.stage.tables
    const firstPrice = prices.amount.length - this.read
    const firstNote = notes.price.length - this.notes
    prices.attributes.cut(firstPrice)
    prices.amount.cut(firstPrice)
    notes.price.cut(firstNote)
    notes.text.cut(firstNote)
  }
}

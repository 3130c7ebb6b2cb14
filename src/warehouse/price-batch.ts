import { Uint32List } from './interning.ts'
import { larger, PriceRows } from './price-rows.ts'
import { sharedWords } from './shared-arrays.ts'

/** Resolved prices of some codes, as whoever packs them takes them over; columns may be longer than what they hold. */
export interface BatchContent {
  /** Where the rows of each code end, and its rate objects. */
  readonly codeEnd: Uint32Array
  readonly codeObjectsEnd: Uint32Array
  /** Rows that are kept: which published row is first of its kind, and its term, set and label. */
  readonly row: Uint32Array
  readonly term: Uint32Array
  readonly set: Uint32Array
  readonly label: Uint32Array
  /** Per published row: its rate, and the rate object it stands in. */
  readonly rate: Float64Array
  readonly object: Uint32Array
  /** Per rate object: where it stands. Those of a code come by source and item. */
  readonly source: Uint32Array
  readonly offset: Float64Array
  readonly item: Uint32Array
  readonly index: Uint32Array
}

/** From so many published rows on a batch is packed. */
const rowsEnough = 1 << 14

/** Prices of some codes on their way to disk. */
export class PriceBatch {
  readonly rows = new PriceRows()
  readonly kept = new KeptRows()
  private readonly codeEnd = new Uint32List()
  private readonly codeObjectsEnd = new Uint32List()

  /** What was added since the last code is one code's. */
  endCode(): void {
    this.codeEnd.push(this.kept.length)
    this.codeObjectsEnd.push(this.rows.objects.length)
  }

  get full(): boolean {
    return this.rows.length >= rowsEnough
  }

  clear(): void {
    this.rows.clear()
    this.kept.length = this.codeEnd.length = this.codeObjectsEnd.length = 0
  }

  content(): BatchContent {
    const { rate, object, objects } = this.rows
    const { source, offset, item, index } = objects
    const { row, term, set, label } = this.kept
    const codeEnd = this.codeEnd.trimmed().slice()
    const codeObjectsEnd = this.codeObjectsEnd.trimmed().slice()
    return { codeEnd, codeObjectsEnd, row, term, set, label, rate, object, source, offset, item, index }
  }
}

/** Rows that stay, column by column. */
export class KeptRows {
  length = 0
  row = sharedWords(rowsEnough)
  term = sharedWords(rowsEnough)
  set = sharedWords(rowsEnough)
  label = sharedWords(rowsEnough)

  push(row: number, term: number, set: number, label: number): void {
    const at = this.length
    if (at === this.row.length) this.reserve(at + 1)
    this.row[at] = row
    this.term[at] = term
    this.set[at] = set
    this.label[at] = label
    this.length = at + 1
  }

  remove(at: number): void {
    for (const column of [this.row, this.term, this.set, this.label])
      column.copyWithin(at, at + 1, this.length)
    this.length--
  }

  reserve(rows: number): void {
    if (rows <= this.row.length) return
    const size = Math.max(rows, this.row.length * 2)
    this.row = larger(this.row, sharedWords(size))
    this.term = larger(this.term, sharedWords(size))
    this.set = larger(this.set, sharedWords(size))
    this.label = larger(this.label, sharedWords(size))
  }
}

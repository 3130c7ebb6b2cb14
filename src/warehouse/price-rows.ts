import { sharedNumbers, sharedWords } from './shared-arrays.ts'

const rowsAtFirst = 4_096

/** Published prices, code after code, as they come: one row per price and label, in the order of first sight. All threads see them. */
export class PriceRows {
  length = 0
  term = sharedWords(rowsAtFirst)
  rate = sharedNumbers(rowsAtFirst)
  set = sharedWords(rowsAtFirst)
  label = sharedWords(rowsAtFirst)
  /** The rate object that published the row: a row of `objects`. */
  object = sharedWords(rowsAtFirst)
  readonly objects = new RateObjects()

  clear(): void {
    this.length = this.objects.length = 0
  }

  reserve(rows: number): void {
    if (rows <= this.term.length) return
    const size = Math.max(rows, this.term.length * 2)
    this.term = larger(this.term, sharedWords(size))
    this.rate = larger(this.rate, sharedNumbers(size))
    this.set = larger(this.set, sharedWords(size))
    this.label = larger(this.label, sharedWords(size))
    this.object = larger(this.object, sharedWords(size))
  }
}

/** Where rate objects stand in their files. */
class RateObjects {
  length = 0
  source = sharedWords(rowsAtFirst)
  offset = sharedNumbers(rowsAtFirst)
  item = sharedWords(rowsAtFirst)
  index = sharedWords(rowsAtFirst)

  /** Adds rate objects of one item; the caller fills in their offsets and indexes. */
  add(source: number, item: number, count: number): void {
    const from = this.length
    this.length += count
    if (this.length > this.source.length) {
      const size = Math.max(this.length, this.source.length * 2)
      this.source = larger(this.source, sharedWords(size))
      this.offset = larger(this.offset, sharedNumbers(size))
      this.item = larger(this.item, sharedWords(size))
      this.index = larger(this.index, sharedWords(size))
    }
    this.source.fill(source, from, this.length)
    this.item.fill(item, from, this.length)
  }
}

/** Longer room with the same values at its start. */
export function larger<Values extends Uint32Array | Float64Array>(values: Values, into: Values): Values {
  into.set(values)
  return into
}

/** The rank of each row's term among those of its code. */
function rankedTerms(own: Uint32Array): { term: Uint32Array; terms: number } {
  const used = [...new Set(own)].sort((a, b) => a - b)
  const rank = new Map(used.map((id, index) => [id, index]))
  return { term: Uint32Array.from(own, (id) => rank.get(id)!), terms: used.length }
}

/** Room that sorting uses again for every code. */
export class SortScratch {
  keys = new Float64Array(4_096)
  order = new Uint32Array(4_096)
  private counts = new Uint32Array(256)

  reserve(rows: number): void {
    if (rows <= this.keys.length) return
    this.keys = new Float64Array(rows * 2)
    this.order = new Uint32Array(rows * 2)
  }

  /** So many zeroes. */
  zeroes(count: number): Uint32Array {
    if (count > this.counts.length) this.counts = new Uint32Array(count * 2)
    else this.counts.fill(0, 0, count)
    return this.counts
  }
}

/** From so many rows on the native sort, which takes its time to begin, is faster. */
const nativeFrom = 32

function sortFew(keys: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i]!
    let at = i
    for (; at > from && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!
    keys[at] = key
  }
}

/**
 * Rows `from` to `to` by term, rate, and order of first sight, as distances from the first of them.
 * Longer than there are rows, and good until the next are sorted.
 */
export function sortedRows(rows: PriceRows, from: number, to: number, scratch: SortScratch): Uint32Array {
  const { rate } = rows
  const length = to - from
  scratch.reserve(length)
  const { keys, order } = scratch
  let least = Infinity
  let most = -Infinity
  let terms = 0
  for (let row = from; row < to; row++) {
    const amount = rate[row]!
    if (amount < least) least = amount
    if (amount > most) most = amount
    if (rows.term[row]! >= terms) terms = rows.term[row]! + 1
  }
  let term: Uint32Array = rows.term.subarray(from, to)
  // A code uses few of a month's terms; counting over all of them would cost more than the rows.
  if (terms > 4 * length + 64) ({ term, terms } = rankedTerms(term))
  // Term by term (counting sort), then rate and row number as one number each, so that sorting moves plain numbers.
  const next = scratch.zeroes(terms + 1)
  for (let i = 0; i < length; i++) next[term[i]! + 1]!++
  for (let t = 0; t < terms; t++) next[t + 1]! += next[t]!
  const span = 2 ** Math.ceil(Math.log2(length + 1))
  if ((most - least + 1) * span > Number.MAX_SAFE_INTEGER) {
    for (let i = 0; i < length; i++) order[next[term[i]!]!++] = i
    // Each term now starts where the one before it ends.
    for (let t = 0, start = 0; t < terms; start = next[t++]!)
      order.subarray(start, next[t]).sort((a, b) => rate[from + a]! - rate[from + b]! || a - b)
    return order
  }
  for (let i = 0; i < length; i++) keys[next[term[i]!]!++] = (rate[from + i]! - least) * span + i
  for (let t = 0, start = 0; t < terms; start = next[t++]!) {
    const end = next[t]!
    if (end - start < nativeFrom) sortFew(keys, start, end)
    else keys.subarray(start, end).sort()
  }
  const share = 1 / span
  for (let i = 0; i < length; i++) order[i] = keys[i]! - Math.floor(keys[i]! * share) * span
  return order
}

/** The published prices of one code, as they come: one row per price and label, in the order of first sight. */
export class PriceRows {
  length = 0
  term = new Uint32Array(4_096)
  rate = new Float64Array(4_096)
  set = new Uint32Array(4_096)
  label = new Uint32Array(4_096)
  /** The rate object that published the row: a row of `objects`. */
  object = new Uint32Array(4_096)
  readonly objects = new RateObjects()

  clear(): void {
    this.length = this.objects.length = 0
  }

  reserve(rows: number): void {
    if (rows <= this.term.length) return
    const size = Math.max(rows, this.term.length * 2)
    this.term = larger(this.term, new Uint32Array(size))
    this.rate = larger(this.rate, new Float64Array(size))
    this.set = larger(this.set, new Uint32Array(size))
    this.label = larger(this.label, new Uint32Array(size))
    this.object = larger(this.object, new Uint32Array(size))
  }
}

/** Where rate objects stand in their files. */
class RateObjects {
  length = 0
  source = new Uint32Array(1_024)
  offset = new Float64Array(1_024)
  item = new Uint32Array(1_024)
  index = new Uint32Array(1_024)

  add(source: number, offset: number, item: number, index: number): number {
    if (this.length === this.source.length) {
      const size = this.length * 2
      this.source = larger(this.source, new Uint32Array(size))
      this.offset = larger(this.offset, new Float64Array(size))
      this.item = larger(this.item, new Uint32Array(size))
      this.index = larger(this.index, new Uint32Array(size))
    }
    this.source[this.length] = source
    this.offset[this.length] = offset
    this.item[this.length] = item
    this.index[this.length] = index
    return this.length++
  }
}

/** Longer room with the same values at its start. */
export function larger<Values extends Uint32Array | Float64Array>(values: Values, into: Values): Values {
  into.set(values)
  return into
}

// A code uses few of a month's terms; counting over all of them would cost more than the rows.
function denseTerms({ length, term }: PriceRows): { term: Uint32Array; terms: number } {
  let terms = 0
  for (let i = 0; i < length; i++) if (term[i]! >= terms) terms = term[i]! + 1
  if (terms <= 4 * length + 64) return { term, terms }
  const used = [...new Set(term.subarray(0, length))].sort((a, b) => a - b)
  const rank = new Map(used.map((id, index) => [id, index]))
  return { term: Uint32Array.from(term.subarray(0, length), (id) => rank.get(id)!), terms: used.length }
}

/** Room that sorting uses again for every code. */
export class SortScratch {
  keys = new Float64Array(4_096)
  order = new Uint32Array(4_096)

  reserve(rows: number): void {
    if (rows <= this.keys.length) return
    this.keys = new Float64Array(rows * 2)
    this.order = new Uint32Array(rows * 2)
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

/** Row numbers by term, rate, and order of first sight; longer than there are rows, and good until the next are sorted. */
export function sortedRows(rows: PriceRows, scratch: SortScratch): Uint32Array {
  const { length, rate } = rows
  scratch.reserve(length)
  const { keys, order } = scratch
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < length; i++) {
    if (rate[i]! < least) least = rate[i]!
    if (rate[i]! > most) most = rate[i]!
  }
  const { term, terms } = denseTerms(rows)
  // Term by term (counting sort), then rate and row number as one number each, so that sorting moves plain numbers.
  const next = new Uint32Array(terms + 1)
  for (let i = 0; i < length; i++) next[term[i]! + 1]!++
  for (let t = 0; t < terms; t++) next[t + 1]! += next[t]!
  const span = 2 ** Math.ceil(Math.log2(length + 1))
  if ((most - least + 1) * span > Number.MAX_SAFE_INTEGER) {
    for (let i = 0; i < length; i++) order[next[term[i]!]!++] = i
    // Each term now starts where the one before it ends.
    for (let t = 0, from = 0; t < terms; from = next[t++]!)
      order.subarray(from, next[t]).sort((a, b) => rate[a]! - rate[b]! || a - b)
    return order
  }
  for (let i = 0; i < length; i++) keys[next[term[i]!]!++] = (rate[i]! - least) * span + i
  for (let t = 0, from = 0; t < terms; from = next[t++]!) {
    const to = next[t]!
    if (to - from < nativeFrom) sortFew(keys, from, to)
    else keys.subarray(from, to).sort()
  }
  const share = 1 / span
  for (let i = 0; i < length; i++) order[i] = keys[i]! - Math.floor(keys[i]! * share) * span
  return order
}

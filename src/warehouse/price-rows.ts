import { Uint32List } from './interning.ts'
import type { LabelTable } from './labels.ts'
import type { PlaceBlock, PriceBlock } from './price-blocks.ts'
import type { ProviderSets } from './provider-sets.ts'

/** The published prices of one code, as they come: one row per price and label, in the order of first sight. */
export class PriceRows {
  length = 0
  term = new Uint32Array(4_096)
  rate = new Float64Array(4_096)
  set = new Uint32Array(4_096)
  label = new Uint32Array(4_096)
  source = new Uint32Array(4_096)
  offset = new Float64Array(4_096)
  item = new Uint32Array(4_096)
  rateIndex = new Uint32Array(4_096)

  reserve(rows: number): void {
    if (rows <= this.term.length) return
    const size = Math.max(rows, this.term.length * 2)
    const larger = <Values extends Uint32Array | Float64Array>(values: Values, into: Values): Values => {
      into.set(values)
      return into
    }
    this.term = larger(this.term, new Uint32Array(size))
    this.rate = larger(this.rate, new Float64Array(size))
    this.set = larger(this.set, new Uint32Array(size))
    this.label = larger(this.label, new Uint32Array(size))
    this.source = larger(this.source, new Uint32Array(size))
    this.offset = larger(this.offset, new Float64Array(size))
    this.item = larger(this.item, new Uint32Array(size))
    this.rateIndex = larger(this.rateIndex, new Uint32Array(size))
  }
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
interface SortScratch {
  keys: Float64Array
  order: Uint32Array
}

/** From so many rows on the native sort, which takes its time to begin, is faster. */
const nativeFrom = 32

/** Sorts row numbers by rate; those that come in order of first sight stay so. */
function sortFew(order: Uint32Array, rate: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const row = order[i]!
    const amount = rate[row]!
    let at = i
    for (; at > from && rate[order[at - 1]!]! > amount; at--) order[at] = order[at - 1]!
    order[at] = row
  }
}

/** Row numbers by term, rate, and order of first sight. */
function sortedRows(rows: PriceRows, scratch: SortScratch): Uint32Array {
  const { length, rate } = rows
  if (scratch.keys.length < length) {
    scratch.keys = new Float64Array(length * 2)
    scratch.order = new Uint32Array(length * 2)
  }
  const { keys } = scratch
  const order = scratch.order.subarray(0, length)
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < length; i++) {
    if (rate[i]! < least) least = rate[i]!
    if (rate[i]! > most) most = rate[i]!
  }
  const { term, terms } = denseTerms(rows)
  // Term by term (counting sort), then rate and row number as one number each, so that the native sort of numbers serves.
  const starts = new Uint32Array(terms + 1)
  for (let i = 0; i < length; i++) starts[term[i]! + 1]!++
  for (let t = 0; t < terms; t++) starts[t + 1]! += starts[t]!
  const next = starts.slice()
  for (let i = 0; i < length; i++) order[next[term[i]!]!++] = i
  const span = 2 ** Math.ceil(Math.log2(length + 1))
  const fits = (most - least + 1) * span <= Number.MAX_SAFE_INTEGER
  for (let t = 0; t < terms; t++) {
    const from = starts[t]!
    const to = starts[t + 1]!
    if (to - from < 2) continue
    if (to - from < nativeFrom) sortFew(order, rate, from, to)
    else if (fits) {
      for (let i = from; i < to; i++) keys[i] = (rate[order[i]!]! - least) * span + order[i]!
      keys.subarray(from, to).sort()
      for (let i = from; i < to; i++) order[i] = keys[i]! - Math.floor(keys[i]! / span) * span
    } else order.subarray(from, to).sort((a, b) => rate[a]! - rate[b]! || a - b)
  }
  return order
}

/** What resolving the rows of one code gives. */
export interface ResolvedPrices {
  readonly prices: PriceBlock
  readonly places: PlaceBlock
}

/** Turns published prices into disjoint rows: every entry once, under all its labels, at the place where it was first seen. */
export class PriceResolver {
  private readonly sets: ProviderSets
  private readonly labels: LabelTable
  /** Which row of the present run named an atom; 0 = none. */
  private readonly namedBy: Uint32Array
  private readonly scratch: SortScratch = { keys: new Float64Array(0), order: new Uint32Array(0) }
  private readonly term = new Uint32List()
  private readonly row = new Uint32List()
  private readonly set = new Uint32List()
  private readonly label = new Uint32List()

  constructor(sets: ProviderSets, labels: LabelTable) {
    this.sets = sets
    this.labels = labels
    this.namedBy = new Uint32Array(sets.atoms.count)
  }

  resolve(rows: PriceRows): ResolvedPrices {
    const order = sortedRows(rows, this.scratch)
    this.term.length = this.row.length = this.set.length = this.label.length = 0
    for (let from = 0; from < order.length;) {
      const first = order[from]!
      let to = from + 1
      while (
        to < order.length &&
        rows.rate[order[to]!] === rows.rate[first] &&
        rows.term[order[to]!] === rows.term[first]
      )
        to++
      if (to - from === 1) this.keep(first, rows.term[first]!, rows.set[first]!, rows.label[first]!)
      else this.resolveRun(rows, order.subarray(from, to))
      from = to
    }
    return this.blocks(rows)
  }

  private keep(row: number, term: number, set: number, label: number): void {
    this.row.push(row)
    this.term.push(term)
    this.set.push(set)
    this.label.push(label)
  }

  /** Rows of one term and one rate: the same set met again is the same entries; sets that overlap are cut apart. */
  private resolveRun(rows: PriceRows, run: Uint32Array): void {
    const term = rows.term[run[0]!]!
    const start = this.row.length
    const seen = run.length > 8 ? new Map<number, number>() : undefined
    for (const row of run) {
      const set = rows.set[row]!
      const at = seen ? seen.get(set) : this.keptAt(set, start)
      if (at !== undefined) {
        this.label.values[at] = this.labels.union(this.label.values[at]!, rows.label[row]!)
        continue
      }
      seen?.set(set, this.row.length)
      this.keep(row, term, set, rows.label[row]!)
    }
    if (this.overlapping(start)) this.cutApart(start, term)
    else this.dropEmpty(start)
  }

  private keptAt(set: number, start: number): number | undefined {
    for (let at = start; at < this.set.length; at++) if (this.set.values[at] === set) return at
    return undefined
  }

  private overlapping(start: number): boolean {
    const { sets } = this.sets
    let found = false
    let at = start
    for (; at < this.set.length && !found; at++) {
      const set = this.set.values[at]!
      for (let i = sets.start(set); i < sets.end.values[set]!; i++) {
        const atom = sets.items.values[i]!
        if (this.namedBy[atom]) found = true
        this.namedBy[atom] = 1
      }
    }
    for (let kept = start; kept < at; kept++) {
      const set = this.set.values[kept]!
      for (let i = sets.start(set); i < sets.end.values[set]!; i++) this.namedBy[sets.items.values[i]!] = 0
    }
    return found
  }

  private cutApart(start: number, term: number): void {
    const first = new Map<number, { row: number; label: number }>()
    for (let at = start; at < this.set.length; at++)
      for (const atom of this.sets.sets.list(this.set.values[at]!)) {
        const before = first.get(atom)
        const label = this.label.values[at]!
        if (before) before.label = this.labels.union(before.label, label)
        else first.set(atom, { row: this.row.values[at]!, label })
      }
    this.row.length = this.term.length = this.set.length = this.label.length = start
    const byRow = new Map<number, Map<number, number>>()
    for (const [atom, { row, label }] of first) {
      let atoms = byRow.get(row)
      if (!atoms) byRow.set(row, (atoms = new Map()))
      atoms.set(atom, label)
    }
    for (const [row, atoms] of byRow)
      for (const [label, set] of this.sets.byLabel(atoms)) this.keep(row, term, set, label)
  }

  // A price whose providers are unknown says nothing beside the same price with known ones.
  private dropEmpty(start: number): void {
    if (this.set.length - start < 2) return
    const at = this.keptAt(0, start)
    if (at === undefined) return
    for (const column of [this.row, this.term, this.set, this.label]) {
      column.values.copyWithin(at, at + 1, column.length)
      column.length--
    }
  }

  private blocks(rows: PriceRows): ResolvedPrices {
    const count = this.row.length
    const runTerm = new Uint32List()
    const runEnd = new Uint32List()
    const rate = new Float64Array(count)
    const places = {
      source: new Uint32Array(count),
      offset: new Float64Array(count),
      item: new Uint32Array(count),
      rate: new Uint32Array(count),
    }
    for (let i = 0; i < count; i++) {
      const row = this.row.values[i]!
      rate[i] = rows.rate[row]!
      places.source[i] = rows.source[row]!
      places.offset[i] = rows.offset[row]!
      places.item[i] = rows.item[row]!
      places.rate[i] = rows.rateIndex[row]!
      if (i === 0 || this.term.values[i] !== this.term.values[i - 1]) {
        if (i > 0) runEnd.push(i)
        runTerm.push(this.term.values[i]!)
      }
    }
    if (count > 0) runEnd.push(count)
    return {
      prices: {
        rows: count,
        runTerm: runTerm.trimmed(),
        runEnd: runEnd.trimmed(),
        rate,
        set: this.set.trimmed(),
        label: this.label.trimmed(),
      },
      places,
    }
  }
}

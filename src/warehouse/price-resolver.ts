import { Uint32List } from './interning.ts'
import type { LabelTable } from './labels.ts'
import type { PlaceBlock, PriceBlock } from './price-blocks.ts'
import { larger, sortedRows, SortScratch, type PriceRows } from './price-rows.ts'
import type { ProviderSets } from './provider-sets.ts'

/** What resolving the rows of one code gives. */
export interface ResolvedPrices {
  readonly prices: PriceBlock
  readonly places: PlaceBlock
}

/** Rows that stay, column by column. */
class KeptRows {
  length = 0
  row = new Uint32Array(4_096)
  term = new Uint32Array(4_096)
  set = new Uint32Array(4_096)
  label = new Uint32Array(4_096)

  push(row: number, term: number, set: number, label: number): void {
    const at = this.length
    if (at === this.row.length) this.grow()
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

  private grow(): void {
    const size = this.length * 2
    this.row = larger(this.row, new Uint32Array(size))
    this.term = larger(this.term, new Uint32Array(size))
    this.set = larger(this.set, new Uint32Array(size))
    this.label = larger(this.label, new Uint32Array(size))
  }
}

/** Turns published prices into disjoint rows: every entry once, under all its labels, at the place where it was first seen. */
export class PriceResolver {
  private readonly sets: ProviderSets
  private readonly labels: LabelTable
  /** Which row of the present run named an atom; 0 = none. */
  private readonly namedBy: Uint32Array
  private readonly scratch = new SortScratch()
  private readonly kept = new KeptRows()
  private readonly runTerm = new Uint32List()
  private readonly runEnd = new Uint32List()
  private rate = new Float64Array(4_096)
  private places = placesOf(4_096)

  constructor(sets: ProviderSets, labels: LabelTable) {
    this.sets = sets
    this.labels = labels
    this.namedBy = new Uint32Array(sets.atoms.count)
  }

  /** What becomes of a code's rows; its columns may be longer than its rows, and are good until the next code. */
  resolve(rows: PriceRows): ResolvedPrices {
    const order = sortedRows(rows, this.scratch)
    const { length, rate, term, set, label } = rows
    const { kept } = this
    kept.length = 0
    for (let from = 0; from < length;) {
      const first = order[from]!
      let to = from + 1
      while (to < length && rate[order[to]!] === rate[first] && term[order[to]!] === term[first]) to++
      if (to - from === 1) kept.push(first, term[first]!, set[first]!, label[first]!)
      else this.resolveRun(rows, order.subarray(from, to))
      from = to
    }
    return this.blocks(rows)
  }

  /** Rows of one term and one rate: the same set met again is the same entries; sets that overlap are cut apart. */
  private resolveRun(rows: PriceRows, run: Uint32Array): void {
    const { kept } = this
    const term = rows.term[run[0]!]!
    const start = kept.length
    const seen = run.length > 8 ? new Map<number, number>() : undefined
    for (const row of run) {
      const set = rows.set[row]!
      const at = seen ? seen.get(set) : this.keptAt(set, start)
      if (at !== undefined) {
        kept.label[at] = this.labels.union(kept.label[at]!, rows.label[row]!)
        continue
      }
      seen?.set(set, kept.length)
      kept.push(row, term, set, rows.label[row]!)
    }
    if (this.overlapping(start)) this.cutApart(start, term)
    else this.dropEmpty(start)
  }

  private keptAt(set: number, start: number): number | undefined {
    for (let at = start; at < this.kept.length; at++) if (this.kept.set[at] === set) return at
    return undefined
  }

  private overlapping(start: number): boolean {
    const { kept } = this
    const { sets } = this.sets
    // One row shares nothing.
    if (kept.length - start < 2) return false
    let found = false
    let at = start
    for (; at < kept.length && !found; at++) {
      const set = kept.set[at]!
      for (let i = sets.start(set); i < sets.end.values[set]!; i++) {
        const atom = sets.items.values[i]!
        if (this.namedBy[atom]) found = true
        this.namedBy[atom] = 1
      }
    }
    for (let row = start; row < at; row++) {
      const set = kept.set[row]!
      for (let i = sets.start(set); i < sets.end.values[set]!; i++) this.namedBy[sets.items.values[i]!] = 0
    }
    return found
  }

  private cutApart(start: number, term: number): void {
    const { kept } = this
    const first = new Map<number, { row: number; label: number }>()
    for (let at = start; at < kept.length; at++)
      for (const atom of this.sets.sets.list(kept.set[at]!)) {
        const before = first.get(atom)
        const label = kept.label[at]!
        if (before) before.label = this.labels.union(before.label, label)
        else first.set(atom, { row: kept.row[at]!, label })
      }
    kept.length = start
    const byRow = new Map<number, Map<number, number>>()
    for (const [atom, { row, label }] of first) {
      let atoms = byRow.get(row)
      if (!atoms) byRow.set(row, (atoms = new Map()))
      atoms.set(atom, label)
    }
    for (const [row, atoms] of byRow)
      for (const [label, set] of this.sets.byLabel(atoms)) kept.push(row, term, set, label)
  }

  // A price whose providers are unknown says nothing beside the same price with known ones.
  private dropEmpty(start: number): void {
    if (this.kept.length - start < 2) return
    const at = this.keptAt(0, start)
    if (at !== undefined) this.kept.remove(at)
  }

  private blocks(rows: PriceRows): ResolvedPrices {
    const { length: count, row: rowOf, term, set, label } = this.kept
    if (count > this.rate.length) {
      this.rate = new Float64Array(count * 2)
      this.places = placesOf(count * 2)
    }
    const { rate, places, runTerm, runEnd } = this
    const { rate: published, object: objectOf, objects } = rows
    runTerm.length = runEnd.length = 0
    for (let i = 0; i < count; i++) {
      const row = rowOf[i]!
      const object = objectOf[row]!
      rate[i] = published[row]!
      places.source[i] = objects.source[object]!
      places.offset[i] = objects.offset[object]!
      places.item[i] = objects.item[object]!
      places.rate[i] = objects.index[object]!
      if (i === 0 || term[i] !== term[i - 1]) {
        if (i > 0) runEnd.push(i)
        runTerm.push(term[i]!)
      }
    }
    if (count > 0) runEnd.push(count)
    return {
      prices: { rows: count, runTerm: runTerm.trimmed(), runEnd: runEnd.trimmed(), rate, set, label },
      places,
    }
  }
}

const placesOf = (rows: number) => ({
  source: new Uint32Array(rows),
  offset: new Float64Array(rows),
  item: new Uint32Array(rows),
  rate: new Uint32Array(rows),
})

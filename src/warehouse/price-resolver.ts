import type { LabelTable } from './labels.ts'
import type { KeptRows, PriceBatch } from './price-batch.ts'
import { sortedRows, SortScratch, type PriceRows } from './price-rows.ts'
import type { ProviderSets } from './provider-sets.ts'

/** Turns published prices into disjoint rows: every entry once, under all its labels, at the place where it was first seen. */
export class PriceResolver {
  private readonly sets: ProviderSets
  private readonly labels: LabelTable
  /** Which row of the present run named an atom; 0 = none. */
  private readonly namedBy: Uint32Array
  private readonly scratch = new SortScratch()
  private kept!: KeptRows

  constructor(sets: ProviderSets, labels: LabelTable) {
    this.sets = sets
    this.labels = labels
    this.namedBy = new Uint32Array(sets.atoms.count)
  }

  /** Resolves the rows of a code, which are those from `start` on. */
  resolve(batch: PriceBatch, start: number): void {
    const { rows, kept } = batch
    const { rate, term } = rows
    const count = rows.length - start
    const order = sortedRows(rows, start, rows.length, this.scratch)
    this.kept = kept
    for (let from = 0; from < count;) {
      from = this.keepSingle(rows, start, order, from)
      if (from === count) break
      const first = start + order[from]!
      let to = from + 1
      while (
        to < count &&
        rate[start + order[to]!] === rate[first] &&
        term[start + order[to]!] === term[first]
      )
        to++
      this.resolveRun(rows, start, order.subarray(from, to))
      from = to
    }
    batch.endCode()
  }

  /** Keeps rows that are alone with their term and rate, as nearly all are, up to the first that is not. */
  private keepSingle(rows: PriceRows, start: number, order: Uint32Array, from: number): number {
    const { kept } = this
    const count = rows.length - start
    kept.reserve(kept.length + count - from)
    const { row: rowOf, term: termOf, set: setOf, label: labelOf } = kept
    const { rate, term, set, label } = rows
    let at = kept.length
    let i = from
    let row = start + order[i]!
    for (; i < count; i++) {
      const next = i + 1 < count ? start + order[i + 1]! : row
      if (next !== row && rate[next] === rate[row] && term[next] === term[row]) break
      rowOf[at] = row
      termOf[at] = term[row]!
      setOf[at] = set[row]!
      labelOf[at] = label[row]!
      at++
      row = next
    }
    kept.length = at
    return i
  }

  /** Rows of one term and one rate: the same set met again is the same entries; sets that overlap are cut apart. */
  private resolveRun(rows: PriceRows, rowsFrom: number, run: Uint32Array): void {
    const { kept } = this
    const term = rows.term[rowsFrom + run[0]!]!
    const start = kept.length
    const seen = run.length > 8 ? new Map<number, number>() : undefined
    for (const distance of run) {
      const row = rowsFrom + distance
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
}

import { join } from 'node:path'
import { DurableFile } from '../files/durable-files.ts'
import { buildFiles, rateMost } from './build-layout.ts'
import { Uint32List } from './interning.ts'
import { ByteSink } from './packed-columns.ts'
import type { BatchContent } from './price-batch.ts'
import { packPlaces, packPrices } from './price-blocks.ts'
import type { SetSizes } from './set-sizes.ts'

const flushBytes = 1 << 20

/** Writes `prices.blocks` and `places.blocks`, and counts what they hold. */
export class PriceColumnsFile {
  readonly counts = { prices: 0, entries: 0, pricesWithoutProviders: 0, pricesZero: 0, pricesAbsurd: 0 }
  /** Per code; places have one more: where the last block ends. */
  readonly codes = {
    rows: [] as number[],
    entries: [] as number[],
    at: [] as number[],
    placesAt: [] as number[],
  }
  entriesByLabel = new Float64Array(64)
  private readonly prices: PackedFile
  private readonly places: PackedFile
  private readonly sizes: SetSizes
  private readonly runTerm = new Uint32List()
  private readonly runEnd = new Uint32List()
  private block = blockOf(4_096)

  constructor(folder: string, sizes: SetSizes) {
    this.prices = new PackedFile(join(folder, buildFiles.prices))
    this.places = new PackedFile(join(folder, buildFiles.places))
    this.sizes = sizes
  }

  write(batch: BatchContent): void {
    const { codeEnd, codeObjectsEnd, source, item } = batch
    for (let code = 0, from = 0, first = 0; code < codeEnd.length; code++) {
      const to = codeEnd[code]!
      const last = codeObjectsEnd[code]! - 1
      // They come in order: where the first and the last are of one item, all are.
      const isOne = source[first] === source[last] && item[first] === item[last]
      this.writeCode(batch, from, to, isOne ? { source: source[first]!, item: item[first]! } : undefined)
      from = to
      first = last + 1
    }
  }

  /** Ends both files, and answers how long they are when they are safe. */
  async finish(): Promise<number> {
    this.codes.at.push(this.prices.size)
    this.codes.placesAt.push(this.places.size)
    await Promise.all([this.prices.closed(), this.places.closed()])
    return this.prices.size + this.places.size
  }

  private writeCode(
    batch: BatchContent,
    from: number,
    to: number,
    one?: { source: number; item: number },
  ): void {
    const rows = to - from
    if (rows > this.block.rate.length) this.block = blockOf(rows * 2)
    this.gather(batch, from, to)
    if (!one) this.gatherItems(batch, from, to)
    const { codes, block, prices, places, runTerm, runEnd } = this
    codes.rows.push(rows)
    codes.at.push(prices.size)
    codes.placesAt.push(places.size)
    packPrices(prices.sink, { ...block, rows, runTerm: runTerm.trimmed(), runEnd: runEnd.trimmed() })
    packPlaces(places.sink, block.places, rows, one)
    prices.flushFrom(flushBytes)
    places.flushFrom(flushBytes)
    this.count(rows)
  }

  /** The columns of a code's rows, beside each other in `block`. */
  private gather(batch: BatchContent, from: number, to: number): void {
    const { row: rowOf, term, set: setOf, label: labelOf, rate: rateOf, object: objectOf } = batch
    const { offset: offsetOf, index: indexOf } = batch
    const { rate, set, label } = this.block
    const { offset, rate: index } = this.block.places
    const { runTerm, runEnd } = this
    runTerm.length = runEnd.length = 0
    for (let at = from, i = 0; at < to; at++, i++) {
      const row = rowOf[at]!
      const object = objectOf[row]!
      rate[i] = rateOf[row]!
      set[i] = setOf[at]!
      label[i] = labelOf[at]!
      offset[i] = offsetOf[object]!
      index[i] = indexOf[object]!
      if (i === 0 || term[at] !== term[at - 1]) {
        if (i > 0) runEnd.push(i)
        runTerm.push(term[at]!)
      }
    }
    if (to > from) runEnd.push(to - from)
  }

  private gatherItems(batch: BatchContent, from: number, to: number): void {
    const { source, item } = this.block.places
    for (let at = from, i = 0; at < to; at++, i++) {
      const object = batch.object[batch.row[at]!]!
      source[i] = batch.source[object]!
      item[i] = batch.item[object]!
    }
  }

  private count(rows: number): void {
    const { counts } = this
    const { sizes } = this.sizes
    const { rate, set, label } = this.block
    let entries = 0
    let labelled = 0
    for (let i = 0; i < rows; i++) {
      const size = sizes[set[i]!]!
      entries += size
      labelled += size
      // Neighbours mostly have the same label.
      if (i + 1 === rows || label[i + 1] !== label[i]) {
        this.addToLabel(label[i]!, labelled)
        labelled = 0
      }
      if (set[i] === 0) counts.pricesWithoutProviders++
      const amount = rate[i]!
      if (amount <= 0) counts.pricesZero++
      else if (amount > rateMost) counts.pricesAbsurd++
    }
    this.codes.entries.push(entries)
    counts.prices += rows
    counts.entries += entries
  }

  private addToLabel(label: number, entries: number): void {
    if (label >= this.entriesByLabel.length) {
      const more = new Float64Array(Math.max(label + 1, this.entriesByLabel.length * 2))
      more.set(this.entriesByLabel)
      this.entriesByLabel = more
    }
    this.entriesByLabel[label]! += entries
  }
}

/** A file of packed columns. */
class PackedFile {
  readonly sink = new ByteSink()
  private readonly file: DurableFile

  constructor(path: string) {
    this.file = new DurableFile(path)
  }

  get size(): number {
    return this.file.size + this.sink.length
  }

  /** Writes what was packed, where it is so much. */
  flushFrom(bytes: number): void {
    if (this.sink.length < bytes) return
    this.file.write(this.sink.written())
    this.sink.clear()
  }

  closed(): Promise<void> {
    this.flushFrom(0)
    return this.file.closed()
  }
}

const blockOf = (rows: number) => ({
  rate: new Float64Array(rows),
  set: new Uint32Array(rows),
  label: new Uint32Array(rows),
  places: {
    source: new Uint32Array(rows),
    offset: new Float64Array(rows),
    item: new Uint32Array(rows),
    rate: new Uint32Array(rows),
  },
})

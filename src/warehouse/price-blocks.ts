import { packColumn, packedEnd, packSame, unpackInto, type ByteSink } from './packed-columns.ts'

/**
 * The prices of one code in one build: rows sorted by term, then rate. Rows of one term and rate name sets that share no pair,
 * so that the entries of a row are the pairs of its set and no entry is met twice.
 */
export interface PriceBlock {
  readonly rows: number
  /** Runs of rows with one term: its number, and where the run ends. */
  readonly runTerm: Uint32Array
  readonly runEnd: Uint32Array
  /** Ten-thousandths of a dollar (or of a percent). */
  readonly rate: Float64Array
  readonly set: Uint32Array
  readonly label: Uint32Array
}

/** Where each row of a block was first seen. */
export interface PlaceBlock {
  readonly source: Uint32Array
  /** Byte of the rate object in the unpacked file. */
  readonly offset: Float64Array
  /** `in_network[item].negotiated_rates[rate]`. */
  readonly item: Uint32Array
  readonly rate: Uint32Array
}

export function packPrices(sink: ByteSink, block: PriceBlock): void {
  const runs = block.runTerm.length
  packColumn(sink, Uint32Array.of(runs), 0, 1)
  packColumn(sink, block.runTerm, 0, runs)
  packColumn(sink, block.runEnd, 0, runs)
  packColumn(sink, block.rate, 0, block.rows)
  packColumn(sink, block.set, 0, block.rows)
  packColumn(sink, block.label, 0, block.rows)
}

export function unpackPrices(bytes: Buffer, rows: number): PriceBlock {
  const one = new Uint32Array(1)
  unpackInto(bytes, 0, 1, one)
  const runs = one[0]!
  let at = packedEnd(bytes, 0, 1)
  const column = <Values extends Uint32Array | Float64Array>(values: Values): Values => {
    unpackInto(bytes, at, values.length, values)
    at = packedEnd(bytes, at, values.length)
    return values
  }
  return {
    rows,
    runTerm: column(new Uint32Array(runs)),
    runEnd: column(new Uint32Array(runs)),
    rate: column(new Float64Array(rows)),
    set: column(new Uint32Array(rows)),
    label: column(new Uint32Array(rows)),
  }
}

/** Packs places; those of one item have its source and number, whatever stands in their columns. */
export function packPlaces(
  sink: ByteSink,
  block: PlaceBlock,
  rows: number,
  one?: { readonly source: number; readonly item: number },
): void {
  if (one) packSame(sink, one.source)
  else packColumn(sink, block.source, 0, rows)
  packColumn(sink, block.offset, 0, rows)
  if (one) packSame(sink, one.item)
  else packColumn(sink, block.item, 0, rows)
  packColumn(sink, block.rate, 0, rows)
}

export function unpackPlaces(bytes: Buffer, rows: number): PlaceBlock {
  let at = 0
  const column = <Values extends Uint32Array | Float64Array>(values: Values): Values => {
    unpackInto(bytes, at, rows, values)
    at = packedEnd(bytes, at, rows)
    return values
  }
  return {
    source: column(new Uint32Array(rows)),
    offset: column(new Float64Array(rows)),
    item: column(new Uint32Array(rows)),
    rate: column(new Uint32Array(rows)),
  }
}

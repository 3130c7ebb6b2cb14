import { join } from 'node:path'
import { tinFromText } from '../vocabulary/provider-numbers.ts'
import { buildFiles, type ColumnPlace, type ProviderColumn, type TinTexts } from './build-layout.ts'
import { DurableFile } from '../files/durable-files.ts'
import { ByteSink, packColumn, packLongColumn, pieceValues } from './packed-columns.ts'
import type { SetColumns } from './set-sizes.ts'

/** Pairs of TINs and NPIs, and the atoms that they form. */
export interface PairContent {
  /** Per TIN: what it is, and its business name. */
  readonly tins: readonly string[]
  readonly tinNames: readonly string[]
  /** Per pair: number of its TIN, NPI in two parts, number of its atom. */
  readonly tin: Uint32Array
  readonly npiLow: Uint32Array
  readonly npiHigh: Uint32Array
  readonly atom: Uint32Array
  readonly atoms: number
}

const flushBytes = 1 << 20
/** So many megabytes of the last column are packed while it still grows; they wait in memory for the column before it. */
const aheadMost = 16

/** Writes `providers.columns`, column by column in the order of `providerColumns`, and `tins.json`. */
export class ProviderColumnsFile {
  readonly places = {} as Record<ProviderColumn, ColumnPlace>
  /** Bytes of both files. */
  bytes = 0
  npis = 0
  private readonly folder: string
  private readonly file: DurableFile
  private readonly sink = new ByteSink()
  /** The last column so far, in buffers of about a megabyte. */
  private readonly ahead: Buffer[] = []
  private aheadValues = 0
  private tinsSafe = Promise.resolve()

  constructor(folder: string) {
    this.folder = folder
    this.file = new DurableFile(join(folder, buildFiles.providers))
  }

  writePairs(content: PairContent): void {
    const odd: string[] = []
    const tins = ranked(
      Float64Array.from(content.tins, (tin) => (tinFromText(tin) ? Number(tin) : -odd.push(tin))),
    )
    const { npi, pairTin, pairNpi, atomEnd } = pairColumns(content, tins.rank)
    const names = Array.from<string>({ length: tins.sorted.length })
    for (let tin = 0; tin < names.length; tin++) names[tins.rank[tin]!] = content.tinNames[tin]!
    const texts = JSON.stringify({ odd, names } satisfies TinTexts)
    const file = new DurableFile(join(this.folder, buildFiles.tins))
    file.write(Buffer.from(texts))
    this.bytes += file.size
    this.tinsSafe = file.closed()
    // Whether it failed is asked in the end.
    this.tinsSafe.catch(() => undefined)
    this.npis = npi.length - (npi[0] === 0 ? 1 : 0)
    this.write('npi', npi)
    this.write('tin', tins.sorted)
    this.write('pairTin', pairTin)
    this.write('pairNpi', pairNpi)
    this.write('atomEnd', atomEnd)
  }

  /** Packs atoms of sets, of which more may follow. */
  packAhead({ items, atoms }: SetColumns): void {
    const whole = atoms - (atoms % pieceValues)
    while (this.aheadValues < whole && this.ahead.length < aheadMost) {
      packColumn(this.sink, items, this.aheadValues, this.aheadValues + pieceValues)
      this.aheadValues += pieceValues
      if (this.sink.length > flushBytes || this.aheadValues === whole) this.keepAhead()
    }
  }

  /** Writes the sets; both files are safe when the promise is fulfilled. */
  async finish({ sets, end, atoms, items }: SetColumns): Promise<void> {
    this.write('setEnd', end.subarray(0, sets))
    const at = this.file.size
    for (const packed of this.ahead) this.file.write(packed)
    this.append(items.subarray(this.aheadValues, atoms))
    this.places.setAtom = { at, bytes: this.file.size - at, values: atoms }
    this.bytes += this.file.size
    await Promise.all([this.file.closed(), this.tinsSafe])
  }

  private write(name: ProviderColumn, values: Float64Array | Uint32Array): void {
    const at = this.file.size
    this.append(values)
    this.places[name] = { at, bytes: this.file.size - at, values: values.length }
  }

  private append(values: Float64Array | Uint32Array): void {
    packLongColumn(this.sink, values, () => {
      if (this.sink.length > flushBytes) this.flush()
    })
    this.flush()
  }

  private keepAhead(): void {
    this.ahead.push(Buffer.from(this.sink.written()))
    this.sink.clear()
  }

  private flush(): void {
    this.file.write(this.sink.written())
    this.sink.clear()
  }
}

/** Values in ascending order, and the place of each there. */
function ranked(values: Float64Array) {
  const sorted = values.slice().sort()
  const at = new Map<number, number>()
  for (let i = 0; i < sorted.length; i++) at.set(sorted[i]!, i)
  return { sorted, rank: Uint32Array.from(values, (value) => at.get(value)!) }
}

/** NPIs ascending; pairs atom by atom, and within an atom by NPI and TIN. */
function pairColumns(content: PairContent, tinRank: Uint32Array) {
  const { tin, npiLow, npiHigh, atom, atoms } = content
  const count = tin.length
  const tinRankOf = taken(tinRank, tin)
  const order = new PairOrder(count)
  // Digit by digit, the least first: each step keeps what the steps before it made.
  order.arrange(tinRankOf, tinRank.length)
  for (let shift = 0; shift < 32; shift += 11) order.arrange(npiLow, 0x800, shift)
  order.arrange(npiHigh, 4)
  const npi = new Float64Array(count)
  const npiRankOf = new Uint32Array(count)
  let npis = 0
  for (let i = 0, last = -1; i < count; i++) {
    const pair = order.pairs[i]!
    const value = npiHigh[pair]! * 0x1_0000_0000 + npiLow[pair]!
    if (value !== last) npi[npis++] = last = value
    npiRankOf[pair] = npis - 1
  }
  const atomEnd = order.arrange(atom, atoms)
  return {
    npi: npi.subarray(0, npis),
    pairTin: taken(tinRankOf, order.pairs),
    pairNpi: taken(npiRankOf, order.pairs),
    atomEnd,
  }
}

/** The value at each place. */
function taken(values: Uint32Array, places: Uint32Array): Uint32Array {
  const at = new Uint32Array(places.length)
  for (let i = 0; i < at.length; i++) at[i] = values[places[i]!]!
  return at
}

/** Pairs in an order that is made step by step. */
class PairOrder {
  pairs: Uint32Array
  private other: Uint32Array

  constructor(count: number) {
    this.pairs = new Uint32Array(count)
    this.other = new Uint32Array(count)
    for (let pair = 0; pair < count; pair++) this.pairs[pair] = pair
  }

  /**
   * Orders by each pair's value, which is below `digits`; with a shift, by the one digit of it that stands there.
   * Pairs of the same digit stay as they are. Answers where each digit ends.
   */
  arrange(values: Uint32Array, digits: number, shift?: number): Uint32Array {
    const { pairs, other } = this
    const next = new Uint32Array(digits)
    const by = shift ?? 0
    const mask = shift === undefined ? 0x7fff_ffff : digits - 1
    for (let pair = 0; pair < values.length; pair++) next[(values[pair]! >>> by) & mask]!++
    for (let digit = 0, start = 0; digit < digits; digit++) {
      const count = next[digit]!
      next[digit] = start
      start += count
    }
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i]!
      other[next[(values[pair]! >>> by) & mask]!++] = pair
    }
    this.pairs = other
    this.other = pairs
    return next
  }
}

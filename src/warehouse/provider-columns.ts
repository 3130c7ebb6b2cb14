import { join } from 'node:path'
import { tinFromText } from '../vocabulary/provider-numbers.ts'
import { buildFiles, type ColumnPlace, type ProviderColumn, type TinTexts } from './build-layout.ts'
import { DurableFile, writeDurably } from '../files/durable-files.ts'
import { ByteSink, packLongColumn } from './packed-columns.ts'

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

/** Writes `providers.columns`, column by column in the order of `providerColumns`, and `tins.json`. */
export class ProviderColumnsFile {
  readonly places = {} as Record<ProviderColumn, ColumnPlace>
  /** Bytes of both files. */
  bytes = 0
  npis = 0
  private readonly folder: string
  private readonly file: DurableFile
  private readonly sink = new ByteSink()

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
    writeDurably(join(this.folder, buildFiles.tins), texts)
    this.bytes += Buffer.byteLength(texts)
    this.npis = npi.length - (npi[0] === 0 ? 1 : 0)
    this.write('npi', npi)
    this.write('tin', tins.sorted)
    this.write('pairTin', pairTin)
    this.write('pairNpi', pairNpi)
    this.write('atomEnd', atomEnd)
  }

  /** Writes where the sets' atoms end, and the atoms. */
  writeSets(end: Uint32Array, atoms: Uint32Array): void {
    this.write('setEnd', end)
    this.write('setAtom', atoms)
    this.file.close()
    this.bytes += this.file.size
  }

  private write(name: ProviderColumn, values: Float64Array | Uint32Array): void {
    const at = this.file.size
    packLongColumn(this.sink, values, () => {
      if (this.sink.length > flushBytes) this.flush()
    })
    this.flush()
    this.places[name] = { at, bytes: this.file.size - at, values: values.length }
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
  // Digit by digit, the least first: each pass keeps what the passes before it made.
  let order = new Uint32Array(count)
  let other = new Uint32Array(count)
  for (let pair = 0; pair < count; pair++) order[pair] = pair
  const digits = new Uint32Array(count)
  const sort = (digit: Uint32Array, most: number) => {
    arrange(order, digit, most, other)
    ;[order, other] = [other, order]
  }
  for (let pair = 0; pair < count; pair++) digits[pair] = tinRank[tin[pair]!]!
  sort(digits, tinRank.length)
  for (let shift = 0; shift < 32; shift += 11) {
    for (let pair = 0; pair < count; pair++) digits[pair] = (npiLow[pair]! >>> shift) & 0x7ff
    sort(digits, 0x800)
  }
  sort(npiHigh, 4)
  const npi = new Float64Array(count)
  let npis = 0
  const npiRank = digits
  for (let i = 0; i < count; i++) {
    const pair = order[i]!
    const value = npiHigh[pair]! * 0x1_0000_0000 + npiLow[pair]!
    if (npis === 0 || npi[npis - 1] !== value) npi[npis++] = value
    npiRank[pair] = npis - 1
  }
  const atomEnd = arrange(order, atom, atoms, other)
  const pairTin = new Uint32Array(count)
  const pairNpi = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    pairTin[i] = tinRank[tin[other[i]!]!]!
    pairNpi[i] = npiRank[other[i]!]!
  }
  return { npi: npi.subarray(0, npis), pairTin, pairNpi, atomEnd }
}

/** Puts items into another order, by a digit of each; those of the same digit stay as they come. Answers where each digit ends. */
function arrange(order: Uint32Array, digit: Uint32Array, digits: number, into: Uint32Array): Uint32Array {
  const next = new Uint32Array(digits)
  for (let item = 0; item < digit.length; item++) next[digit[item]!]!++
  for (let d = 0, start = 0; d < digits; d++) {
    const items = next[d]!
    next[d] = start
    start += items
  }
  for (let i = 0; i < order.length; i++) into[next[digit[order[i]!]!]!++] = order[i]!
  return next
}

import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { aligned, facetToken, valueMark, type Facet, type FacetHeader, type Header } from './columns.ts'

/** Gathers identifiers and packed columns while entries stream by in their final order. What grows with the entries waits on disk. */
export class ColumnsWriter {
  readonly #keys: Spool
  readonly #facets: FacetWriter[]
  #low = Infinity
  #high = -Infinity

  constructor(facets: readonly (string | Facet)[], folder: string) {
    this.#keys = new Spool(join(folder, 'keys.part'))
    this.#facets = facets.map(
      (facet, place) =>
        new FacetWriter(
          typeof facet === 'string' ? { name: facet, valuesOf: (text) => text.split(valueMark) } : facet,
          place,
          folder,
        ),
    )
  }

  get rows(): number {
    return this.#keys.length
  }

  /** Adds an entry and returns the words under which its facet values are found. */
  add(key: number, facets: Readonly<Record<string, string | undefined>>): string[] {
    this.#keys.push(key)
    if (key < this.#low) this.#low = key
    if (key > this.#high) this.#high = key
    const tokens: string[] = []
    for (const facet of this.#facets) facet.add(facets[facet.name], tokens)
    return tokens
  }

  /** The identifiers, piece by piece. Nothing can be added afterwards. */
  *keys(): Generator<Uint8Array> {
    const narrow = this.rows > 0 && this.#high - this.#low < 2 ** 32
    const base = narrow ? this.#low : 0
    yield new Uint8Array(Float64Array.of(base, narrow ? 4 : 8).buffer)
    yield* padded(this.#keys.numbers(narrow ? Uint32Array : Float64Array, base))
  }

  /** The packed block, piece by piece. Nothing can be added afterwards. */
  *block(): Generator<Uint8Array> {
    const header: Header = {
      rows: this.rows,
      facets: this.#facets.map((facet) => facet.header()),
    }
    const text = Buffer.from(JSON.stringify(header))
    const start = Buffer.alloc(aligned(4 + text.length))
    start.writeUInt32LE(text.length)
    text.copy(start, 4)
    yield start
    for (const facet of this.#facets) yield* facet.parts()
  }
}

class FacetWriter {
  readonly name: string
  readonly #facet: Facet
  readonly #place: number
  readonly #values = new Map<string, number>()
  /** The word of each value. */
  readonly #tokens: string[] = []
  /** Sets of values by their text; millions of entries share some thousands of them. */
  readonly #setNumbers = new Map<string, number>()
  readonly #noValues: number
  readonly #starts = new Growing(Uint32Array)
  readonly #members = new Growing(Uint16Array)
  /** How many entries have each set. */
  readonly #sizes = new Growing(Uint32Array)
  readonly #sets: Spool

  constructor(facet: Facet, place: number, folder: string) {
    this.name = facet.name
    this.#facet = facet
    this.#place = place
    this.#sets = new Spool(join(folder, `facet-${place}.part`))
    this.#starts.push(0)
    this.#noValues = this.#newSet([])
  }

  add(text: string | undefined, tokens: string[]): void {
    let set = text === undefined ? this.#noValues : this.#setNumbers.get(text)
    if (set === undefined) {
      set = this.#newSet(this.#facet.valuesOf(text ?? ''))
      this.#setNumbers.set(text ?? '', set)
    }
    this.#sets.push(set)
    this.#sizes.set(set, this.#sizes.at(set) + 1)
    const end = this.#starts.at(set + 1)
    for (let at = this.#starts.at(set); at < end; at++) tokens.push(this.#tokens[this.#members.at(at)] ?? '')
  }

  #newSet(values: readonly string[]): number {
    for (const value of new Set(values)) this.#members.push(this.#valueNumber(value))
    this.#starts.push(this.#members.length)
    this.#sizes.push(0)
    return this.#starts.length - 2
  }

  #valueNumber(value: string): number {
    const known = this.#values.get(value)
    if (known !== undefined) return known
    const number = this.#values.size
    if (number > 65_535) throw new Error(`facet ${this.name} has more than 65,536 values`)
    this.#values.set(value, number)
    this.#tokens.push(facetToken(this.#place, number))
    return number
  }

  header(): FacetHeader {
    const sets = this.#starts.length - 1
    const counts = Array.from(this.#values, () => 0)
    for (let set = 0; set < sets; set++)
      for (let at = this.#starts.at(set); at < this.#starts.at(set + 1); at++)
        counts[this.#members.at(at)] = (counts[this.#members.at(at)] ?? 0) + this.#sizes.at(set)
    return {
      name: this.name,
      values: [...this.#values.keys()],
      counts,
      width: sets <= 256 ? 1 : sets <= 65_536 ? 2 : 4,
      sets,
      members: this.#members.length,
    }
  }

  *parts(): Generator<Uint8Array> {
    const sets = this.#starts.length - 1
    this.#setNumbers.clear()
    yield* padded(this.#sets.numbers(sets <= 256 ? Uint8Array : sets <= 65_536 ? Uint16Array : Uint32Array))
    yield* padded(this.#starts.blocks())
    yield* padded(this.#members.blocks())
  }
}

type Kind = new (length: number) => Float64Array | Uint32Array | Uint16Array | Uint8Array
const blockLength = 65_536

/** A list of numbers that grows in blocks, without the copies that doubling would hold at once. */
class Growing {
  readonly #kind: Kind
  readonly #blocks: InstanceType<Kind>[] = []
  length = 0

  constructor(kind: Kind) {
    this.#kind = kind
  }

  push(number: number): void {
    if (this.length % blockLength === 0) this.#blocks.push(new this.#kind(blockLength))
    this.length++
    this.set(this.length - 1, number)
  }

  at(place: number): number {
    return this.#blocks[Math.floor(place / blockLength)]?.[place % blockLength] ?? 0
  }

  set(place: number, number: number): void {
    const block = this.#blocks[Math.floor(place / blockLength)]
    if (block !== undefined) block[place % blockLength] = number
  }

  *blocks(): Generator<InstanceType<Kind>> {
    for (const [place, block] of this.#blocks.entries())
      yield block.subarray(0, Math.min(blockLength, this.length - place * blockLength))
  }
}

/** A list of numbers that is written out as it grows and read back once, in order. */
class Spool {
  readonly #path: string
  readonly #file: number
  readonly #block = new Float64Array(blockLength)
  length = 0

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'w+')
  }

  push(number: number): void {
    this.#block[this.length % blockLength] = number
    this.length++
    if (this.length % blockLength === 0) writeSync(this.#file, this.#block)
  }

  /** All of them, less a base, in numbers of the asked kind. The list is gone afterwards. */
  *numbers(kind: Kind, base = 0): Generator<InstanceType<Kind>> {
    const last = this.#block.slice(0, this.length % blockLength)
    const whole = this.length - last.length
    for (let place = 0; place < whole; place += blockLength) {
      readSync(this.#file, this.#block, 0, this.#block.byteLength, place * 8)
      yield narrowed(this.#block, kind, base)
    }
    yield narrowed(last, kind, base)
    closeSync(this.#file)
    rmSync(this.#path)
  }
}

function narrowed(numbers: Float64Array, kind: Kind, base: number): InstanceType<Kind> {
  const made = new kind(numbers.length)
  for (const [place, number] of numbers.entries()) made[place] = number - base
  return made
}

/** Bytes of numbers, and zeroes up to the next multiple of eight. */
function* padded(pieces: Iterable<InstanceType<Kind>>): Generator<Uint8Array> {
  let size = 0
  for (const piece of pieces) {
    size += piece.byteLength
    yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)
  }
  if (size % 8 !== 0) yield new Uint8Array(aligned(size) - size)
}

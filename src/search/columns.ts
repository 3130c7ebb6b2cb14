import { Failure } from '../errors.ts'

/** Values by which answers can be filtered, such as states: what each entry has of them. */
interface FacetHeader {
  readonly name: string
  readonly values: readonly string[]
  /** How many entries have each value. */
  readonly counts: readonly number[]
  /** Bytes per entry: how wide a number its set of values needs. */
  readonly width: 1 | 2 | 4
  readonly sets: number
  readonly members: number
}

interface Header {
  readonly rows: number
  readonly keyBase: number
  readonly keyWidth: 4 | 8
  readonly facets: readonly FacetHeader[]
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array
const narrowest = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const
const aligned = (size: number) => Math.ceil(size / 8) * 8

/** A filter made ready: whether an entry passes, and what of it the posting lists can look for. */
export interface FacetTest {
  readonly tokens: readonly string[]
  readonly count: number
  passes(row: number): boolean
}

/** The word under which entries with a facet's value stand in the posting lists. */
export const facetToken = (facet: number, value: number) => `_${facet}x${value.toString(36)}`

/**
 * What filters and look-ups need of every entry, packed into one block of memory that all threads share:
 * its identifier, and for each facet the number of its set of values.
 */
export class Columns {
  readonly rows: number
  readonly #keys: Numbers
  readonly #keyBase: number
  readonly #facets: {
    header: FacetHeader
    place: number
    sets: Numbers
    starts: Uint32Array
    members: Uint16Array
    valueAt: Map<string, number>
  }[] = []

  constructor(block: SharedArrayBuffer) {
    const [headerSize = 0] = new Uint32Array(block, 0, 1)
    const header = JSON.parse(Buffer.from(new Uint8Array(block, 4, headerSize)).toString('utf8')) as Header
    this.rows = header.rows
    this.#keyBase = header.keyBase
    let at = aligned(4 + headerSize)
    const take = (width: 1 | 2 | 4 | 8, length: number): Numbers => {
      const start = at
      at += aligned(width * length)
      if (width === 1) return new Uint8Array(block, start, length)
      if (width === 2) return new Uint16Array(block, start, length)
      return width === 4 ? new Uint32Array(block, start, length) : new Float64Array(block, start, length)
    }
    this.#keys = take(header.keyWidth, header.rows)
    for (const [place, facet] of header.facets.entries()) {
      const sets = take(facet.width, header.rows)
      const starts = take(4, facet.sets + 1) as Uint32Array
      const members = take(2, facet.members) as Uint16Array
      const valueAt = new Map(facet.values.map((value, number) => [value, number]))
      this.#facets.push({ header: facet, place, sets, starts, members, valueAt })
    }
  }

  /** The identifier of an entry. */
  key(row: number): number {
    return (this.#keys[row] ?? 0) + this.#keyBase
  }

  /** The first entries, in their order, whose identifier lies between two numbers. */
  rowsBetween(from: number, through: number, most: number, passes: (row: number) => boolean): number[] {
    const found: number[] = []
    const [low, high] = [from - this.#keyBase, through - this.#keyBase]
    for (let row = 0; row < this.rows && found.length < most; row++) {
      const key = this.#keys[row] ?? 0
      if (key >= low && key <= high && passes(row)) found.push(row)
    }
    return found
  }

  /** The first entries, in their order, that pass. */
  rowsThat(passes: (row: number) => boolean, most: number): number[] {
    const found: number[] = []
    for (let row = 0; row < this.rows && found.length < most; row++) if (passes(row)) found.push(row)
    return found
  }

  /** The filter that keeps entries with any of these values. A value that no entry has keeps nothing. */
  test(name: string, values: readonly string[]): FacetTest {
    const facet = this.#facets.find(({ header }) => header.name === name)
    if (facet === undefined) throw new Failure('internal', undefined, { cause: `no facet ${name}` })
    const { header, place, sets, starts, members, valueAt } = facet
    const wanted = values.flatMap((value) => valueAt.get(value) ?? [])
    const isWanted = new Uint8Array(header.values.length)
    for (const value of wanted) isWanted[value] = 1
    return {
      tokens: wanted.map((value) => facetToken(place, value)),
      count: wanted.reduce((sum, value) => sum + (header.counts[value] ?? 0), 0),
      passes(row) {
        const set = sets[row] ?? 0
        const end = starts[set + 1] ?? 0
        for (let at = starts[set] ?? 0; at < end; at++) if (isWanted[members[at] ?? 0] === 1) return true
        return false
      },
    }
  }

  /** Every value of a facet, as the entries have them. */
  valuesOf(name: string): readonly string[] {
    return this.#facets.find(({ header }) => header.name === name)?.header.values ?? []
  }
}

/** Gathers the packed columns while entries stream by in their final order. */
export class ColumnsWriter {
  readonly #keys = new Growing(Float64Array)
  readonly #facets: FacetWriter[]

  constructor(facets: readonly string[]) {
    this.#facets = facets.map((name, place) => new FacetWriter(name, place))
  }

  get rows(): number {
    return this.#keys.length
  }

  /** Adds an entry and returns the words under which its facet values stand in the posting lists, each after a space. */
  add(key: number, facets: Readonly<Record<string, readonly string[]>>): string {
    this.#keys.push(key)
    let tokens = ''
    for (const facet of this.#facets) tokens += facet.add(facets[facet.name] ?? [])
    return tokens
  }

  keys(): Float64Array {
    return this.#keys.numbers()
  }

  block(): Uint8Array[] {
    const keys = this.keys()
    let [low, high] = [Infinity, -Infinity]
    for (const key of keys) {
      if (key < low) low = key
      if (key > high) high = key
    }
    const narrow = keys.length > 0 && high - low < 2 ** 32
    const keyBase = narrow ? low : 0
    const header: Header = {
      rows: keys.length,
      keyBase,
      keyWidth: narrow ? 4 : 8,
      facets: this.#facets.map((facet) => facet.header()),
    }
    const text = Buffer.from(JSON.stringify(header))
    const start = Buffer.alloc(aligned(4 + text.length))
    start.writeUInt32LE(text.length)
    text.copy(start, 4)
    const packedKeys = narrow ? Uint32Array.from(keys, (key) => key - keyBase) : keys
    return [start, padded(packedKeys), ...this.#facets.flatMap((facet) => facet.parts())]
  }
}

class FacetWriter {
  readonly name: string
  readonly #place: number
  readonly #values = new Map<string, number>()
  /** Sets of values by their members, joined; millions of entries share some thousands of them. */
  readonly #setNumbers = new Map<string, number>()
  readonly #setTokens: string[] = []
  readonly #setSizes: number[] = []
  readonly #starts: number[] = [0]
  readonly #members: number[] = []
  readonly #sets = new Growing(Uint32Array)

  constructor(name: string, place: number) {
    this.name = name
    this.#place = place
  }

  add(values: readonly string[]): string {
    const name = values.length === 1 ? (values[0] ?? '') : `${values.length}\u001F${values.join('\u001F')}`
    const set = this.#setNumbers.get(name) ?? this.#newSet(name, values)
    this.#setSizes[set] = (this.#setSizes[set] ?? 0) + 1
    this.#sets.push(set)
    return this.#setTokens[set] ?? ''
  }

  #newSet(name: string, values: readonly string[]): number {
    const set = this.#setNumbers.size
    const numbers = [...new Set(values)].map((value) => this.#valueNumber(value))
    this.#setNumbers.set(name, set)
    this.#setTokens.push(numbers.map((number) => ` ${facetToken(this.#place, number)}`).join(''))
    this.#setSizes.push(0)
    this.#members.push(...numbers)
    this.#starts.push(this.#members.length)
    return set
  }

  #valueNumber(value: string): number {
    const known = this.#values.get(value)
    if (known !== undefined) return known
    const number = this.#values.size
    if (number > 65_535) throw new Error(`facet ${this.name} has more than 65,536 values`)
    this.#values.set(value, number)
    return number
  }

  header(): FacetHeader {
    const counts = Array.from(this.#values, () => 0)
    for (const [set, size] of this.#setSizes.entries())
      for (const member of this.#members.slice(this.#starts[set], this.#starts[set + 1]))
        counts[member] = (counts[member] ?? 0) + size
    return {
      name: this.name,
      values: [...this.#values.keys()],
      counts,
      width: this.#setNumbers.size <= 256 ? 1 : this.#setNumbers.size <= 65_536 ? 2 : 4,
      sets: this.#setNumbers.size,
      members: this.#members.length,
    }
  }

  parts(): Uint8Array[] {
    const narrow = narrowest[this.header().width]
    return [
      padded(narrow.from(this.#sets.numbers())),
      padded(Uint32Array.from(this.#starts)),
      padded(Uint16Array.from(this.#members)),
    ]
  }
}

/** A list of numbers that grows in blocks, without the copies that doubling would hold at once. */
class Growing<Kind extends Float64Array | Uint32Array> {
  readonly #kind: new (length: number) => Kind
  readonly #blocks: Kind[] = []
  length = 0

  constructor(kind: new (length: number) => Kind) {
    this.#kind = kind
  }

  push(number: number): void {
    const at = this.length % blockLength
    if (at === 0) this.#blocks.push(new this.#kind(blockLength))
    const block = this.#blocks.at(-1)
    if (block !== undefined) block[at] = number
    this.length++
  }

  numbers(): Kind {
    const all = new this.#kind(this.length)
    for (const [place, block] of this.#blocks.entries())
      all.set(
        block.subarray(0, Math.min(blockLength, this.length - place * blockLength)),
        place * blockLength,
      )
    return all
  }
}
const blockLength = 65_536

function padded(numbers: Numbers): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  if (bytes.length % 8 === 0) return bytes
  const whole = new Uint8Array(aligned(bytes.length))
  whole.set(bytes)
  return whole
}

import { Failure } from '../errors.ts'

/** Values by which answers can be filtered, such as states: what each entry has of them. */
export interface FacetHeader {
  readonly name: string
  readonly values: readonly string[]
  /** How many entries have each value. */
  readonly counts: readonly number[]
  /** Bytes per entry: how wide a number its set of values needs. */
  readonly width: 1 | 2 | 4
  readonly sets: number
  readonly members: number
}

export interface Header {
  readonly rows: number
  readonly facets: readonly FacetHeader[]
}

/** A kind of values that entries can be filtered by, and how an entry's values are read from their text. */
export interface Facet {
  readonly name: string
  valuesOf(text: string): readonly string[]
}

/** Between the values of a list that is one text; no name holds it. */
export const valueMark = '\u001F'

/** An entry's values of a facet as one text; undefined where it has none. */
export const valuesText = (values: readonly string[]) =>
  values.length === 0 ? undefined : values.join(valueMark)

export type Numbers = Uint8Array | Uint16Array | Uint32Array
export const aligned = (size: number) => Math.ceil(size / 8) * 8

/** A filter made ready: whether an entry passes, and what of it the posting lists can look for. */
export interface FacetTest {
  readonly tokens: readonly string[]
  readonly count: number
  passes(row: number): boolean
}

/** The word under which entries with a facet's value stand in the posting lists. */
export const facetToken = (facet: number, value: number) => `_${facet}x${value.toString(36)}`

/**
 * What filters need of every entry, packed into one block of memory that all threads share: for each facet the number
 * of its set of values.
 */
export class Columns {
  readonly rows: number
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
    let at = aligned(4 + headerSize)
    const take = (width: 1 | 2 | 4, length: number): Numbers => {
      const start = at
      at += aligned(width * length)
      if (width === 1) return new Uint8Array(block, start, length)
      return width === 2 ? new Uint16Array(block, start, length) : new Uint32Array(block, start, length)
    }
    for (const [place, facet] of header.facets.entries()) {
      const sets = take(facet.width, header.rows)
      const starts = take(4, facet.sets + 1) as Uint32Array
      const members = take(2, facet.members) as Uint16Array
      const valueAt = new Map(facet.values.map((value, number) => [value, number]))
      this.#facets.push({ header: facet, place, sets, starts, members, valueAt })
    }
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

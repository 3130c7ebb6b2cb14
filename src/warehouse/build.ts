import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import {
  buildFiles,
  buildFormat,
  type BuildSummary,
  type CodeIndex,
  type ProviderColumn,
  type TinTexts,
} from './build-layout.ts'
import { unpackLongColumn } from './packed-columns.ts'
import { unpackPlaces, unpackPrices, type PlaceBlock, type PriceBlock } from './price-blocks.ts'
import { readFully } from './read-fully.ts'

/** Providers of a build: sets of atoms, atoms of pairs, pairs of a TIN and an NPI. All ids are row numbers. */
export interface BuildProviders {
  /** Ascending; 0 stands for contracts at TIN level. */
  readonly npi: Float64Array
  /** Ascending; negative ones are odd texts. */
  readonly tin: Float64Array
  /** Pairs stand atom by atom; atom i ends at `atomEnd[i]`. */
  readonly pairTin: Uint32Array
  readonly pairNpi: Uint32Array
  readonly atomEnd: Uint32Array
  /** Atoms of set i, ascending, end at `setEnd[i]` in `setAtom`. */
  readonly setEnd: Uint32Array
  readonly setAtom: Uint32Array
}

/** Where an entry was first seen. */
export interface Place {
  readonly digest: string
  readonly entry?: string
  readonly origin: Readonly<Record<string, string | number>>
  readonly offset: number
  readonly item: number
  readonly rate: number
}

/** A published month of one payer, open for reading. Immutable: whoever holds it may read on after newer months are published. */
export class Build {
  readonly folder: string
  readonly payer: string
  readonly month: SourceMonth
  readonly id: string
  readonly summary: BuildSummary
  readonly codes: CodeIndex
  private readonly files = new Map<string, number>()
  private readonly codeRows: ReadonlyMap<string, readonly number[]>
  private loaded: BuildProviders | undefined
  private texts: TinTexts | undefined

  constructor(folder: string) {
    this.folder = folder
    this.summary = JSON.parse(readFileSync(join(folder, buildFiles.summary), 'utf8')) as BuildSummary
    if (this.summary.format !== buildFormat)
      throw new Error(
        `${folder} has build format ${this.summary.format}; this version reads ${buildFormat}. Ingest the month again.`,
      )
    this.payer = this.summary.payer
    this.month = this.summary.month
    this.id = this.summary.id
    this.codes = JSON.parse(readFileSync(join(folder, buildFiles.codes), 'utf8')) as CodeIndex
    const codeRows = new Map<string, number[]>()
    for (const [row, code] of this.codes.code.entries()) {
      const key = `${this.codes.type[row]} ${code}`
      const rows = codeRows.get(key)
      if (rows) rows.push(row)
      else codeRows.set(key, [row])
    }
    this.codeRows = codeRows
  }

  /** Rows of `codes` for a billing code: one per severity. */
  rowsOfCode(type: string, code: string): readonly number[] {
    return this.codeRows.get(`${type} ${code}`) ?? []
  }

  prices(codeRow: number): PriceBlock {
    return unpackPrices(this.block(buildFiles.prices, this.codes.at, codeRow), this.codes.rows[codeRow]!)
  }

  places(codeRow: number): PlaceBlock {
    return unpackPlaces(
      this.block(buildFiles.places, this.codes.placesAt, codeRow),
      this.codes.rows[codeRow]!,
    )
  }

  /** The place of a row, in words that lead back to the file. */
  place(places: PlaceBlock, row: number): Place {
    return {
      ...this.summary.sources[places.source[row]!]!,
      offset: places.offset[row]!,
      item: places.item[row]!,
      rate: places.rate[row]!,
    }
  }

  get providers(): BuildProviders {
    return (this.loaded ??= this.loadProviders())
  }

  /** Bytes that `providers` takes in memory, with what questions keep beside it: attributes, an index, notes. */
  get providersBytes(): number {
    const { npi, tin, pairTin, atomEnd, setEnd, setAtom } = this.summary.columns
    return (
      12 * (npi.values + tin.values) +
      24 * pairTin.values +
      16 * (atomEnd.values + setEnd.values) +
      4 * setAtom.values
    )
  }

  /** Forgets what can be read again. */
  shed(): void {
    this.loaded = undefined
    this.texts = undefined
  }

  /** Odd TINs and business names. */
  get tinTexts(): TinTexts {
    return (this.texts ??= JSON.parse(readFileSync(join(this.folder, buildFiles.tins), 'utf8')) as TinTexts)
  }

  /** The TIN as text: nine digits, an NPI, or what the file wrote. */
  tinText(tin: number): string {
    const value = this.providers.tin[tin]!
    return value < 0 ? this.tinTexts.odd[-1 - value]! : String(value).padStart(9, '0')
  }

  close(): void {
    this.shed()
    for (const file of this.files.values()) closeSync(file)
    this.files.clear()
  }

  // Opened when first read: a server may know thousands of builds and be asked about few.
  private file(name: string): number {
    let file = this.files.get(name)
    if (file === undefined) this.files.set(name, (file = openSync(join(this.folder, name), 'r')))
    return file
  }

  private block(name: string, at: readonly number[], codeRow: number): Buffer {
    const file = this.file(name)
    const bytes = Buffer.allocUnsafe(at[codeRow + 1]! - at[codeRow]!)
    if (readFully(file, bytes, at[codeRow]!) !== bytes.length)
      throw new Error(`${this.folder}: a block is shorter than its index says.`)
    return bytes
  }

  private loadProviders(): BuildProviders {
    const file = openSync(join(this.folder, buildFiles.providers), 'r')
    try {
      const column = <Values extends Uint32Array | Float64Array>(
        name: ProviderColumn,
        make: (values: number) => Values,
      ): Values => {
        const place = this.summary.columns[name]
        const bytes = Buffer.allocUnsafe(place.bytes)
        readFully(file, bytes, place.at)
        const values = make(place.values)
        unpackLongColumn(bytes, place.values, values)
        return values
      }
      const u32 = (name: ProviderColumn) => column(name, (values) => new Uint32Array(values))
      const f64 = (name: ProviderColumn) => column(name, (values) => new Float64Array(values))
      return {
        npi: f64('npi'),
        tin: f64('tin'),
        pairTin: u32('pairTin'),
        pairNpi: u32('pairNpi'),
        atomEnd: u32('atomEnd'),
        setEnd: u32('setEnd'),
        setAtom: u32('setAtom'),
      }
    } finally {
      closeSync(file)
    }
  }
}

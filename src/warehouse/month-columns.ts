import type { ColumnPlace, ProviderColumn } from './build-layout.ts'
import type { BatchContent, PriceBatch } from './price-batch.ts'
import { PriceColumnsFile } from './price-columns.ts'
import { ProviderColumnsFile, type PairContent } from './provider-columns.ts'
import { SetSizes, type SetColumns } from './set-sizes.ts'

/** What was written: where columns stand, and what they hold. */
export interface WrittenColumns {
  readonly counts: PriceColumnsFile['counts']
  readonly codes: PriceColumnsFile['codes']
  readonly entriesByLabel: Float64Array
  readonly places: Readonly<Record<ProviderColumn, ColumnPlace>>
  readonly npis: number
  readonly bytes: number
}

/** Takes what a month is made of as it becomes known, and writes its columns: pairs first, then sets and prices. */
export interface MonthColumns {
  writePairs(content: PairContent): void
  /** Tells of sets that prices may name; of those told before, nothing changes. */
  setsSoFar(sets: SetColumns): void
  /** Writes the prices of a batch, and gives an empty one. */
  writePrices(batch: PriceBatch): PriceBatch | Promise<PriceBatch>
  /** All columns are on disk when the promise is fulfilled. */
  finish(sets: SetColumns): Promise<WrittenColumns>
  /** Gives up what is not finished. */
  stop(): Promise<void>
}

/** Columns of a month in its folder. */
export class ColumnFiles {
  private readonly prices: PriceColumnsFile
  private readonly providers: ProviderColumnsFile
  private readonly sizes: SetSizes

  constructor(folder: string, pairs: PairContent) {
    this.sizes = new SetSizes(pairs.atom, pairs.atoms)
    this.prices = new PriceColumnsFile(folder, this.sizes)
    this.providers = new ProviderColumnsFile(folder)
    this.providers.writePairs(pairs)
  }

  setsSoFar(sets: SetColumns): void {
    this.sizes.add(sets)
  }

  /** Packs atoms of sets that more may follow: for who has time before they are all known. */
  packAhead(sets: SetColumns): void {
    this.providers.packAhead(sets)
  }

  writePrices(batch: BatchContent): void {
    this.prices.write(batch)
  }

  async finish(sets: SetColumns): Promise<WrittenColumns> {
    const [bytes] = await Promise.all([this.prices.finish(), this.providers.finish(sets)])
    const { counts, codes, entriesByLabel } = this.prices
    const { places, npis } = this.providers
    return { counts, codes, entriesByLabel, places, npis, bytes: bytes + this.providers.bytes }
  }
}

/** Writes in the thread that builds. */
export class ColumnsHere implements MonthColumns {
  readonly #folder: string
  #files: ColumnFiles | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  writePairs(content: PairContent): void {
    this.#files = new ColumnFiles(this.#folder, content)
  }

  setsSoFar(sets: SetColumns): void {
    this.#opened.setsSoFar(sets)
  }

  writePrices(batch: PriceBatch): PriceBatch {
    this.#opened.writePrices(batch.content())
    batch.clear()
    return batch
  }

  finish(sets: SetColumns): Promise<WrittenColumns> {
    return this.#opened.finish(sets)
  }

  stop(): Promise<void> {
    return Promise.resolve()
  }

  get #opened(): ColumnFiles {
    if (!this.#files) throw new Error('pairs are written before everything else')
    return this.#files
  }
}

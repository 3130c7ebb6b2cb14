import type { Build, BuildProviders } from './build.ts'
import type { PriceBlock } from './price-blocks.ts'

interface Kept {
  readonly bytes: number
  readonly build: Build
  readonly block?: PriceBlock
}

/** Decoded blocks and provider sets in memory, the least recently used forgotten first. */
export class BlockCache {
  readonly most: number
  bytes = 0
  private readonly kept = new Map<string, Kept>()

  constructor(most: number) {
    this.most = most
  }

  prices(build: Build, codeRow: number): PriceBlock {
    const key = `${build.id} ${codeRow}`
    const known = this.touch(key)
    if (known) return known.block!
    const block = build.prices(codeRow)
    this.keep(key, { build, block, bytes: 200 + block.rows * 16 + block.runTerm.length * 8 })
    return block
  }

  providers(build: Build): BuildProviders {
    if (!this.touch(build.id)) this.keep(build.id, { build, bytes: build.providersBytes })
    return build.providers
  }

  forget(build: Build): void {
    for (const [key, { build: owner, bytes }] of this.kept)
      if (owner === build) {
        this.kept.delete(key)
        this.bytes -= bytes
      }
  }

  /** Forgets decoded prices: what a benchmark does to measure the way from disk. */
  forgetPrices(): void {
    for (const [key, { block, bytes }] of this.kept)
      if (block) {
        this.kept.delete(key)
        this.bytes -= bytes
      }
  }

  private touch(key: string): Kept | undefined {
    const known = this.kept.get(key)
    if (!known) return undefined
    this.kept.delete(key)
    this.kept.set(key, known)
    return known
  }

  private keep(key: string, kept: Kept): void {
    this.kept.set(key, kept)
    this.bytes += kept.bytes
    for (const [oldest, { bytes, build, block }] of this.kept) {
      if (this.bytes <= this.most || oldest === key) return
      this.kept.delete(oldest)
      this.bytes -= bytes
      if (!block) build.shed()
    }
  }
}

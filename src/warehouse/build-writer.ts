import { join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import {
  buildFiles,
  buildFormat,
  rateMost,
  type BuildSource,
  type BuildSummary,
  type CodeIndex,
} from './build-layout.ts'
import { DurableFile, replaceFile, writeDurably } from '../files/durable-files.ts'
import { nameCounts, type LabelTable } from './labels.ts'
import type { MergedPrices } from './merged-prices.ts'
import { ByteSink } from './packed-columns.ts'
import { packPlaces, packPrices } from './price-blocks.ts'
import { PriceResolver } from './price-resolver.ts'
import { PriceRows } from './price-rows.ts'
import { ProviderColumnsFile } from './provider-columns.ts'
import type { ProviderLists } from './provider-lists.ts'
import type { ProviderSets } from './provider-sets.ts'
import type { TermTable } from './terms.ts'

export interface MonthContent {
  readonly folder: string
  readonly payer: string
  readonly month: SourceMonth
  readonly id: string
  readonly sources: readonly BuildSource[]
  readonly providers: ProviderLists
  readonly sets: ProviderSets
  readonly labels: LabelTable
  readonly terms: TermTable
  readonly prices: MergedPrices
  /** Called between codes: progress, cancellation, a turn of the event loop. */
  readonly pause: (part: number, of: number) => Promise<void>
}

const flushBytes = 1 << 20
const codesPerTurn = 256

/** Writes a build's files, `build.json` last. */
export async function writeBuild(content: MonthContent): Promise<void> {
  const { folder, providers, sets, labels, terms, prices } = content
  const written = await writePrices(content)
  const columns = new ProviderColumnsFile(folder)
  columns.writePairs({ ...providers.pairContent(), atom: sets.atoms.ofPair, atoms: sets.atoms.count })
  columns.writeSets(sets.sets.end.trimmed(), sets.sets.items.trimmed())
  const codes = JSON.stringify(written.codes)
  writeDurably(join(folder, buildFiles.codes), codes)
  const { counts } = written
  const summary: Omit<BuildSummary, 'bytes'> = {
    format: buildFormat,
    payer: content.payer,
    month: content.month,
    id: content.id,
    sources: content.sources,
    terms: terms.terms,
    networkNames: labels.networks.texts,
    planNames: labels.plans.texts,
    labels: labels.labels,
    networks: nameCounts(labels.networks.texts, labels.labels, 'networks', written.entriesByLabel),
    plans: nameCounts(labels.plans.texts, labels.labels, 'plans', written.entriesByLabel),
    columns: columns.places,
    counts: {
      files: content.sources.length,
      pricesPublished: prices.pricesPublished,
      prices: counts.prices,
      entries: counts.entries,
      npis: columns.npis,
      tins: providers.tins.size,
      pairs: providers.pairs.size,
      atoms: sets.atoms.count,
      sets: sets.sets.size,
      codes: written.codes.code.length,
      terms: terms.terms.length,
      networks: labels.networks.size,
      plans: labels.plans.size,
      pricesWithoutProviders: counts.pricesWithoutProviders,
      pricesZero: counts.pricesZero,
      pricesAbsurd: counts.pricesAbsurd,
    },
  }
  const bytes = written.bytes + columns.bytes + Buffer.byteLength(codes)
  replaceFile(join(folder, buildFiles.summary), JSON.stringify({ ...summary, bytes }))
}

async function writePrices({ folder, sets, labels, prices, pause }: MonthContent) {
  const pricesFile = new DurableFile(join(folder, buildFiles.prices))
  const placesFile = new DurableFile(join(folder, buildFiles.places))
  const pricesSink = new ByteSink()
  const placesSink = new ByteSink()
  const flush = () => {
    pricesFile.write(pricesSink.written())
    placesFile.write(placesSink.written())
    pricesSink.clear()
    placesSink.clear()
  }
  const codes = {
    type: [] as string[],
    code: [] as string[],
    severity: [] as string[],
    rows: [] as number[],
    entries: [] as number[],
    at: [] as number[],
    placesAt: [] as number[],
  }
  const counts = {
    prices: 0,
    entries: 0,
    pricesWithoutProviders: 0,
    pricesZero: 0,
    pricesAbsurd: 0,
  }
  const resolver = new PriceResolver(sets, labels)
  const sizes = new SetSizes(sets)
  const byLabel = new LabelSums()
  const rows = new PriceRows()
  let part = 0
  for (const { code, segments } of prices.inOrder()) {
    if (part++ % codesPerTurn === 0) await pause(part, prices.codeCount)
    prices.read(segments, rows)
    // Nothing is left of a code whose rates name no price, or none that a target asks for.
    if (rows.length === 0) continue
    const resolved = resolver.resolve(rows)
    const block = resolved.prices
    codes.type.push(code.type)
    codes.code.push(code.code)
    codes.severity.push(code.severity)
    codes.rows.push(block.rows)
    codes.at.push(pricesFile.size + pricesSink.length)
    codes.placesAt.push(placesFile.size + placesSink.length)
    packPrices(pricesSink, block)
    packPlaces(placesSink, resolved.places, block.rows)
    let entries = 0
    for (let i = 0; i < block.rows; i++) {
      const size = sizes.of(block.set[i]!)
      entries += size
      byLabel.add(block.label[i]!, size)
      if (size === 0 && block.set[i] === 0) counts.pricesWithoutProviders++
      const rate = block.rate[i]!
      if (rate <= 0) counts.pricesZero++
      else if (rate > rateMost) counts.pricesAbsurd++
    }
    codes.entries.push(entries)
    counts.prices += block.rows
    counts.entries += entries
    if (pricesSink.length + placesSink.length > flushBytes) flush()
  }
  flush()
  // One more place than codes: where the last block ends.
  codes.at.push(pricesFile.size)
  codes.placesAt.push(placesFile.size)
  pricesFile.close()
  placesFile.close()
  return {
    codes: codes satisfies CodeIndex,
    counts,
    entriesByLabel: byLabel.sums,
    bytes: pricesFile.size + placesFile.size,
  }
}

/** Entries per label; labels may still be added while they are counted. */
class LabelSums {
  sums = new Float64Array(64)

  add(label: number, entries: number): void {
    if (label >= this.sums.length) {
      const larger = new Float64Array(Math.max(label + 1, this.sums.length * 2))
      larger.set(this.sums)
      this.sums = larger
    }
    this.sums[label]! += entries
  }
}

/** How many pairs a set has; sets may still be added while it is asked. */
class SetSizes {
  private readonly sets: ProviderSets
  private readonly atomSize: Uint32Array
  private sizes = new Float64Array(1_024).fill(-1)

  constructor(sets: ProviderSets) {
    this.sets = sets
    this.atomSize = new Uint32Array(sets.atoms.count)
    for (const atom of sets.atoms.ofPair) this.atomSize[atom]!++
  }

  of(set: number): number {
    if (set >= this.sizes.length) {
      const larger = new Float64Array(Math.max(set + 1, this.sizes.length * 2)).fill(-1)
      larger.set(this.sizes)
      this.sizes = larger
    }
    let size = this.sizes[set]!
    if (size < 0) {
      size = 0
      const { sets } = this.sets
      const atoms = sets.items.values
      for (let i = sets.start(set), end = sets.end.values[set]!; i < end; i++)
        size += this.atomSize[atoms[i]!]!
      this.sizes[set] = size
    }
    return size
  }
}

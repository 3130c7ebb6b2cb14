import { join } from 'node:path'
import { tinFromText } from '../vocabulary/provider-numbers.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import {
  buildFiles,
  buildFormat,
  providerColumns,
  rateMost,
  type BuildSource,
  type BuildSummary,
  type CodeIndex,
  type ColumnPlace,
  type ProviderColumn,
  type TinTexts,
} from './build-layout.ts'
import { DurableFile, replaceFile } from '../files/durable-files.ts'
import type { NumberTable } from './interning.ts'
import { nameCounts, type LabelTable } from './labels.ts'
import type { MergedPrices } from './merged-prices.ts'
import { ByteSink, packLongColumn } from './packed-columns.ts'
import { packPlaces, packPrices } from './price-blocks.ts'
import { PriceResolver, PriceRows } from './price-rows.ts'
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
  const columns = writeProviders(folder, providers, sets)
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
      for (const atom of this.sets.sets.list(set)) size += this.atomSize[atom]!
      this.sizes[set] = size
    }
    return size
  }
}

function writeProviders(folder: string, providers: ProviderLists, sets: ProviderSets) {
  const { pairs } = providers
  const npis = rankedNumbers(providers.npis)
  const odd: string[] = []
  const tins = ranked(
    Float64Array.from(providers.tins.texts, (tin) => (tinFromText(tin) ? Number(tin) : -odd.push(tin))),
  )
  const inOrder = pairsByAtom(providers, sets, npis.rank, tins.rank)
  const pairTin = new Uint32Array(inOrder.pairs.length)
  const pairNpi = new Uint32Array(inOrder.pairs.length)
  for (let i = 0; i < pairTin.length; i++) {
    pairTin[i] = tins.rank[pairs.first.values[inOrder.pairs[i]!]!]!
    pairNpi[i] = npis.rank[pairs.second.values[inOrder.pairs[i]!]!]!
  }
  const values: Record<ProviderColumn, Float64Array | Uint32Array> = {
    npi: npis.sorted,
    tin: tins.sorted,
    pairTin,
    pairNpi,
    atomEnd: inOrder.atomEnd,
    setEnd: sets.sets.end.trimmed(),
    setAtom: sets.sets.items.trimmed(),
  }
  const names = Array.from<string>({ length: tins.sorted.length })
  for (let tin = 0; tin < names.length; tin++) names[tins.rank[tin]!] = providers.tinName(tin)
  const texts = JSON.stringify({ odd, names } satisfies TinTexts)
  writeDurably(join(folder, buildFiles.tins), texts)

  const file = new DurableFile(join(folder, buildFiles.providers))
  const sink = new ByteSink()
  const places = {} as Record<ProviderColumn, ColumnPlace>
  for (const name of providerColumns) {
    sink.clear()
    packLongColumn(sink, values[name], values[name].length)
    places[name] = { at: file.size, bytes: sink.length, values: values[name].length }
    file.write(sink.written())
  }
  file.close()
  const npiCount = npis.sorted.length - (npis.sorted[0] === 0 ? 1 : 0)
  return { places, bytes: file.size + Buffer.byteLength(texts), npis: npiCount }
}

/** Interned numbers in ascending order, and the place of each there. */
function rankedNumbers(numbers: NumberTable) {
  const sorted = new Float64Array(numbers.size)
  for (let id = 0; id < sorted.length; id++) sorted[id] = numbers.value(id)
  sorted.sort()
  const rank = new Uint32Array(sorted.length)
  for (let i = 0; i < sorted.length; i++) rank[numbers.id(sorted[i]!)] = i
  return { sorted, rank }
}

/** Values in ascending order, and the place of each there. */
function ranked(values: Float64Array) {
  const sorted = values.slice().sort()
  const at = new Map<number, number>()
  for (let i = 0; i < sorted.length; i++) at.set(sorted[i]!, i)
  return { sorted, rank: Uint32Array.from(values, (value) => at.get(value)!) }
}

/** Pairs atom by atom, and within an atom by NPI and TIN. */
function pairsByAtom(
  providers: ProviderLists,
  sets: ProviderSets,
  npiRank: Uint32Array,
  tinRank: Uint32Array,
) {
  const { pairs } = providers
  const { count, ofPair } = sets.atoms
  const atomEnd = new Uint32Array(count)
  for (const atom of ofPair) atomEnd[atom]!++
  for (let atom = 1; atom < count; atom++) atomEnd[atom]! += atomEnd[atom - 1]!
  const next = new Uint32Array(count)
  for (let atom = 1; atom < count; atom++) next[atom] = atomEnd[atom - 1]!
  const inOrder = new Uint32Array(pairs.size)
  for (let pair = 0; pair < pairs.size; pair++) inOrder[next[ofPair[pair]!]!++] = pair
  const key = (pair: number) =>
    npiRank[pairs.second.values[pair]!]! * providers.tins.size + tinRank[pairs.first.values[pair]!]!
  for (let atom = 0; atom < count; atom++)
    inOrder.subarray(atom === 0 ? 0 : atomEnd[atom - 1], atomEnd[atom]).sort((a, b) => key(a) - key(b))
  return { atomEnd, pairs: inOrder }
}

function writeDurably(path: string, text: string): void {
  const file = new DurableFile(path)
  file.write(Buffer.from(text))
  file.close()
}

import { join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import {
  buildFiles,
  buildFormat,
  type BuildSource,
  type BuildSummary,
  type CodeIndex,
} from './build-layout.ts'
import { replaceFile, writeDurably } from '../files/durable-files.ts'
import { nameCounts, type LabelTable } from './labels.ts'
import type { MergedPrices } from './merged-prices.ts'
import type { MonthColumns } from './month-columns.ts'
import { PriceBatch } from './price-batch.ts'
import { PriceResolver } from './price-resolver.ts'
import type { ProviderLists } from './provider-lists.ts'
import type { ProviderSets } from './provider-sets.ts'
import type { Code, TermTable } from './terms.ts'

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
  /** Where columns go; it has the pairs already. */
  readonly columns: MonthColumns
  /** Called between codes: progress, cancellation, a turn of the event loop. */
  readonly pause: (part: number, of: number) => Promise<void>
}

const codesPerTurn = 256

/** Writes the rest of a build's files, `build.json` last. */
export async function writeBuild(content: MonthContent): Promise<void> {
  const { folder, providers, sets, labels, terms, prices } = content
  const inOrder = await writePrices(content)
  const written = await content.columns.finish(sets.columns())
  const index: CodeIndex = {
    type: inOrder.map(({ type }) => type),
    code: inOrder.map(({ code }) => code),
    severity: inOrder.map(({ severity }) => severity),
    ...written.codes,
  }
  const codes = JSON.stringify(index)
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
    columns: written.places,
    counts: {
      files: content.sources.length,
      pricesPublished: prices.pricesPublished,
      prices: counts.prices,
      entries: counts.entries,
      npis: written.npis,
      tins: providers.tins.size,
      pairs: providers.pairs.size,
      atoms: sets.atoms.count,
      sets: sets.sets.size,
      codes: inOrder.length,
      terms: terms.terms.length,
      networks: labels.networks.size,
      plans: labels.plans.size,
      pricesWithoutProviders: counts.pricesWithoutProviders,
      pricesZero: counts.pricesZero,
      pricesAbsurd: counts.pricesAbsurd,
    },
  }
  const bytes = written.bytes + Buffer.byteLength(codes)
  replaceFile(join(folder, buildFiles.summary), JSON.stringify({ ...summary, bytes }))
}

/** Hands the prices over, and answers the codes that have some, in order. */
async function writePrices({ sets, labels, prices, columns, pause }: MonthContent): Promise<Code[]> {
  const codes: Code[] = []
  const resolver = new PriceResolver(sets, labels)
  let batch = new PriceBatch()
  let told = sets.sets.size
  columns.setsSoFar(sets.columns())
  // Sets that resolving made are told of before prices name them.
  const hand = () => {
    if (told < sets.sets.size) columns.setsSoFar(sets.columns())
    told = sets.sets.size
    return columns.writePrices(batch)
  }
  let part = 0
  for (const { code, segments } of prices.inOrder()) {
    if (part++ % codesPerTurn === 0) await pause(part, prices.codeCount)
    const before = batch.rows.length
    prices.read(segments, batch.rows)
    // Nothing is left of a code whose rates name no price, or none that a target asks for.
    if (batch.rows.length === before) continue
    resolver.resolve(batch, before)
    codes.push(code)
    if (batch.full) batch = await hand()
  }
  await hand()
  return codes
}

import type { ReportQuery } from '../operations/report-query.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import type { BlockCache } from '../warehouse/block-cache.ts'
import type { Build } from '../warehouse/build.ts'
import { AskedProviders, askedIdentifiers, type AskedIdentifier } from './asked-providers.ts'
import type { PricingOptions } from './benchmarks.ts'
import { BuildCohort } from './build-cohort.ts'
import { chosenCodes } from './chosen-codes.ts'
import { Cohort } from './cohort.ts'
import { checkBenchmarks, checkEntries, checkProviderRates, defaultLimits } from './limits.ts'
import { periods } from './periods.ts'
import { chosenLabels, termTest } from './rate-filter.ts'
import type { PricingSources } from './sources.ts'
import { Turns } from './turns.ts'

/** Which entries are asked for: those of a market, or of named providers. */
export type EntryQuestion = ReportQuery

const batchEntries = 8_192

/** Some entries of one build, column by column. All ids are row numbers of the build, except the rank. */
export class EntryBatch {
  readonly build: Build
  length = 0
  /** Row of the build's codes. */
  codeRow = new Uint32Array(batchEntries)
  /** Number of the build's terms. */
  term = new Uint32Array(batchEntries)
  /** Row within the code's price block. */
  priceRow = new Uint32Array(batchEntries)
  /** Ten-thousandths of a dollar (or of a percent). */
  rate = new Float64Array(batchEntries)
  label = new Uint32Array(batchEntries)
  npi = new Float64Array(batchEntries)
  tin = new Uint32Array(batchEntries)
  /** The NPI's rank in the directory, or `unknownProvider`. */
  rank = new Uint32Array(batchEntries)

  constructor(build: Build) {
    this.build = build
  }

  add(
    codeRow: number,
    term: number,
    priceRow: number,
    rate: number,
    label: number,
    rank: number,
    npi: number,
    tin: number,
  ): void {
    if (this.length === this.codeRow.length) this.grow()
    const at = this.length++
    this.codeRow[at] = codeRow
    this.term[at] = term
    this.priceRow[at] = priceRow
    this.rate[at] = rate
    this.label[at] = label
    this.rank[at] = rank
    this.npi[at] = npi
    this.tin[at] = tin
  }

  // Only a provider set larger than a batch makes one grow.
  private grow(): void {
    const larger = <Values extends Float64Array | Uint32Array>(values: Values, into: Values): Values => {
      into.set(values)
      return into
    }
    const room = this.length * 2
    this.codeRow = larger(this.codeRow, new Uint32Array(room))
    this.term = larger(this.term, new Uint32Array(room))
    this.priceRow = larger(this.priceRow, new Uint32Array(room))
    this.rate = larger(this.rate, new Float64Array(room))
    this.label = larger(this.label, new Uint32Array(room))
    this.npi = larger(this.npi, new Float64Array(room))
    this.tin = larger(this.tin, new Uint32Array(room))
    this.rank = larger(this.rank, new Uint32Array(room))
  }
}

/** How many entries a payer's month contributes. */
export interface EntryCount {
  readonly payer: string
  readonly month: SourceMonth
  readonly entries: number
}

/** Whoever of a build's sets is asked for. */
interface Members {
  countOf(set: number): number
  eachPair(set: number, visit: (rank: number, npi: number, tin: number) => void): void
  release(): void
}

/**
 * The entries of a question, one by one, in the order of payer, month, code, term and rate. Rates of every unit and size
 * are among them: whoever computes with them leaves out what cannot be pooled.
 */
export class EntryWalk {
  readonly builds: readonly Build[]
  readonly sources: PricingSources
  private readonly question: EntryQuestion
  private readonly cohort: Cohort | undefined
  private readonly identifiers: readonly AskedIdentifier[]

  constructor(
    sources: PricingSources,
    question: EntryQuestion,
    { limits = defaultLimits }: PricingOptions = {},
  ) {
    this.sources = sources
    this.question = question
    const { providers, states } = question
    if (providers) checkProviderRates({ ...question, providers }, limits)
    else checkBenchmarks({ filters: question }, limits)
    const chosen = periods(sources.snapshot, question.payers, question.yearMonths)
    checkEntries(chosen, question.billingCodeAndTypes, limits)
    const builds = chosen.flatMap((period) => period.builds)
    const payers = [...new Set(question.payers)].sort()
    this.builds = builds.toSorted(
      (a, b) => payers.indexOf(a.payer) - payers.indexOf(b.payer) || a.month - b.month,
    )
    this.identifiers = providers ? askedIdentifiers(providers, sources.hospitalNpis ?? (() => [])) : []
    this.cohort = providers
      ? undefined
      : new Cohort(sources.attributes, {
          states: states ?? [],
          taxonomyCodes: question.taxonomyCodes?.length ? question.taxonomyCodes : undefined,
          zipCodes: question.zipCodes,
          entityTypes: question.entityTypes,
        })
  }

  get months(): SourceMonth[] {
    return [...new Set(this.builds.map(({ month }) => month))].sort((a, b) => a - b)
  }

  /** How many entries there are, by payer and month; nothing is spelled out. */
  async counts(signal?: AbortSignal): Promise<EntryCount[]> {
    const turns = new Turns(signal)
    const counts: EntryCount[] = []
    for (const build of this.builds) {
      const members = this.membersOf(build)
      let entries = 0
      try {
        for (const codeRow of chosenCodes(build, this.question.billingCodeAndTypes)) {
          for (const [, , , , set] of this.prices(build, codeRow)) entries += members.countOf(set)
          await turns.pause()
        }
      } finally {
        members.release()
      }
      counts.push({ payer: build.payer, month: build.month, entries })
    }
    return counts
  }

  /** The entries, a batch at a time. A batch is filled anew after it was taken: whoever wants to keep it copies it. */
  async *batches(signal?: AbortSignal): AsyncGenerator<EntryBatch> {
    const turns = new Turns(signal)
    for (const build of this.builds) {
      const members = this.membersOf(build)
      const batch = new EntryBatch(build)
      const npis = build.providers.npi
      try {
        for (const codeRow of chosenCodes(build, this.question.billingCodeAndTypes)) {
          for (const [term, row, rate, label, set] of this.prices(build, codeRow)) {
            if (members.countOf(set) === 0) continue
            members.eachPair(set, (rank, npi, tin) =>
              batch.add(codeRow, term, row, rate, label, rank, npis[npi]!, tin),
            )
            if (batch.length < batchEntries) continue
            yield batch
            batch.length = 0
            await turns.pause()
          }
          await turns.pause()
        }
        if (batch.length > 0) yield batch
      } finally {
        members.release()
      }
    }
  }

  /** Prices of a code that are asked for: term, row of the block, rate, label, provider set. */
  private *prices(
    build: Build,
    codeRow: number,
  ): Generator<[term: number, row: number, rate: number, label: number, set: number]> {
    const block = this.sources.snapshot.cache.prices(build, codeRow)
    const wanted = termTest(this.question)
    const labels = chosenLabels(build, this.question)
    for (let run = 0; run < block.runTerm.length; run++) {
      const term = block.runTerm[run]!
      if (!wanted(build.summary.terms[term]!)) continue
      for (let row = run === 0 ? 0 : block.runEnd[run - 1]!; row < block.runEnd[run]!; row++) {
        const label = block.label[row]!
        if (labels && labels[label] === 0) continue
        yield [term, row, block.rate[row]!, label, block.set[row]!]
      }
    }
  }

  private membersOf(build: Build): Members {
    const { attributes, snapshot } = this.sources
    if (this.cohort) return marketMembers(new BuildCohort(build, snapshot.cache, this.cohort))
    return new NamedMembers(
      build,
      snapshot.cache,
      new AskedProviders(build, snapshot.cache, attributes, this.identifiers, []),
      (npi) => attributes.rankOf(npi),
    )
  }
}

function marketMembers(cohort: BuildCohort): Members {
  const one = new Uint32Array(1)
  return {
    countOf: (set) => cohort.countOf(set),
    eachPair(set, visit) {
      one[0] = set
      cohort.eachPair(one, visit)
    },
    release: () => cohort.release(),
  }
}

/** Pairs of the providers asked for. */
class NamedMembers implements Members {
  private readonly asked: AskedProviders
  private readonly rankOf: (npi: number) => number
  private readonly build: Build
  private readonly cache: BlockCache
  private readonly ranks = new Map<number, number>()
  private readonly pairs = new Map<number, readonly number[]>()

  constructor(build: Build, cache: BlockCache, asked: AskedProviders, rankOf: (npi: number) => number) {
    this.build = build
    this.cache = cache
    this.asked = asked
    this.rankOf = rankOf
  }

  countOf(set: number): number {
    return this.pairsOf(set).length
  }

  eachPair(set: number, visit: (rank: number, npi: number, tin: number) => void): void {
    const { pairNpi, pairTin, npi: npis } = this.cache.providers(this.build)
    for (const pair of this.pairsOf(set)) {
      const npi = pairNpi[pair]!
      let rank = this.ranks.get(npi)
      if (rank === undefined) this.ranks.set(npi, (rank = this.rankOf(npis[npi]!)))
      visit(rank, npi, pairTin[pair]!)
    }
  }

  release(): void {
    this.pairs.clear()
  }

  private pairsOf(set: number): readonly number[] {
    let pairs = this.pairs.get(set)
    if (!pairs) this.pairs.set(set, (pairs = this.asked.isEmpty ? [] : this.asked.pairs(set)))
    return pairs
  }
}

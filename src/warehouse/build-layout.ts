import type { SourceMonth } from '../vocabulary/period.ts'
import type { Label } from './labels.ts'
import type { Term } from './terms.ts'

/** Raised whenever the bytes of a build change their meaning; builds of another format are rebuilt, never guessed at. */
export const buildFormat = 1

export const buildFiles = {
  /** Written last: a folder without it is no build. */
  summary: 'build.json',
  codes: 'codes.json',
  tins: 'tins.json',
  prices: 'prices.blocks',
  places: 'places.blocks',
  providers: 'providers.columns',
} as const

/** Long columns of `providers.columns`, in this order. docs/data-model.md describes each. */
export const providerColumns = ['npi', 'tin', 'pairTin', 'pairNpi', 'atomEnd', 'setEnd', 'setAtom'] as const
export type ProviderColumn = (typeof providerColumns)[number]

/** Where a column's bytes stand, and how many values they hold. */
export interface ColumnPlace {
  readonly at: number
  readonly bytes: number
  readonly values: number
}

export interface BuildCounts {
  readonly files: number
  /** Prices as the files publish them, repetitions included. */
  readonly pricesPublished: number
  /** Rows kept: distinct (code, term, rate, set, label). */
  readonly prices: number
  readonly entries: number
  readonly npis: number
  readonly tins: number
  readonly pairs: number
  readonly atoms: number
  readonly sets: number
  readonly codes: number
  readonly terms: number
  readonly networks: number
  readonly plans: number
  /** Rows whose references nothing defines: kept, part of no entry. */
  readonly pricesWithoutProviders: number
  readonly pricesZero: number
  readonly pricesAbsurd: number
}

/** A file that a build was made from. */
export interface BuildSource {
  readonly digest: string
  readonly entry?: string
  readonly origin: Readonly<Record<string, string | number>>
}

export interface NameCount {
  readonly name: string
  /** Entries that carry the name. */
  readonly count: number
}

/** `build.json`. */
export interface BuildSummary {
  readonly format: number
  readonly payer: string
  readonly month: SourceMonth
  readonly id: string
  readonly sources: readonly BuildSource[]
  readonly terms: readonly Term[]
  /** Names that labels point into. */
  readonly networkNames: readonly string[]
  readonly planNames: readonly string[]
  readonly labels: readonly Label[]
  readonly networks: readonly NameCount[]
  readonly plans: readonly NameCount[]
  readonly columns: Readonly<Record<ProviderColumn, ColumnPlace>>
  readonly counts: BuildCounts
  readonly bytes: number
}

/** `codes.json`: parallel lists, codes in order. */
export interface CodeIndex {
  readonly type: readonly string[]
  readonly code: readonly string[]
  readonly severity: readonly string[]
  readonly rows: readonly number[]
  readonly entries: readonly number[]
  /** Where the code's block stands in `prices.blocks` and in `places.blocks`; it ends where the next begins. */
  readonly at: readonly number[]
  readonly placesAt: readonly number[]
}

/** `tins.json`. TINs that are no number stand in `odd`; the column `tin` then holds -1 - index. */
export interface TinTexts {
  readonly odd: readonly string[]
  /** Business name per TIN, in column order; empty where no file gives one. */
  readonly names: readonly string[]
}

/** Rates of zero or below, and those over 100 million dollars, are stored and shown, and left out of market statistics. */
export const rateMost = 100_000_000 * 10_000
export const isPlausibleRate = (rate: number) => rate > 0 && rate <= rateMost

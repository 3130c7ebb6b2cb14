import { Failure, type Problem } from '../errors.ts'
import { chosenCodes, type CodeFilter } from './chosen-codes.ts'
import type { Period } from './periods.ts'

/** How wide a question may be. Every limit has a name that the refusal quotes and the operator can change. */
export interface PricingLimits {
  /** Billing codes in one question. */
  readonly codesMost: number
  readonly payersMost: number
  /** NPIs, TINs and CCNs together in one provider-rates question. */
  readonly identifiersMost: number
  readonly periodsMost: number
  readonly zipCodesMost: number
  /** Rows of an answer that is not paged. */
  readonly rowsMost: number
  /** Rows of all pages of an answer together. */
  readonly pagedRowsMost: number
  /** Entries of the codes, payers and periods of a market question, before any other filter. */
  readonly entriesMost: number
  readonly queryMs: number
}

export const defaultLimits: PricingLimits = {
  codesMost: 500,
  payersMost: 100,
  identifiersMost: 1_000,
  periodsMost: 36,
  zipCodesMost: 5_000,
  rowsMost: 100_000,
  pagedRowsMost: 1_000_000,
  entriesMost: 20_000_000_000,
  queryMs: 30_000,
}

type Countable = readonly unknown[] | undefined

/** Refuses a question that names more than a limit allows, with every excess at once. */
export function checkWidth(
  asked: readonly (readonly [path: string, values: Countable, limit: keyof PricingLimits])[],
  limits: PricingLimits,
): void {
  const problems: Problem[] = []
  for (const [path, values, limit] of asked) {
    const count = values?.length ?? 0
    if (count > limits[limit])
      problems.push({ path, message: `${count} given; ${limit} allows ${limits[limit]}` })
  }
  if (problems.length > 0)
    throw new Failure(
      'query_too_wide',
      problems.map(({ path, message }) => `${path}: ${message}`).join('; '),
      { problems },
    )
}

interface MarketWidth {
  readonly filters: {
    readonly billingCodeAndTypes?: Countable
    readonly payers?: Countable
    readonly zipCodes?: Countable
    readonly yearMonths?: Countable
  }
}

export function checkBenchmarks({ filters }: MarketWidth, limits: PricingLimits): void {
  checkWidth(
    [
      ['filters.billingCodeAndTypes', filters.billingCodeAndTypes, 'codesMost'],
      ['filters.payers', filters.payers, 'payersMost'],
      ['filters.zipCodes', filters.zipCodes, 'zipCodesMost'],
      ['filters.yearMonths', filters.yearMonths, 'periodsMost'],
    ],
    limits,
  )
}

interface ProviderWidth {
  readonly providers: { readonly npis?: Countable; readonly tins?: Countable; readonly ccns?: Countable }
  readonly billingCodeAndTypes?: Countable
  readonly payers?: Countable
  readonly yearMonths?: Countable
}

export function checkProviderRates(request: ProviderWidth, limits: PricingLimits): void {
  const { npis = [], tins = [], ccns = [] } = request.providers
  checkWidth(
    [
      ['providers', [...npis, ...tins, ...ccns], 'identifiersMost'],
      ['billingCodeAndTypes', request.billingCodeAndTypes, 'codesMost'],
      ['payers', request.payers, 'payersMost'],
      ['yearMonths', request.yearMonths, 'periodsMost'],
    ],
    limits,
  )
}

/** Refuses a market question over more entries than are allowed: known from the index, before anything is read. */
export function checkEntries(
  chosen: readonly Period[],
  codes: readonly CodeFilter[] | undefined,
  limits: PricingLimits,
): void {
  let entries = 0
  for (const { builds } of chosen)
    for (const build of builds)
      for (const row of chosenCodes(build, codes)) entries += build.codes.entries[row]!
  if (entries > limits.entriesMost)
    throw new Failure(
      'query_too_wide',
      `The question covers ${entries} entries; entriesMost allows ${limits.entriesMost}. Name fewer codes, payers or periods.`,
    )
}

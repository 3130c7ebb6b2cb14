import * as fc from 'fast-check'
import { aggregations } from '../../src/vocabulary/aggregations.ts'
import { GroupByField, ProviderGroupByField } from '../../src/vocabulary/grouping.ts'
import type { NaiveProvider } from './naive-benchmarks.ts'
import type { NaiveEntry } from './naive-rates.ts'
import { states, taxonomies, zips } from './pricing-questions.ts'

/** A directory of made-up facts about the NPIs of real entries; every ninth is left out of it. */
export function madeDirectory(entries: readonly NaiveEntry[]): NaiveProvider[] {
  const npis = [...new Set(entries.map(({ npi }) => npi))]
    .filter((npi) => npi > 0 && npi % 9 !== 0)
    .sort((a, b) => a - b)
  const pick = (values: readonly string[], number: number) => values[number % values.length]!
  return npis.map((npi) => ({
    npi,
    state: pick(states, npi),
    zip: pick(zips, Math.floor(npi / 3)),
    taxonomy: pick(taxonomies, Math.floor(npi / 10)),
    entityType: pick(['individual', 'group'], Math.floor(npi / 100)),
  }))
}

/** Questions whose words are those of the entries, the same ones for the same seed. */
export function realQuestions(entries: readonly NaiveEntry[], number: number, seed: number) {
  const distinct = <Value>(of: (entry: NaiveEntry) => Value) => [...new Set(entries.map(of))]
  const codes = distinct(({ type, code }) => JSON.stringify({ type, code })).map(
    (text) => JSON.parse(text) as { type: string; code: string },
  )
  const few = <Value>(values: readonly Value[], most: number, least = 1) =>
    fc.uniqueArray(fc.constantFrom(...values), { minLength: least, maxLength: most })
  const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant<undefined>(undefined) }, { weight: 1, arbitrary })
  const shared = {
    payers: fc.constant(distinct(({ payer }) => payer)),
    billingCodeAndTypes: few(codes, 4),
    billingClasses: sometimes(few(['professional', 'institutional'], 2)),
    serviceCodes: sometimes(few(['11', '22', '21', 'CSTM-00', 'none'], 3)),
    billingCodeModifiers: sometimes(few(['26', 'TC', 'none'], 2)),
    negotiatedTypes: sometimes(
      few(
        distinct(({ negotiatedType }) => negotiatedType),
        2,
      ),
    ),
  }
  const market = fc.record({
    filters: fc.record({
      ...shared,
      states: few(states, 3),
      taxonomyCodes: few(taxonomies, 3),
      zipCodes: sometimes(few(zips, 2)),
      entityTypes: sometimes(few(['individual', 'group'], 2)),
    }),
    metrics: fc.record({ aggregations: few(aggregations, 8) }),
    groupBy: sometimes(few(GroupByField.options, 4)),
  })
  const tins = distinct(({ tin }) => Number(tin)).filter((tin) => tin > 0)
  const provider = fc.record({
    ...shared,
    providers: fc.oneof(
      fc.record({
        npis: few(
          distinct(({ npi }) => npi),
          4,
        ),
      }),
      fc.record({ tins: few(tins, 3) }),
    ),
    groupBy: sometimes(few(ProviderGroupByField.options, 5)),
  })
  return {
    market: fc.sample(market, { numRuns: number, seed }),
    provider: fc.sample(provider, { numRuns: number, seed }),
  }
}

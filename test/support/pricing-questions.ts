import * as fc from 'fast-check'
import { collapsibleColumns, rateAggregations } from '../../src/operations/market-rates.ts'
import { aggregations } from '../../src/vocabulary/aggregations.ts'
import { GroupByField, ProviderGroupByField } from '../../src/vocabulary/grouping.ts'
import type { NaiveProvider } from './naive-benchmarks.ts'
import { codes, networkNames, npis, payers, planNames, tins } from './payer-files.ts'

const some = (values: readonly string[], most = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 0, maxLength: most })
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

export const states = ['FL', 'TX', 'NY']
export const taxonomies = ['207RC0000X', '207Q00000X', '282N00000X']
export const zips = ['33101', '75001', '10001']

/** Every NPI of the small world but the last, which the directory does not know. */
export const directory: fc.Arbitrary<NaiveProvider[]> = fc
  .tuple(
    ...npis.slice(0, -1).map((npi) =>
      fc.record({
        npi: fc.constant(npi),
        state: fc.constantFrom(...states),
        zip: fc.constantFrom(...zips),
        taxonomy: fc.constantFrom(...taxonomies),
        entityType: fc.constantFrom('individual', 'group'),
      }),
    ),
  )
  .map((providers) => [...providers])

const sharedFilters = {
  billingClasses: optional(some(['professional', 'institutional'])),
  serviceCodes: optional(some(['11', '22', '02', 'CSTM-00', 'none'])),
  billingCodeModifiers: optional(some(['26', 'TC', 'none'])),
  negotiatedTypes: optional(some(['negotiated', 'derived', 'fee schedule', 'percentage', 'per diem'])),
  yearMonths: optional(
    fc.array(fc.constantFrom(...[4, 5, 6].map((month) => ({ year: 2026, month }))), { maxLength: 3 }),
  ),
  planNames: optional(some([...planNames, 'POS'])),
  networks: optional(some([...networkNames, 'Elsewhere'])),
}

const allCodes = codes.map(([type, code]) => ({ type, code }))
const askedCodes = (least: number) =>
  fc.oneof(fc.constant(allCodes), fc.array(fc.constantFrom(...allCodes), { minLength: least, maxLength: 3 }))
const askedPayers = fc.oneof(
  fc.constant([...payers].reverse()),
  fc.array(fc.constantFrom(...payers, 'Humana'), { minLength: 1, maxLength: 3 }),
)

const marketFilters = (leastCodes: number) =>
  fc.record({
    states: fc.oneof(
      fc.constant(states),
      some(states).filter((list) => list.length > 0),
    ),
    zipCodes: optional(some(zips)),
    taxonomyCodes: fc.oneof(
      fc.constant(taxonomies),
      some(taxonomies).filter((list) => list.length > 0),
    ),
    entityTypes: optional(some(['individual', 'group'])),
    payers: askedPayers,
    billingCodeAndTypes: askedCodes(leastCodes),
    ...sharedFilters,
  })

export const marketQuestion = fc.record({
  filters: marketFilters(1),
  metrics: fc.record({
    aggregations: fc.array(fc.constantFrom(...aggregations), { minLength: 1, maxLength: 8 }),
    comparedTo: fc.constantFrom(undefined, undefined, 'none', 'medicare_2025' as const),
  }),
  groupBy: optional(fc.array(fc.constantFrom(...GroupByField.options), { maxLength: 4 })),
})

export const providerQuestion = fc.record({
  providers: fc
    .record({
      npis: optional(fc.array(fc.constantFrom(...npis), { minLength: 1, maxLength: 4 })),
      tins: optional(fc.array(fc.constantFrom(...tins.map(Number)), { minLength: 1, maxLength: 3 })),
      ccns: optional(fc.array(fc.constantFrom('050454', '45S033', '100001'), { minLength: 1, maxLength: 2 })),
    })
    .filter((lists) => Object.values(lists).some((list) => list !== undefined)),
  payers: askedPayers,
  billingCodeAndTypes: askedCodes(0),
  ...sharedFilters,
  groupBy: optional(fc.array(fc.constantFrom(...ProviderGroupByField.options), { maxLength: 5 })),
})

const marketColumns = ['payer', 'yearMonth', 'rate', ...collapsibleColumns]

export const marketRatesQuestion = fc.record({
  filters: marketFilters(0),
  aggregatedColumns: fc.option(fc.uniqueArray(fc.constantFrom(...collapsibleColumns), { maxLength: 12 }), {
    nil: undefined,
  }),
  rateAggregation: fc.option(fc.constantFrom(...rateAggregations), { nil: undefined }),
  sortInfo: fc.option(
    fc.array(fc.record({ id: fc.constantFrom(...marketColumns), desc: fc.boolean() }), { maxLength: 3 }),
    { nil: undefined },
  ),
  limit: fc.record({
    start: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
    offset: fc.integer({ min: 1, max: 100 }),
  }),
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { marketBenchmarks } from '../../src/operations/market-benchmarks.ts'
import { payers } from '../../src/vocabulary/payers.ts'
import { missing, type Question, queryOf, questionFrom, requestOf, views } from '../../web/question.ts'
import { groupsOf } from '../../web/pivot.ts'

const texts = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 })
const question: fc.Arbitrary<Question> = fc.record({
  payers: texts,
  states: texts,
  zips: texts,
  taxonomies: texts,
  codes: texts,
  entities: texts,
  classes: texts,
  places: texts,
  modifiers: texts,
  types: texts,
  plans: texts,
  networks: texts,
  months: texts,
  compare: fc.constantFrom('none', 'medicare_2025'),
  view: fc.constantFrom(...views),
  order: fc.constantFrom('', 'payer', '-percentile_50'),
})

describe('a question in the address', () => {
  it('is restored from its link, whatever it holds', () =>
    fc.assert(
      fc.property(question, (asked) => {
        const link = new URL(`http://ratebook.test/explore?${queryOf(asked).toString()}`)
        expect(questionFrom(new URL(link.href).searchParams)).toEqual(asked)
      }),
    ))

  it('becomes a request that the API accepts', () => {
    const asked = questionFrom(
      new URLSearchParams(
        `payers=${encodeURIComponent(payers()[0]!.payer)}&states=FL&taxonomies=207RC0000X&codes=99213:CPT&codes=470:MS-DRG&zips=33101&places=11&months=2026-05&compare=medicare_2025&view=state`,
      ),
    )
    expect(missing(asked)).toEqual([])
    expect(marketBenchmarks.request.safeParse(requestOf(asked))).toMatchObject({
      success: true,
      data: { groupBy: ['npiState', 'billingCode'], filters: { yearMonths: [{ year: 2026, month: 5 }] } },
    })
  })

  it('names what is missing', () => {
    expect(missing(questionFrom(new URLSearchParams('states=FL&codes=99213:CPT')))).toEqual([
      'a payer',
      'a specialty',
    ])
  })
})

describe('the rows of an answer', () => {
  it('are gathered to one group with all its statistics', () => {
    const rows = [
      { metrics: 'percentile_50', value: 99.5, payer: 'Aetna', yearMonth: { year: 2026, month: 5 } },
      { metrics: 'num_distinct_npis', value: 12, payer: 'Aetna', yearMonth: { year: 2026, month: 5 } },
      { metrics: 'percentile_50', value: 98, payer: 'Aetna', yearMonth: { year: 2026, month: 4 } },
    ]
    expect(groupsOf(rows)).toMatchObject([
      { payer: 'Aetna', month: '2026-05', values: { percentile_50: 99.5, num_distinct_npis: 12 } },
      { payer: 'Aetna', month: '2026-04', values: { percentile_50: 98 } },
    ])
  })
})

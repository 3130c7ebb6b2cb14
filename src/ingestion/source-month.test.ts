import { describe, expect, it } from 'vitest'
import type { SourceMonth } from '../vocabulary/period.ts'
import { decidedMonth, monthOfDate, monthOfName } from './source-month.ts'
import { givenPayer, reportedPayer } from './source-payer.ts'

describe('the month of a file', () => {
  it.each([
    ['2024-10-21_Blue-Cross-and-Blue-Shield-of-Texas_161531026_index.json', 202410],
    ['https://h.example/2024-11_102_11B0_in-network-rates_1_of_6.json.gz?Expires=1734789642', 202411],
    ['https://h.example/public-mrf/2025-08-01/plan_NX2K_in-network-rates.json.gz', 202508],
    ['20250801_rates.json', 202508],
    ['rates_08-01-2025.json', 202508],
    ['in-network_08_2025.json.gz', 202508],
    ['161531026_index.json', undefined],
    ['/data/120250899/x.json', undefined],
  ])('%s is %s', (name, month) => expect(monthOfName(name)).toBe(month))

  it.each([
    ['2026-05-01', 202605],
    ['2/4/2026', 202602],
    ['20260501', 202605],
    ['2026-05-01T00:00:00Z', 202605],
    ['soon', undefined],
  ])('a date %s is in %s', (date, month) => expect(monthOfDate(date)).toBe(month))

  it('comes from the most trusted hint, and disagreements are told', () => {
    const index = '2024-10-21_x_index.json'
    const file = '2024-11_x.json.gz'
    expect(decidedMonth({ given: 202409 as SourceMonth, index }).month).toBe(202409)
    expect(decidedMonth({ index, file }).month).toBe(202410)
    expect(decidedMonth({ index, file }).disagreement).toContain('202411')
    expect(decidedMonth({ file, lastUpdatedOn: '2024-11-30' })).toEqual({
      by: 'the name of the file',
      month: 202411,
    })
    expect(decidedMonth({ lastUpdatedOn: '2020-08-27' }).month).toBe(202008)
    expect(decidedMonth({ file: 'x.json' }).month).toBeUndefined()
  })
})

describe('the payer of a file', () => {
  it('is the one the operator names, in any of its spellings', () => {
    expect(givenPayer('aetna life insurance company').payer).toBe('Aetna')
    expect(() => givenPayer('Etna')).toThrow(/Aetna.*payers\.json/s)
  })
  it('is the first reported name that the registry knows', () => {
    expect(reportedPayer('Nobody', 'AETNA HEALTH, INC')?.payer).toBe('Aetna')
    expect(reportedPayer(undefined, 'Nobody')).toBeUndefined()
  })
})

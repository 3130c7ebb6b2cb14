import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sourceMonthFromText, sourceMonthOf, sourceMonthText, YearMonth, yearMonthOf } from './period.ts'

describe('a source month', () => {
  it('is year and month in one number that sorts by time', () => {
    expect(sourceMonthOf({ year: 2026, month: 5 })).toBe(202605)
    expect(yearMonthOf(sourceMonthOf({ year: 2025, month: 12 }))).toEqual({ year: 2025, month: 12 })
    expect(sourceMonthOf({ year: 2025, month: 12 })).toBeLessThan(sourceMonthOf({ year: 2026, month: 1 }))
  })

  it('is the same after every walk', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const stored = sourceMonthOf({ year, month })
        expect(yearMonthOf(stored)).toEqual({ year, month })
        expect(sourceMonthText(stored)).toMatch(/^[0-9]{6}$/)
        expect(sourceMonthFromText(sourceMonthText(stored))).toBe(stored)
        expect(sourceMonthFromText(`${year}-${String(month).padStart(2, '0')}`)).toBe(stored)
      }),
    )
  })

  it.each([
    '',
    '2026',
    '2026-5',
    '2026-13',
    '2026-00',
    '202600',
    '1999-12',
    '2026/05',
    '2026-05-01',
    ' 202605',
  ])('is not "%s"', (text) => expect(sourceMonthFromText(text)).toBeUndefined())
})

describe('the year and month of a request', () => {
  it('need both, in bounds, and nothing else', () => {
    expect(YearMonth.parse({ year: 2026, month: 5 })).toEqual({ year: 2026, month: 5 })
    for (const wrong of [
      { year: 2026 },
      { month: 5 },
      { year: 26, month: 5 },
      { year: 2026, month: 0 },
      { year: 2026, month: 13 },
      { year: 2026.5, month: 5 },
      { year: '2026', month: 5 },
      { year: 2026, month: 5, day: 1 },
    ])
      expect(YearMonth.safeParse(wrong).success).toBe(false)
  })
})

import { DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feeCents, nationalIndices, scaledFromText, scaledText } from './exact.ts'

describe('decimals', () => {
  it('are read exactly, and refused where digits would be lost', () => {
    expect(scaledFromText('32.3465', 4)).toBe(323465n)
    expect(scaledFromText('.85', 2)).toBe(85n)
    expect(scaledFromText('1,257.63', 2)).toBe(125763n)
    expect(scaledFromText('1.500', 2)).toBe(150n)
    expect(scaledFromText('1.005', 2)).toBeUndefined()
    expect(scaledFromText('NA', 2)).toBeUndefined()
    expect(scaledFromText('', 2)).toBeUndefined()
  })

  it('come back as they were written', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.integer({ min: 0, max: 6 }), (value, decimals) => {
        expect(scaledFromText(scaledText(value, decimals), decimals)).toBe(value)
      }),
    )
  })
})

describe('a fee', () => {
  const factor2025 = { factor: 323465n, workAdjuster: 10_000n }

  // Work, practice expense and malpractice of 2025, and the amounts that CMS printed.
  it.each([
    ['99213 office', 130n, 135n, 10n, 8895n],
    ['99213 facility', 130n, 57n, 10n, 6372n],
    ['70450', 85n, 235n, 5n, 10513n],
  ])('of %s is the published one', (_, work, practiceExpense, malpractice, cents) => {
    expect(feeCents({ work, practiceExpense, malpractice }, nationalIndices, factor2025)).toBe(cents)
  })

  it('is rounded once, half up', () => {
    // 0.01 at a factor of 0.5000 is half a cent.
    const half = { work: 1n, practiceExpense: 0n, malpractice: 0n }
    expect(feeCents(half, nationalIndices, { factor: 5_000n, workAdjuster: 10_000n })).toBe(1n)
    expect(feeCents(half, nationalIndices, { factor: 4_999n, workAdjuster: 10_000n })).toBe(0n)
  })

  it('takes the work adjuster of 2007 and 2008 on the work value, rounded to hundredths', () => {
    const values = { work: 100n, practiceExpense: 0n, malpractice: 0n }
    // 1.00 × 0.8994 is 0.90; times 37.8975.
    expect(feeCents(values, nationalIndices, { factor: 378_975n, workAdjuster: 8_994n })).toBe(3411n)
  })

  it('is what the column store computes with its own decimals', async () => {
    const values = fc.sample(
      fc.tuple(
        fc.tuple(fc.nat(99_999), fc.nat(99_999), fc.nat(9_999)),
        fc.tuple(fc.nat(1_999), fc.nat(1_999), fc.nat(2_999)),
        fc.integer({ min: 200_000, max: 400_000 }),
      ),
      300,
    )
    const rows = values
      .map(([rvus, gpcis, factor]) => `(${[...rvus, ...gpcis, factor].join(', ')})`)
      .join(', ')
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll(
      `select (round(((w / 100)::decimal(9, 2) * (gw / 1000)::decimal(6, 3) + (pe / 100)::decimal(9, 2) * (gpe / 1000)::decimal(6, 3)
         + (mp / 100)::decimal(9, 2) * (gmp / 1000)::decimal(6, 3)) * (cf / 10000)::decimal(9, 4), 2) * 100)::bigint
       from (values ${rows}) as t (w, pe, mp, gw, gpe, gmp, cf)`,
    )
    const ours = values.map(([[work, pe, mp], [gw, gpe, gmp], factor]) =>
      feeCents(
        { work: BigInt(work), practiceExpense: BigInt(pe), malpractice: BigInt(mp) },
        { work: BigInt(gw), practiceExpense: BigInt(gpe), malpractice: BigInt(gmp) },
        { factor: BigInt(factor), workAdjuster: 10_000n },
      ),
    )
    expect(reader.getRows().map(([cents]) => cents)).toEqual(ours)
    connection.closeSync()
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadMedicare } from '../directory/medicare.ts'
import { type MedicareRateRow, medicareRates } from '../medicare/rates.ts'
import { type MedicareStore, openMedicareStore } from '../medicare/store.ts'
import { multipliersOf } from './medicare-computation.ts'

describe('what a fee schedule amount is computed from', () => {
  let folder = ''
  let store: MedicareStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratebook-computation-'))
    await loadMedicare(folder, [])
    store = openMedicareStore(folder)
  })
  afterAll(async () => {
    store.close()
    await rm(folder, { recursive: true, force: true })
  })

  const codes = ['99213', '99214', '93306', '45378', '27447', '70450']
  const rowsOf = (states: string[], years: number[]) =>
    medicareRates(store, {
      medicareType: 'Physician FFS',
      codes,
      years,
      ...(states.length > 0 && { states: states as ['FL'] }),
    })

  /** The formula as the page prints it. */
  const amount = (
    row: MedicareRateRow,
    practiceExpense: number,
    m: Awaited<ReturnType<typeof multipliersOf>>,
  ) => {
    const { workIndex, practiceExpenseIndex, malpracticeIndex, workAdjuster } = m(row)
    return (
      (row.workRvu! * workAdjuster * workIndex +
        practiceExpense * practiceExpenseIndex +
        row.malpracticeRvu! * malpracticeIndex) *
      row.conversionFactor!
    )
  }
  const halfACent = 0.005 + 1e-9

  it('multiplies out to the amount of every locality, facility and not', async () => {
    const rows = await rowsOf(['FL', 'CA', 'NY'], [2025])
    expect(rows.length).toBeGreaterThan(codes.length)
    const m = await multipliersOf(await store.tables(), rows)
    const wrong = rows.flatMap((row) =>
      (
        [
          [row.nonFacilityAmount, row.nonFacilityPracticeExpenseRvu!],
          [row.facilityAmount, row.facilityPracticeExpenseRvu!],
        ] as const
      ).filter(([paid, expense]) => paid != null && Math.abs(amount(row, expense, m) - paid) > halfACent),
    )
    expect(wrong).toEqual([])
    expect(new Set(rows.map((row) => JSON.stringify(m(row)))).size).toBeGreaterThan(1)
  })

  it('has indices of one for the nation', async () => {
    const rows = await rowsOf([], [2025])
    const m = await multipliersOf(await store.tables(), rows)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows)
      expect(m(row)).toMatchObject({ workIndex: 1, practiceExpenseIndex: 1, malpracticeIndex: 1 })
  })

  it('asks nothing of years without rows', async () => {
    const m = await multipliersOf(await store.tables(), [])
    expect(m({ year: 1990, carrier: null, locality: null } as MedicareRateRow)).toEqual({
      workIndex: 1,
      practiceExpenseIndex: 1,
      malpracticeIndex: 1,
      workAdjuster: 1,
    })
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { medicareRates } from '../medicare/rates.ts'
import { type MedicareStore, openMedicareStore } from '../medicare/store.ts'
import { loadMedicare } from './medicare.ts'

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
  const halfACent = 0.005 + 1e-9

  it('multiplies out to the amount of every locality, facility and not', async () => {
    const rows = await rowsOf(['FL', 'CA', 'NY'], [2025])
    expect(rows.length).toBeGreaterThan(codes.length)
    /** The formula as the page prints it. */
    const amount = (row: (typeof rows)[number], practiceExpense: number) =>
      (row.workRvu! * (row.workAdjuster ?? 1) * row.workIndex! +
        practiceExpense * row.practiceExpenseIndex! +
        row.malpracticeRvu! * row.malpracticeIndex!) *
      row.conversionFactor!
    const wrong = rows.flatMap((row) =>
      (
        [
          [row.nonFacilityAmount, row.nonFacilityPracticeExpenseRvu!],
          [row.facilityAmount, row.facilityPracticeExpenseRvu!],
        ] as const
      ).filter(([paid, expense]) => paid != null && !(Math.abs(amount(row, expense) - paid) <= halfACent)),
    )
    expect(wrong).toEqual([])
    expect(new Set(rows.map(({ practiceExpenseIndex }) => practiceExpenseIndex)).size).toBeGreaterThan(1)
  })

  it('has indices of one for the nation', async () => {
    const rows = await rowsOf([], [2025])
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows)
      expect(row).toMatchObject({ workIndex: 1, practiceExpenseIndex: 1, malpracticeIndex: 1 })
  })
})

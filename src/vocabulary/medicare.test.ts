import { expect, it } from 'vitest'
import { baselines, baselineYear, MedicareBaseline, MedicareDataset } from './medicare.ts'

it('baselines are none, the six years of the document, and 2026', () => {
  expect([...baselines].sort()).toEqual(
    ['none', ...[2020, 2021, 2022, 2023, 2024, 2025, 2026].map((year) => `medicare_${year}`)].sort(),
  )
  expect(MedicareBaseline.safeParse('medicare_2019').success).toBe(false)
})

it('a baseline names its year', () => {
  expect(baselines.map(baselineYear)).toEqual([undefined, 2025, 2024, 2023, 2022, 2021, 2020, 2026])
})

it('datasets are the four of the tool document', () => {
  expect(MedicareDataset.options).toEqual(['Physician FFS', 'Drug ASP', 'MS-DRG weight', 'Anesthesia'])
})

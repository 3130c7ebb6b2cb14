import type { z } from 'zod'
import { choice } from './choice.ts'

export const baselines = [
  'none',
  'medicare_2025',
  'medicare_2024',
  'medicare_2023',
  'medicare_2022',
  'medicare_2021',
  'medicare_2020',
  'medicare_2026',
] as const

/** `medicare_2026` goes beyond the published list; it answers where that year is loaded. */
export const MedicareBaseline = choice('Medicare baseline', baselines).describe(
  'Take each rate as a percent of what Medicare pays for the same code, modifier, year and locality (100 = Medicare). medicare_2026 where that year is loaded',
)
export type MedicareBaseline = z.infer<typeof MedicareBaseline>

export const baselineYear = (baseline: MedicareBaseline) =>
  baseline === 'none' ? undefined : Number(baseline.slice('medicare_'.length))

export const MedicareDataset = choice('Medicare dataset', [
  'Physician FFS',
  'Drug ASP',
  'MS-DRG weight',
  'Anesthesia',
]).describe('Which Medicare table to look in')
export type MedicareDataset = z.infer<typeof MedicareDataset>

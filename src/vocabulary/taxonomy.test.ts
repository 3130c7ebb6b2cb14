import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { taxonomies, TaxonomyCode, taxonomyOf } from './taxonomy.ts'

const realData = process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../shared/data')
const nucc = join(realData, 'providers/nucc_taxonomy_251.csv')

it('has the 883 codes of NUCC 25.1, each once and well formed', () => {
  expect(taxonomies).toHaveLength(883)
  expect(new Set(taxonomies.map(({ code }) => code)).size).toBe(883)
  expect(taxonomies.filter(({ code }) => !/^[0-9A-Z]{9}X$/.test(code))).toEqual([])
})

it('names every code', () => {
  expect(
    taxonomies.filter(({ name, grouping, classification }) => !name || !grouping || !classification),
  ).toEqual([])
  expect(taxonomyOf('207RC0000X')).toMatchObject({
    name: 'Cardiovascular Disease Physician',
    classification: 'Internal Medicine',
    specialization: 'Cardiovascular Disease',
  })
  expect(taxonomyOf('000000000X')).toBeUndefined()
})

it('takes only codes of the list', () => {
  expect(TaxonomyCode.parse('207RC0000X')).toBe('207RC0000X')
  expect(TaxonomyCode.safeParse('207RC0000').error?.issues[0]?.message).toMatch(
    /^"207RC0000" is not a taxonomy code; nearest: "207RC0000X"/,
  )
  expect(TaxonomyCode.safeParse(undefined).error?.issues[0]?.message).toBe('taxonomy code is missing')
})

it.skipIf(!existsSync(nucc))(
  'agrees with the published set (skipped where RATEBOOK_REAL_DATA is absent)',
  () => {
    const codes = readFileSync(nucc, 'latin1').match(/^"?[0-9A-Z]{9}X(?="?,)/gm)
    expect(codes?.map((code) => code.replace('"', ''))).toEqual(taxonomies.map(({ code }) => code))
  },
)

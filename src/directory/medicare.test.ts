import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { medicareAmounts } from '../medicare/amounts.ts'
import { openBaselines, type Baseline } from '../medicare/baseline.ts'
import { readCodeGroups } from '../medicare/code-groups.ts'
import { medicareRates } from '../medicare/rates.ts'
import { openMedicareStore, type MedicareStore } from '../medicare/store.ts'
import { realData } from '../../test/support/reference-data.ts'
import { loadMedicare } from './medicare.ts'
import type { LoadReport } from './load.ts'

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratebook-medicare-'))
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe('the facts that ship', () => {
  let folder: string
  let store: MedicareStore
  beforeAll(async () => {
    folder = await newFolder()
    await loadMedicare(folder, [])
    store = openMedicareStore(folder)
  })
  afterAll(() => store.close())

  it('give amounts for the demo without any official file', async () => {
    const [row] = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2025],
    })
    expect(row).toMatchObject({
      state: 'national',
      locality: null,
      nonFacilityAmount: 88.95,
      facilityAmount: 63.72,
      conversionFactor: 32.3465,
      sourceFile: 'medicare-relative-values.csv',
    })
  })

  it.each([
    ['99213', '', 88.95, 63.72],
    ['99214', '', 125.18, 93.8],
    ['99203', '', 109.01, 79.25],
    ['45378', '', 327.67, 177.26],
    ['27447', '', 1257.63, 1257.63],
    ['70450', '', 105.13, 105.13],
    ['93000', '', 13.91, 13.91],
  ])('reproduce the national amounts of %s in 2025', async (code, modifier, nonFacility, facility) => {
    const rows = await medicareRates(store, { medicareType: 'Physician FFS', codes: [code], years: [2025] })
    const row = rows.find((candidate) => (candidate.modifier ?? '') === modifier)
    expect([row?.nonFacilityAmount, row?.facilityAmount]).toEqual([nonFacility, facility])
  })

  it('know both factors of 2024', async () => {
    const rows = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2024],
    })
    expect(rows.map(({ conversionFactor, effectiveFrom }) => [conversionFactor, effectiveFrom])).toEqual([
      [33.2875, '2024-03-09'],
      [32.7442, '2024-01-01'],
    ])
  })

  it('return every locality of a state', async () => {
    const rows = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2025],
      states: ['TX', 'national'],
    })
    expect(rows.map(({ state }) => state)).toEqual(['national', ...Array.from({ length: 8 }, () => 'TX')])
  })

  it('refuse nothing and invent nothing for a year that is not loaded', async () => {
    expect(
      await medicareRates(store, { medicareType: 'Physician FFS', codes: ['99213'], years: [2003] }),
    ).toEqual([])
    expect(await openBaselines(store)(2003)).toBeUndefined()
  })

  it('compare by ZIP, and by the simple average of a state where the ZIP is unknown', async () => {
    const baseline = await openBaselines(store)(2025)
    const amounts = baseline?.amounts('99213', '')
    const place = (zip?: string, state?: string) => amounts?.nonFacility[baseline?.placeOf(zip, state) ?? -1]
    const rows = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2025],
      states: ['TX'],
    })
    const sum = rows.reduce((total, row) => total + Math.round((row.nonFacilityAmount ?? 0) * 10_000), 0)
    expect(place(undefined, 'TX')).toBe(Math.round(sum / rows.length))
    const houston = rows.find(({ localityName }) => localityName === 'HOUSTON')
    expect(place('77030', 'TX')).toBe(Math.round((houston?.nonFacilityAmount ?? 0) * 10_000))
    expect(baseline?.placeOf('99999', undefined)).toBe(-1)
  })

  it('have no amount for services that the fee schedule does not price', async () => {
    const baseline = (await openBaselines(store)(2025)) as Baseline
    // A preventive visit that Medicare does not cover, a laboratory test, anesthesia, an MS-DRG.
    for (const code of ['99396', '80053', '00142', '470']) expect(baseline.amounts(code, '')).toBeUndefined()
    expect(baseline.amounts('99213', '26')).toBeUndefined()
    expect(baseline.amounts('70450', '26')).toBeDefined()
  })

  it('compare drugs with the first loaded quarter of the year', async () => {
    const baseline = await openBaselines(store)(2025)
    const [limit] = await medicareRates(store, {
      medicareType: 'Drug ASP',
      codes: ['J0897'],
      years: [2025],
      month: 1,
    })
    expect(baseline?.amounts('J0897', '')?.facility[0]).toBe(Math.round((limit?.paymentLimit ?? 0) * 10_000))
  })

  it('group codes', async () => {
    const groups = await readCodeGroups(await store.tables())
    expect(groups.of('CPT', '70450')).toEqual({ group: 'Imaging', subgroup: 'CT Scan' })
    expect(groups.of('MS-DRG', '470')).toEqual({ group: 'MDC 08', subgroup: 'SURG' })
    expect(groups.of('RC', '0450')).toEqual({ group: '045X', subgroup: '0450' })
    expect(groups.of('LOCAL', 'X')).toBeUndefined()
  })

  it('answer pricing from memory', async () => {
    const amounts = await medicareAmounts(openBaselines(store), [2025, 2003])
    const locality = amounts.locality(2025, '77030', 'TX') ?? -1
    const ask = (type: string, code: string, modifiers: string[] = [], facility = false) =>
      amounts.amount({ year: 2025, type, code, modifiers, facility, locality })
    expect(ask('CPT', '99213')).toBeGreaterThan(ask('CPT', '99213', [], true) ?? Infinity)
    expect(ask('CPT', '99213', ['25'])).toBe(ask('CPT', '99213'))
    expect(ask('CPT', '70450', ['26'])).toBeLessThan(ask('CPT', '70450') ?? 0)
    expect(ask('MS-DRG', '470')).toBeUndefined()
    expect(amounts.locality(2025, '', '')).toBeUndefined()
    expect(amounts.locality(2003, '77030', 'TX')).toBeUndefined()
    // A state without localities of its own is priced by those of its ZIP codes.
    expect(amounts.locality(2025, '', 'GU')).toBeDefined()
  })

  it('list anesthesia factors, the national one first, and base units of codes', async () => {
    const rows = await medicareRates(store, { medicareType: 'Anesthesia' })
    expect(rows).toHaveLength(100)
    expect(rows[0]).toMatchObject({
      state: 'national',
      locality: null,
      conversionFactor: 20.3178,
      year: 2025,
    })
    expect(rows[1]).toMatchObject({ state: 'AK', conversionFactor: 27.86 })
    // Wyoming is beyond the first hundred; states are ignored here, as documented, and codes take its letters.
    const wyoming = await medicareRates(store, { medicareType: 'Anesthesia', codes: ['wy'] })
    expect(wyoming.map(({ state }) => state)).toEqual(['WY'])
    expect(await medicareRates(store, { medicareType: 'Anesthesia', states: ['WY'] })).toEqual(rows)
    const [code] = await medicareRates(store, { medicareType: 'Anesthesia', codes: ['00142'] })
    expect(code).toMatchObject({ code: '00142', baseUnits: 6, conversionFactor: 20.3178 })
  })

  it('keep to the limit', async () => {
    expect(await medicareRates(store, { medicareType: 'Physician FFS', limit: 3 })).toHaveLength(3)
    expect(await medicareRates(store, { medicareType: 'Drug ASP', limit: 1 })).toHaveLength(1)
  })

  it('are not built twice', async () => {
    expect((await loadMedicare(folder, [])).changed).toBe(false)
  })
})

const bundle = realData('medicare/rvu_2025/rvu25d')
const published = realData('medicare/pfrev25c/PFREV25C.txt')
const zips = realData('medicare/zip_locality_2025/ZIP5_OCT2025.txt')
const asp = realData('medicare/asp')
const drgs = realData('medicare/msdrg')

describe.skipIf(bundle === undefined || published === undefined || zips === undefined)(
  'the official files of 2025',
  () => {
    let folder: string
    let store: MedicareStore
    let report: LoadReport
    beforeAll(async () => {
      folder = await newFolder()
      const csvs = ['PPRRVU2025_Oct.csv', 'GPCI2025.csv', 'ANES2025.csv', 'OPPSCAP_Oct.csv', '25LOCCO.csv']
      report = await loadMedicare(folder, [...csvs.map((name) => join(bundle ?? '', name)), zips ?? ''])
      store = openMedicareStore(folder)
    }, 120_000)
    afterAll(() => store.close())

    it('are taken whole', () => {
      const rows = Object.fromEntries(report.sources.map(({ kind, rows }) => [kind, rows]))
      expect(rows).toEqual({
        'pfs-relative-values': 19_090,
        gpci: 109,
        'anesthesia-factors': 109,
        'opps-cap': 16_100,
        'zip-localities': 42_956,
      })
      expect(report.findings.filter(({ weight }) => weight === 'problem')).toEqual([])
    })

    it('reproduce every published locality amount to the cent', async () => {
      const lines = (await readFile(published ?? '', 'latin1'))
        .split(/\r?\n/)
        .filter((line) => line.startsWith('"20'))
      const baseline = (await openBaselines(store)(2025)) as Baseline
      const tables = await store.tables()
      const localities = await tables.rows<{ carrier: string; locality: string }>(
        'select carrier, locality from gpcis where year = 2025 order by carrier, locality',
      )
      const wrong: string[] = []
      for (const line of lines) {
        const [, carrier, locality, code = '', modifier = '', nonFacility, facility] = line
          .split(',')
          .map((cell) => cell.replaceAll('"', '').trim())
        const place = localities.findIndex(
          (known) => known.carrier === carrier && known.locality === locality,
        )
        const amounts = baseline.amounts(code, modifier)
        if (
          amounts?.nonFacility[place] !== Math.round(Number(nonFacility) * 10_000) ||
          amounts.facility[place] !== Math.round(Number(facility) * 10_000)
        )
          wrong.push(line)
      }
      expect(lines).toHaveLength(109)
      expect(wrong).toEqual([])
    })

    it('make global amounts of professional and technical components', async () => {
      const rows = await medicareRates(store, {
        medicareType: 'Physician FFS',
        codes: ['70450'],
        states: ['CA'],
      })
      const la = rows.filter(({ locality }) => locality === '18')
      const amount = (modifier: string | null) =>
        la.find((row) => row.modifier === modifier)?.nonFacilityAmount ?? 0
      expect(la).toHaveLength(3)
      expect(amount('26') + amount('TC')).toBeCloseTo(amount(null), 1)
    })

    it('say the same in fixed-width text as in csv', async () => {
      const other = await newFolder()
      const texts = ['PPRRVU2025_Oct.txt', 'GPCI2025.txt', 'ANES2025.txt', 'OPPSCAP_Oct.txt']
      await loadMedicare(
        other,
        texts.map((name) => join(bundle ?? '', name)),
      )
      const textStore = openMedicareStore(other)
      const differences = async (table: string, columns: string) => {
        const read = async (from: MedicareStore) =>
          await (
            await from.tables()
          ).rows<{ line: string }>(
            `select concat_ws('|', ${columns}) as line from ${table} where year = 2025 order by line`,
          )
        const csv = new Set((await read(store)).map(({ line }) => line))
        return (await read(textStore)).filter(({ line }) => !csv.delete(line)).length + csv.size
      }
      for (const [table, columns] of [
        [
          'relative_values',
          'code, modifier, status, work, non_facility_pe, facility_pe, malpractice, non_facility_na, facility_na, global_days, conversion_factor',
        ],
        ['gpcis', 'carrier, locality, state, work, practice_expense, malpractice'],
        ['anesthesia_factors', 'carrier, locality, factor'],
        ['opps_caps', 'code, modifier, carrier, locality, facility, non_facility'],
      ] as const) {
        expect([table, await differences(table, columns)]).toEqual([table, 0])
      }
      textStore.close()
    })

    it('replace the shipped facts of their year and leave those of other years', async () => {
      const tables = await store.tables()
      const rows = await tables.rows<{ year: number; shipped: boolean }>(
        `select distinct year, kind like 'shipped%' as shipped from relative_values join sources on sources.id = source order by year`,
      )
      expect(rows).toEqual(
        [2020, 2021, 2022, 2023, 2024, 2025].map((year) => ({ year, shipped: year !== 2025 })),
      )
    })
  },
)

describe.skipIf(asp === undefined || drgs === undefined)('drugs and groups', () => {
  it('are loaded by quarter and fiscal year, each row with its file', async () => {
    const folder = await newFolder()
    const report = await loadMedicare(folder, [join(asp ?? '', 'asp_2024-01_pricing.csv'), drgs ?? ''])
    expect(report.counts).toMatchObject({ ms_drg_weights: 14_393 })
    const store = openMedicareStore(folder)
    const drugs = await medicareRates(store, {
      medicareType: 'Drug ASP',
      codes: ['90371'],
      years: [2024],
      month: 2,
    })
    expect(drugs).toMatchObject([
      { paymentLimit: 137.892, quarter: 1, sourceFile: 'asp_2024-01_pricing.csv' },
    ])
    const weights = await medicareRates(store, {
      medicareType: 'MS-DRG weight',
      codes: ['0001', '470'],
      years: [2025],
    })
    expect(weights.map(({ code, weight }) => [code, weight])).toEqual([
      ['001', 28.1664],
      ['470', 1.8855],
    ])
    expect(
      (await medicareRates(store, { medicareType: 'MS-DRG weight', codes: ['470'] }))[0]?.fiscalYear,
    ).toBe(2026)
    store.close()
  })
})

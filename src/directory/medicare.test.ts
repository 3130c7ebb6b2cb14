import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
import { readPointer } from './pointer.ts'

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

describe('files of other years and layouts', () => {
  const load = async (name: string, text: string, options = {}) => {
    const folder = await newFolder()
    const file = join(folder, name)
    await writeFile(file, text, 'latin1')
    const report = await loadMedicare(folder, [file], options)
    const store = openMedicareStore(folder)
    return { report, store, folder }
  }

  it('take the transitional values of 2007 to 2012, which were paid, not the fully implemented ones', async () => {
    const heading =
      'HCPCS,MOD,DESCRIPTION,STATUS CODE,NOT USED,WORK RVU,TRANSITIONED NON-FAC PE RVU,TRANSITIONED NON-FAC NA INDICATOR,FULLY IMPLEMENTED NON-FAC PE RVU,FULLY IMPLEMENTED NON-FAC NA INDICATOR,TRANSITIONED FACILITY PE RVU,TRANSITIONED FACILITY NA INDICATOR,FULLY IMPLEMENTED FACILITY PE RVU,FULLY IMPLEMENTED FACILITY NA INDICATOR,MP RVU,TRANSITIONED NON-FAC TOTAL,FULLY IMPLEMENTED NON-FAC TOTAL,TRANSITIONED FACILITY TOTAL,FULLY IMPLEMENTED FACILITY TOTAL,PCTC IND,GLOB DAYS,CONV FACTOR'
    const { report, store } = await load(
      'PPRRVU08.csv',
      `,,2008 National Physician Fee Schedule Relative Value File January Release\n${heading}\n99213,,x,A,,0.92,0.77,,0.70,,0.30,,0.28,,0.03,1.60,1.53,1.13,1.11,0,XXX,38.0870\n`,
    )
    expect(report.findings.filter(({ weight }) => weight === 'problem')).toEqual([])
    const [row] = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2008],
    })
    // Work 0.92 × 0.8806 = 0.81; (0.81 + 0.77 + 0.03) × 38.0870 = 61.32.
    expect(row).toMatchObject({
      nonFacilityPracticeExpenseRvu: 0.77,
      facilityPracticeExpenseRvu: 0.3,
      nonFacilityAmount: 61.32,
    })
    store.close()
  })

  it('read the ten values of a transitional fixed-width line', async () => {
    const line = `99213  ${'x'.padEnd(50)}A   0.92   0.80     0.70     0.30     0.28   0.05   1.77   1.67   1.27  1.250XXX.00.00.0000000             36.0846 090 99`
    const lines = Array.from({ length: 5 }, (_, index) => line.replace('99213', `9921${index}`)).join('\n')
    const { store } = await load('PPRRVU10.txt', lines)
    const [row] = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2010],
    })
    expect(row).toMatchObject({
      nonFacilityPracticeExpenseRvu: 0.8,
      facilityPracticeExpenseRvu: 0.3,
      malpracticeRvu: 0.05,
    })
    store.close()
  })

  it('read both weights of Table 5 from tabbed text', async () => {
    const table = [
      'TABLE 5.\u0096LIST OF MEDICARE SEVERITY DIAGNOSIS-RELATED GROUPS (MS-DRGS), RELATIVE WEIGHTING FACTORS\u0096FY 2025 Final Rule',
      '',
      'MS-DRG\tFY 2025 Final Post-Acute DRG\tFY 2025 Final Special Pay DRG\tMDC\tTYPE\tMS-DRG Title\tWeights - Before Cap\tWeights - 10% Cap Applied\tGeometric mean LOS\tArithmetic mean LOS',
      '001\tNo\tNo\tPRE\tSURG\tx\t27.1000\t28.1664\t28.5\t38.5',
      '470\tYes\tYes\t08\tSURG\tx\t1.8855\t1.8855\t1.7\t2.1',
    ].join('\n')
    const { report, store } = await load('CMS-1808-F Table 5.txt', table)
    expect(report.findings).toEqual([])
    const rows = await medicareRates(store, { medicareType: 'MS-DRG weight', codes: ['1'], years: [2025] })
    expect(rows).toMatchObject([
      {
        code: '001',
        weight: 28.1664,
        weightBeforeCap: 27.1,
        geometricMeanLengthOfStay: 28.5,
        arithmeticMeanLengthOfStay: 38.5,
        majorDiagnosticCategory: 'PRE',
      },
    ])
    store.close()
  })

  it('find the states of localities that old files name without one', async () => {
    const table = [
      'CARRIER,LOCALITY,LOCALITY NAME,WORK GPCI,PE GPCI,MP GPCI',
      '00510,00,ALABAMA,1.000,0.858,0.779',
      '31146,26,"ANAHEIM/SANTA ANA, CA",1.037,1.184,0.955',
      '00740,02,METROPOLITAN KANSAS CITY,0.990,0.967,0.946',
      '00900,31,AUSTIN,1.000,0.996,0.986',
      '00900,99,REST OF TEXAS,1.000,0.880,0.838',
    ].join('\n')
    const { store } = await load('GPCI2003.csv', table)
    const rows = await (
      await store.tables()
    ).rows('select locality, state from gpcis where year = 2003 order by carrier, locality')
    expect(rows).toEqual([
      { locality: '00', state: 'AL' },
      { locality: '02', state: 'MO' },
      { locality: '31', state: 'TX' },
      { locality: '99', state: 'TX' },
      { locality: '26', state: 'CA' },
    ])
    store.close()
  })

  it('take the conversion factor of the file for a year that is not known yet', async () => {
    const { store } = await load(
      'PPRRVU2031_Jan.csv',
      'HCPCS,MOD,STATUS CODE,WORK RVU,NON-FAC PE RVU,FACILITY PE RVU,MP RVU,GLOB DAYS,CONV FACTOR\n99213,,A,1.00,1.00,0.50,0.00,XXX,30.0000\n',
    )
    const rows = await medicareRates(store, { medicareType: 'Physician FFS', codes: ['99213'] })
    expect(rows).toMatchObject([
      { year: 2031, nonFacilityAmount: 60, facilityAmount: 45, conversionFactor: 30 },
    ])
    store.close()
  })

  it.each([
    ['2002', 'NON-FACILITY PE RVU', 'FACILITY PE RVU', 'MP RVU'],
    ['2006', 'NON-FAC PE RVU', 'FAC PE RVU', 'MALPRACTICE RVU'],
    ['2013', 'NONFACILITY PRACTICE EXPENSE RVU', 'FACILITY PRACTICE EXPENSE RVU', 'MP RVU'],
  ])('read the headings of %s in any order', async (year, nonFacility, facility, malpractice) => {
    const { report, store } = await load(
      `PPRRVU${year}.csv`,
      `MOD,${malpractice},${facility},${nonFacility},WORK RVU,STATUS CODE,GLOB DAYS,CONV FACTOR,HCPCS\n,0.10,0.20,0.30,0.40,A,XXX,36.1992,99213\n`,
    )
    expect(report.findings.filter(({ weight }) => weight === 'problem')).toEqual([])
    const rows = await medicareRates(store, { medicareType: 'Physician FFS', years: [Number(year)] })
    expect(rows[0]).toMatchObject({
      workRvu: 0.4,
      nonFacilityPracticeExpenseRvu: 0.3,
      facilityPracticeExpenseRvu: 0.2,
      malpracticeRvu: 0.1,
    })
    store.close()
  })

  it.each([
    [
      'PPRRVU19.csv',
      'HCPCS,MOD,STATUS CODE,PHYSICIAN UNITS,NON-FAC PE RVU,FACILITY PE RVU,MP RVU\n99213,,A,1.00,1.00,0.50,0.00\n',
      {
        path: 'PPRRVU19.csv, work',
        message: expect.stringMatching(/^like pfs-relative-values,.*PHYSICIAN UNITS/),
      },
    ],
    [
      'GPCI2012.csv',
      'CARRIER,LOCALITY,LOCALITY NAME,WORK GPCI,PRACTICE INDEX,MP GPCI\n00510,00,ALABAMA,1.000,0.858,0.779\n',
      {
        path: 'GPCI2012.csv, practiceExpense',
        message: expect.stringMatching(/^like gpci,.*PRACTICE INDEX/),
      },
    ],
    [
      'PPRRVU05.txt',
      `99213  ${'x'.padEnd(50)}A   0.92   0.80   0.70   0.30   0.28   0.05   1.77 0XXX 36.0846 and more to fill the line up\n`.repeat(
        5,
      ),
      { path: 'PPRRVU05.txt, work', message: expect.stringContaining('neither 6 nor 10 relative values') },
    ],
  ])('name the column of %s that moved', async (name, text, problem) => {
    await expect(load(name, text)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { problems: [problem] },
    })
  })

  it('say which file has no year, and take it when told', async () => {
    const text =
      'HCPCS,MOD,STATUS CODE,WORK RVU,NON-FAC PE RVU,FACILITY PE RVU,MP RVU\n99213,,A,1.00,1.00,0.50,0.00\n'
    await expect(load('values.csv', text)).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        problems: expect.arrayContaining([
          expect.objectContaining({ message: expect.stringContaining('--year') }),
        ]),
      },
    })
    const { store } = await load('values.csv', text, { year: 2009, release: 'B' })
    const rows = await medicareRates(store, {
      medicareType: 'Physician FFS',
      codes: ['99213'],
      years: [2009],
    })
    expect(rows[0]).toMatchObject({ release: 'B', conversionFactor: 36.0666 })
    store.close()
  })

  it('leave the loaded data alone when a load fails', async () => {
    const folder = await newFolder()
    await loadMedicare(folder, [])
    const before = await readPointer(join(folder, 'directory'))
    await writeFile(join(folder, 'page.html'), '<html>not found</html>')
    await expect(loadMedicare(folder, [join(folder, 'page.html')])).rejects.toThrow('None of the sources')
    expect(await readPointer(join(folder, 'directory'))).toEqual(before)
  })
})

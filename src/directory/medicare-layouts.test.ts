import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { medicareRates } from '../medicare/rates.ts'
import { openMedicareStore } from '../medicare/store.ts'
import { loadMedicare } from './medicare.ts'
import { readPointer } from './pointer.ts'

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratebook-layouts-'))
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
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

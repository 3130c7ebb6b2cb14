import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, it } from 'vitest'
import { nppesHeadings, npiOfNumber, writeNppes } from '../../bench/nppes-rows.ts'
import { realData } from '../../test/support/reference-data.ts'
import { npiCheckDigitHolds } from '../vocabulary/identifiers.ts'
import { engineBounds } from './build.ts'
import { loadHospitals } from './hospitals.ts'
import { loadNppes } from './nppes.ts'
import { loadNucc } from './nucc.ts'
import { readPointer, type DatasetName } from './pointer.ts'

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratebook-providers-'))
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function rowsOf(
  folder: string,
  dataset: DatasetName,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const pointer = await readPointer(join(folder, 'directory'))
  const path = join(folder, 'directory', pointer.datasets[dataset]?.file ?? '')
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(statement)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const main = (rows: readonly Readonly<Record<string, string>>[], headings = nppesHeadings) =>
  [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))]
    .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
    .join('\n')

const person = (npi: string, more: Readonly<Record<string, string>> = {}) => ({
  NPI: npi,
  'Entity Type Code': '1',
  'Provider Last Name (Legal Name)': 'GARCIA',
  'Provider First Name': 'MARIA',
  'Provider Business Practice Location Address City Name': 'HOUSTON',
  'Provider Business Practice Location Address State Name': 'TX',
  'Provider Business Practice Location Address Postal Code': '770301234',
  'Last Update Date': '01/01/2024',
  'Healthcare Provider Taxonomy Code_1': '207R00000X',
  'Healthcare Provider Primary Taxonomy Switch_1': 'N',
  'Healthcare Provider Taxonomy Code_2': '207RC0000X',
  'Healthcare Provider Primary Taxonomy Switch_2': 'Y',
  ...more,
})

async function load(folder: string, files: Readonly<Record<string, string>>, options = {}) {
  const paths: string[] = []
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
    paths.push(join(folder, name))
  }
  return await loadNppes(folder, paths, options)
}

describe('NPPES', () => {
  it('becomes providers with their specialties, counties, other names and locations', async () => {
    const folder = await newFolder()
    const report = await load(folder, {
      'main.csv': main([
        person('1003000126', { 'Provider Other Last Name': 'LOPEZ', 'Provider Other First Name': 'MARIA' }),
        {
          NPI: '1003000134',
          'Entity Type Code': '2',
          'Provider Organization Name (Legal Business Name)': 'SUNSHINE CLINIC LLC',
          'Provider Business Practice Location Address State Name': 'FL',
          'Provider Business Practice Location Address Postal Code': '33101',
          'Provider Business Practice Location Address Telephone Number': '(305) 555-0100',
        },
      ]),
      'names.csv':
        '"NPI","Provider Other Organization Name","Provider Other Organization Name Type Code"\n"1003000134","SUNSHINE WALK-IN","3"\n',
      'places.csv': `"NPI","Provider Secondary Practice Location Address- Address Line 1","Provider Secondary Practice Location Address-  Address Line 2","Provider Secondary Practice Location Address - City Name","Provider Secondary Practice Location Address - State Name","Provider Secondary Practice Location Address - Postal Code","Provider Secondary Practice Location Address - Country Code (If outside U.S.)","Provider Secondary Practice Location Address - Telephone Number"\n"1003000134","1 Peach St","","Atlanta","GA","303031234","US","4045550100"\n`,
    })
    expect(report.findings).toEqual([])
    const rows = await rowsOf(folder, 'providers', 'select * from providers order by npi')
    expect(rows[0]).toMatchObject({
      npi: '1003000126',
      entity_type: 'individual',
      name: 'MARIA GARCIA',
      other_names: ['MARIA LOPEZ'],
      primary_taxonomy: '207RC0000X',
      taxonomies: ['207R00000X', '207RC0000X'],
      state: 'TX',
      zip: '77030',
      counties: ['Harris'],
      locations: [],
      deactivated: false,
    })
    expect(rows[1]).toMatchObject({
      entity_type: 'group',
      name: 'SUNSHINE CLINIC LLC',
      other_names: ['SUNSHINE WALK-IN'],
      phone: '3055550100',
      locations: [{ street: '1 Peach St', city: 'Atlanta', state: 'GA', zip: '30303', phone: '4045550100' }],
      states: ['FL', 'GA'],
      counties: ['Miami-Dade', 'Fulton'],
    })
  })

  it('merges increments: the record updated later stays, whatever comes first', async () => {
    const old = main([
      person('1003000126', { 'Provider First Name': 'OLD', 'Last Update Date': '01/01/2023' }),
    ])
    const now = main([
      person('1003000126', { 'Provider First Name': 'NEW', 'Last Update Date': '06/01/2024' }),
      person('1003000142'),
    ])
    const names: unknown[] = []
    for (const order of [
      [old, now],
      [now, old],
    ]) {
      const folder = await newFolder()
      for (const [index, text] of order.entries()) await load(folder, { [`week${index}.csv`]: text })
      names.push(
        (await rowsOf(folder, 'providers', 'select name from providers order by npi')).map(
          ({ name }) => name,
        ),
      )
    }
    expect(names).toEqual([
      ['NEW GARCIA', 'MARIA GARCIA'],
      ['NEW GARCIA', 'MARIA GARCIA'],
    ])
  })

  it('keeps who a deactivated provider was', async () => {
    const folder = await newFolder()
    await load(folder, { 'main.csv': main([person('1003000126')]) })
    const report = await load(folder, {
      'deactivated.csv':
        'NPPES Deactivated NPI Report,\nNPI,NPPES Deactivation Date\n1003000126,03/15/2025\n1003000142,03/15/2025\n',
    })
    expect(report.sources).toMatchObject([{ kind: 'nppes-deactivations', rows: 2 }])
    expect(
      await rowsOf(
        folder,
        'providers',
        'select npi, name, deactivated, deactivated_on, entity_type from providers order by npi',
      ),
    ).toEqual([
      {
        npi: '1003000126',
        name: 'MARIA GARCIA',
        deactivated: true,
        deactivated_on: '2025-03-15',
        entity_type: 'individual',
      },
      { npi: '1003000142', name: null, deactivated: true, deactivated_on: '2025-03-15', entity_type: null },
    ])
  })

  it('names the columns that are missing or have moved, and what is wrong in rows', async () => {
    const folder = await newFolder()
    const headings = nppesHeadings.filter((heading) => heading !== 'Provider Credential Text')
    const moved = ['Last Update Date', ...headings.filter((heading) => heading !== 'Last Update Date')]
    const report = await load(folder, {
      'main.csv': `${main([person('1003000126'), person('12345'), person('1003000127')], moved)}\n"too","few","cells"\n`,
    })
    const said = report.findings.map(({ column, says, count }) => [column, says.split(';')[0], count])
    expect(said).toContainEqual(['Provider Credential Text', 'the file has no such column', 1])
    expect(said).toContainEqual(['Last Update Date', expect.stringContaining('has moved'), 1])
    expect(said).toContainEqual(['NPI', 'rows without a ten-digit NPI are left out', 1])
    expect(said).toContainEqual(['NPI', 'NPIs whose check digit does not hold', 1])
    expect(report.findings.find(({ says }) => says.includes('cannot be read as a row'))).toMatchObject({
      line: 5,
    })
    expect(report.rows).toBe(2)
  })

  it('does nothing when the same files come again, and begins anew when told', async () => {
    const folder = await newFolder()
    const text = main([person('1003000126')])
    const first = await load(folder, { 'main.csv': text })
    const again = await load(folder, { 'renamed.csv': text })
    expect([again.changed, again.build]).toEqual([false, first.build])
    const other = await load(folder, { 'other.csv': main([person('1003000142')]) }, { replace: true })
    expect(other.rows).toBe(1)
    // The build before the present one stays for those who hold it open.
    expect(await readdir(join(folder, 'directory', 'builds'))).toHaveLength(2)
    expect(await readdir(join(folder, 'directory', 'work'))).toEqual([])
  })

  it('takes the place of the demo instead of merging into it', async () => {
    const folder = await newFolder()
    await load(folder, { 'demo.csv': main([person('1003000126')]) }, { demo: true })
    const report = await load(folder, { 'main.csv': main([person('1003000142')]) })
    expect(report.rows).toBe(1)
  })

  it('is the same whether providers are joined all at once or a few at a time', async () => {
    const folder = await newFolder()
    const [month, week, gone] = [
      join(folder, 'month.csv'),
      join(folder, 'week.csv'),
      join(folder, 'gone.csv'),
    ]
    await writeNppes(month, 500)
    await writeNppes(week, 300, 350)
    await writeFile(
      gone,
      `NPI,NPPES Deactivation Date\n${npiOfNumber(3)},12/31/2030\n${npiOfNumber(640)},12/31/2030\n1999999999,12/31/2030\n`,
    )
    const tables = []
    for (const rangeRows of [engineBounds.rangeRows, 97]) {
      const data = await newFolder()
      await loadNppes(data, [month], { bounds: { ...engineBounds, rangeRows } })
      await loadNppes(data, [week, gone], { bounds: { ...engineBounds, rangeRows } })
      tables.push(await rowsOf(data, 'providers', 'select * from providers'))
    }
    const npis = tables[0]?.map(({ npi }) => Number(npi)) ?? []
    expect(npis).toHaveLength(651)
    expect(npis).toEqual(npis.toSorted((a, b) => a - b))
    const gone2030 = tables[0]?.filter(({ deactivated_on }) => deactivated_on === '2030-12-31') ?? []
    // Two keep who they were; of the third nothing is known.
    expect(gone2030.map(({ name }) => name === null)).toEqual([false, false, true])
    expect(tables[1]).toEqual(tables[0])
  }, 60_000)

  it('reads 20,000 generated rows of the official 330 columns', async () => {
    const folder = await newFolder()
    const file = join(folder, 'npidata.csv')
    await writeNppes(file, 20_000)
    const report = await loadNppes(folder, [file])
    expect(npiCheckDigitHolds(Number(npiOfNumber(7)))).toBe(true)
    expect(report).toMatchObject({ rows: 20_000, findings: [], counts: { deactivated: 400 } })
    const [sorted] = await rowsOf(
      folder,
      'providers',
      'select count(*) as wrong from (select npi < lag(npi) over (order by rowid) as falls from providers) where falls',
    )
    expect(sorted).toEqual({ wrong: '0' })
  })
})

const samples = realData('providers/nppes')
describe.skipIf(samples === undefined)('real NPPES samples', () => {
  it('are all read, each variant of the columns', async () => {
    const folder = await newFolder()
    const names = [
      'siwa_nppes_sample.csv',
      'onyemc_clean_NPPES_sample_2026.csv',
      'vhdir_2018',
      'weekly_20251103-20251109',
    ]
    const report = await loadNppes(
      folder,
      names.map((name) => join(samples ?? '', name)),
    )
    expect(report.sources.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['nppes-main', 1000],
      ['nppes-main', 5000],
      ['nppes-main', 40],
      ['nppes-main', 2000],
      ['nppes-other-names', 2427],
      ['nppes-locations', 9528],
    ])
    expect(report.rows).toBe(7721)
    expect(report.findings.filter(({ weight }) => weight === 'problem')).toEqual([])
    // Re-saved by a spreadsheet: codes read "1.0", ZIP codes have lost their zeroes.
    const rows = await rowsOf(
      folder,
      'providers',
      'select npi, entity_type, zip, phone, primary_taxonomy from providers where npi in (1679576722, 1932106788) order by npi',
    )
    expect(rows).toEqual([
      {
        npi: '1679576722',
        entity_type: 'individual',
        zip: '68847',
        phone: '3088652512',
        primary_taxonomy: '207X00000X',
      },
      {
        npi: '1932106788',
        entity_type: 'individual',
        zip: '84037',
        phone: null,
        primary_taxonomy: '171100000X',
      },
    ])
  })
})

const hospitals = realData('hospitals')
const taxonomy = realData('providers/nucc_taxonomy_251.csv')
describe.skipIf(hospitals === undefined || taxonomy === undefined)('real hospitals and specialties', () => {
  it('are joined: list, enrolments, beds and systems, with how each was matched', async () => {
    const folder = await newFolder()
    const report = await loadHospitals(folder, [hospitals ?? ''])
    expect(report.findings.filter(({ weight }) => weight === 'problem')).toEqual([])
    expect(report.counts['listed']).toBe(5421)
    expect(report.counts['listedWithNpi']).toBeGreaterThanOrEqual(5173)
    const matched =
      (report.counts['matchedByNameAndZip'] ?? 0) + (report.counts['matchedByAddressAndState'] ?? 0)
    expect(matched).toBeGreaterThanOrEqual(4649)
    const [row] = await rowsOf(folder, 'hospitals', "select * from hospitals where ccn = '010001'")
    expect(row).toMatchObject({
      name: 'SOUTHEAST HEALTH MEDICAL CENTER',
      state: 'AL',
      zip: '36301',
      phone: '3347938701',
      care_quality: 4,
      emergency: true,
      ccn_state: 'AL',
      ccn_category: 'Hospital',
      ccn_facility_type: 'Short-term acute',
      in_general_information: true,
    })
    const [unit] = await rowsOf(
      folder,
      'hospitals',
      "select u.ccn, u.parent_ccn, list_contains(list_transform(p.npis, lambda link: link.npi), u.npi) as linked from hospitals as u join hospitals as p on p.ccn = u.parent_ccn where u.ccn_unit = 'Psychiatric unit' order by u.ccn limit 1",
    )
    expect(unit).toMatchObject({ linked: true })
  })

  it('keep the lists that a load does not bring', async () => {
    const folder = await newFolder()
    const file = (name: string) => join(hospitals ?? '', name)
    await loadHospitals(folder, [file('Hospital_General_Information_2026-02.csv')])
    const report = await loadHospitals(folder, [file('pecos_hospital_enrollments_2025-10.csv')])
    expect(report.counts['listed']).toBe(5421)
    expect(report.counts['listedWithNpi']).toBeGreaterThan(5000)
  })

  it('know the 883 specialties without their definitions', async () => {
    const folder = await newFolder()
    const report = await loadNucc(folder, [taxonomy ?? ''])
    expect(report).toMatchObject({ rows: 883, findings: [] })
    const [row] = await rowsOf(folder, 'taxonomy', "select * from taxonomies where code = '207RC0000X'")
    expect(row).toMatchObject({
      name: 'Cardiovascular Disease Physician',
      classification: 'Internal Medicine',
    })
  })
})

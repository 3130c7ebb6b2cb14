import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Listed } from '../../src/providers/listed.ts'

/** Writes the two tables of a small directory under a data folder, as the loader leaves them, and its pointer. */
export async function writeDirectory(dataFolder: string, build: string, more = ''): Promise<void> {
  const folder = join(dataFolder, 'directory')
  const entry = async (name: string, sql: string) => {
    const file = join('builds', `${name}-${build}`, `${name}.duckdb`)
    mkdirSync(join(folder, 'builds', `${name}-${build}`), { recursive: true })
    await writeTable(join(folder, file), sql)
    return { build: `${name}-${build}`, file, origin: 'demo', loadedAt: '2026-11-01', rows: 1, sources: [] }
  }
  const datasets = {
    providers: await entry('providers', providersSql + more),
    hospitals: await entry('hospitals', hospitalsSql),
  }
  writeFileSync(
    join(folder, 'current.json'),
    JSON.stringify({ format: 1, publishedAt: '2026-11-01', datasets }),
  )
}

export async function writeTable(file: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

const providersSql = `
  create table providers(
    npi ubigint, entity_type varchar, name varchar, other_names varchar[], credentials varchar, primary_taxonomy varchar,
    taxonomies varchar[], state varchar, counties varchar[], deactivated boolean);
  insert into providers values
    (1000000012, 'individual', 'JANE Q SAMPLE', ['JANE DOE'], 'M.D.', '207R00000X', ['207RC0000X', '207R00000X'], 'FL', ['Miami-Dade'], false),
    (1000000020, 'individual', 'JOHN SAMPLE', [], 'D.O.', '207Q00000X', ['207Q00000X'], 'TX', ['Travis'], false),
    (1000000038, 'group', 'SAMPLE CARDIOLOGY LLC', ['HEART OF FLORIDA'], null, '207RC0000X', ['207RC0000X'], 'FL', ['Miami-Dade', 'Broward'], false),
    (1000000046, 'group', 'SAMPLE MEDICAL CENTER', [], null, '282N00000X', ['282N00000X'], 'FL', ['Duval'], false),
    (1000000053, 'individual', 'GONE AWAY', [], null, null, [], 'FL', [], true),
    (1000000061, 'group', 'RIVERSIDE CLINIC', [], null, null, [], null, [], false);`

const hospitalsSql = `
  create table hospitals(
    ccn varchar, name varchar, street varchar, city varchar, state varchar, zip varchar, county varchar, phone varchar,
    provider_type varchar, ownership varchar, emergency boolean, care_quality utinyint, bed_count uinteger,
    health_system varchar, matched_by varchar,
    npis struct(npi ubigint, matched_by varchar, organization varchar, doing_business_as varchar)[], npi ubigint,
    other_names varchar[], ccn_state varchar, ccn_category varchar, ccn_facility_type varchar, ccn_unit varchar);
  insert into hospitals values
    ('100001', 'SAMPLE MEDICAL CENTER', '1 MAIN ST', 'JACKSONVILLE', 'FL', '32202', 'Duval', '9045550100', 'Acute Care Hospitals',
     'Proprietary', true, 4, 300, 'SAMPLE HEALTH', 'name and ZIP',
     [{ npi: 1000000046, matched_by: 'PECOS CCN', organization: 'SAMPLE MEDICAL CENTER', doing_business_as: null }], 1000000046,
     ['JACKSONVILLE GENERAL'], 'FL', 'Hospital', 'Short-term hospital', null),
    ('100002', 'SAINT AGNES HOSPITAL', null, 'TAMPA', 'FL', null, null, null, 'Acute Care Hospitals', null, false, null, null,
     null, null, [], null, [], 'FL', 'Hospital', 'Short-term hospital', null),
    ('45S033', 'AUSTIN BEHAVIORAL UNIT', null, 'AUSTIN', 'TX', null, null, null, 'Psychiatric', null, null, null, 20,
     null, null, [], null, [], 'TX', 'Unit', null, 'Psychiatric unit');`

/** Two payers: both list the cardiology group and Jane under one TIN; one also lists a hospital, under a short number. */
export const listed: Listed[] = [
  {
    payer: 'Aetna',
    tins: ['123456789', '012345678'],
    npis: Float64Array.of(0, 1_000_000_012, 1_000_000_038, 1_000_000_046),
    pairTin: Uint32Array.of(0, 0, 1, 1),
    pairNpi: Uint32Array.of(1, 2, 3, 0),
    tinNames: ['', 'SAMPLE HEALTH INC'],
  },
  {
    payer: 'Cigna',
    tins: ['123456789', '1000000061', 'N/A'],
    npis: Float64Array.of(1_000_000_012, 1_000_000_038, 1_000_000_061, 1_999_999_992),
    pairTin: Uint32Array.of(0, 0, 0, 1, 2),
    pairNpi: Uint32Array.of(0, 1, 3, 2, 0),
    tinNames: ['', '', ''],
  },
]

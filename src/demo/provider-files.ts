import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoProvider, DemoWorld } from './providers.ts'

/** Where the demo's provider lists lie, for the loaders of the real ones. */
export interface ProviderFiles {
  /** NPPES, version 2 column names. */
  readonly providers: string
  /** CMS Hospital General Information. */
  readonly hospitals: string
  /** PECOS hospital enrolments: which NPI has which CCN. */
  readonly enrollments: string
}

type Column = readonly [name: string, value: (provider: DemoProvider) => string | number]

const person = (text: (provider: DemoProvider) => string) => (provider: DemoProvider) =>
  provider.kind === 'individual' ? text(provider) : ''

const nppesColumns: readonly Column[] = [
  ['NPI', ({ npi }) => npi],
  ['Entity Type Code', ({ kind }) => (kind === 'individual' ? 1 : 2)],
  ['Replacement NPI', () => ''],
  ['Employer Identification Number (EIN)', () => ''],
  [
    'Provider Organization Name (Legal Business Name)',
    ({ kind, name }) => (kind === 'individual' ? '' : name),
  ],
  ['Provider Last Name (Legal Name)', person(({ lastName }) => lastName)],
  ['Provider First Name', person(({ firstName }) => firstName)],
  ['Provider Middle Name', () => ''],
  ['Provider Name Prefix Text', () => ''],
  ['Provider Name Suffix Text', () => ''],
  ['Provider Credential Text', ({ credential }) => credential],
  ['Provider Other Organization Name', () => ''],
  ['Provider Other Organization Name Type Code', () => ''],
  ['Provider First Line Business Practice Location Address', ({ street }) => street],
  ['Provider Second Line Business Practice Location Address', () => 'SYNTHETIC'],
  ['Provider Business Practice Location Address City Name', ({ place }) => place[1]],
  ['Provider Business Practice Location Address State Name', ({ state }) => state.state],
  ['Provider Business Practice Location Address Postal Code', ({ place }) => place[0]],
  ['Provider Business Practice Location Address Country Code (If outside U.S.)', () => 'US'],
  ['Provider Business Practice Location Address Telephone Number', ({ phone }) => phone],
  ['Provider Enumeration Date', () => '01/01/2026'],
  ['Last Update Date', () => '08/01/2026'],
  ['NPI Deactivation Reason Code', () => ''],
  ['NPI Deactivation Date', () => ''],
  ['NPI Reactivation Date', () => ''],
  ['Healthcare Provider Taxonomy Code_1', ({ taxonomy }) => taxonomy],
  ['Healthcare Provider Primary Taxonomy Switch_1', () => 'Y'],
  ['Is Organization Subpart', ({ kind }) => (kind === 'individual' ? '' : 'N')],
  ['Parent Organization LBN', ({ system }) => system],
]

const hospitalColumns: readonly Column[] = [
  ['Facility ID', ({ ccn }) => ccn],
  ['Facility Name', ({ name }) => name],
  ['Address', ({ street }) => street],
  ['City/Town', ({ place }) => place[1]],
  ['State', ({ state }) => state.state],
  ['ZIP Code', ({ place }) => place[0]],
  ['County/Parish', ({ place }) => place[2]],
  ['Telephone Number', ({ phone }) => phone],
  ['Hospital Type', () => 'Acute Care Hospitals'],
  ['Hospital Ownership', () => 'Voluntary non-profit - Other'],
  ['Emergency Services', () => 'Yes'],
  ['Hospital overall rating', ({ beds }) => 1 + (beds % 5)],
]

const enrollmentColumns: readonly Column[] = [
  ['i', ({ npi }) => npi % 100_000],
  ['npi', ({ npi }) => npi],
  ['ccn', ({ ccn }) => ccn],
  ['enid', ({ ccn }) => `O00000000${ccn}`],
  ['multi_npi', () => 0],
  ['org_name', ({ name }) => name],
  ['dba_name', ({ system }) => system],
  ['address', ({ street }) => street],
  ['city', ({ place }) => place[1]],
  ['zip', ({ place }) => place[0]],
  ['enid_state', ({ state }) => state.state],
  ['loc_state', ({ state }) => state.state],
  ['loc_type', () => 'MAIN/PRIMARY HOSPITAL LOCATION'],
  ['sub_general', () => 1],
  ['sub_acute', () => 1],
]

/** Writes the demo's providers as the lists that CMS publishes, marked as synthetic, and answers where. */
export async function writeProviderFiles(folder: string, world: DemoWorld): Promise<ProviderFiles> {
  await mkdir(folder, { recursive: true })
  const files: ProviderFiles = {
    providers: join(folder, 'providers.csv'),
    hospitals: join(folder, 'hospitals.csv'),
    enrollments: join(folder, 'hospital-enrollments.csv'),
  }
  const hospitals = world.providers.filter(({ kind }) => kind === 'hospital')
  await writeFile(files.providers, table(nppesColumns, world.providers))
  await writeFile(files.hospitals, table(hospitalColumns, hospitals))
  await writeFile(files.enrollments, table(enrollmentColumns, hospitals))
  return files
}

const table = (columns: readonly Column[], providers: readonly DemoProvider[]) =>
  [
    columns.map(([name]) => quoted(name)).join(','),
    ...providers.map((provider) => columns.map(([, value]) => quoted(String(value(provider)))).join(',')),
    '',
  ].join('\n')

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

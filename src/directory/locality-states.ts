import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from './build.ts'

const stateNames: readonly (readonly [string, string])[] = Object.entries({
  ALABAMA: 'AL',
  ALASKA: 'AK',
  ARIZONA: 'AZ',
  ARKANSAS: 'AR',
  CALIFORNIA: 'CA',
  COLORADO: 'CO',
  CONNECTICUT: 'CT',
  DELAWARE: 'DE',
  'DISTRICT OF COLUMBIA': 'DC',
  FLORIDA: 'FL',
  GEORGIA: 'GA',
  HAWAII: 'HI',
  IDAHO: 'ID',
  ILLINOIS: 'IL',
  INDIANA: 'IN',
  IOWA: 'IA',
  KANSAS: 'KS',
  KENTUCKY: 'KY',
  LOUISIANA: 'LA',
  MAINE: 'ME',
  MARYLAND: 'MD',
  MASSACHUSETTS: 'MA',
  MICHIGAN: 'MI',
  MINNESOTA: 'MN',
  MISSISSIPPI: 'MS',
  MISSOURI: 'MO',
  MONTANA: 'MT',
  NEBRASKA: 'NE',
  NEVADA: 'NV',
  'NEW HAMPSHIRE': 'NH',
  'NEW JERSEY': 'NJ',
  'NEW MEXICO': 'NM',
  'NEW YORK': 'NY',
  'NORTH CAROLINA': 'NC',
  'NORTH DAKOTA': 'ND',
  OHIO: 'OH',
  OKLAHOMA: 'OK',
  OREGON: 'OR',
  PENNSYLVANIA: 'PA',
  'PUERTO RICO': 'PR',
  'RHODE ISLAND': 'RI',
  'SOUTH CAROLINA': 'SC',
  'SOUTH DAKOTA': 'SD',
  TENNESSEE: 'TN',
  TEXAS: 'TX',
  UTAH: 'UT',
  VERMONT: 'VT',
  'VIRGIN ISLANDS': 'VI',
  VIRGINIA: 'VA',
  WASHINGTON: 'WA',
  'WEST VIRGINIA': 'WV',
  WISCONSIN: 'WI',
  WYOMING: 'WY',
}).sort(([a], [b]) => b.length - a.length)

/** The state in a locality's name (`REST OF TEXAS`, `ANAHEIM/SANTA ANA, CA`): files of the 2000s have no column for it. */
export function stateInName(name: string): string | undefined {
  // Kansas City's locality is Missouri's.
  const upper = name.toUpperCase().replace('KANSAS CITY', 'MISSOURI')
  return /,\s*([A-Z]{2})\b/.exec(upper)?.[1] ?? stateNames.find(([spelt]) => upper.includes(spelt))?.[1]
}

const tables = ['gpcis', 'anesthesia_factors'] as const

/**
 * Gives localities their state: files before 2021 (and anesthesia files of all years) name none. Carrier and locality
 * say it for those of today; for older ones the locality's name, and then its carrier's other localities.
 */
export async function fillStates(connection: DuckDBConnection, localitiesPath: string): Promise<void> {
  await connection.run(
    `create temp table locality_states as
     select carrier, locality, state from read_csv(${sqlText(localitiesPath)}, header = true, all_varchar = true)
     union
     select carrier, locality, state from staged.gpcis where state is not null`,
  )
  for (const table of tables) {
    const from = async (known: string, condition: string) => {
      await connection.run(
        `update staged.${table} set state = known.state from ${known} as known
         where staged.${table}.state is null and staged.${table}.locality <> '' and ${condition}`,
      )
    }
    const sameCarrier = `known.carrier = staged.${table}.carrier`
    await from('locality_states', `${sameCarrier} and known.locality = staged.${table}.locality`)
    const nameless = await connection.runAndReadAll(
      `select distinct name from staged.${table} where state is null and locality <> ''`,
    )
    for (const [name] of nameless.getRows()) {
      const state = stateInName(String(name))
      if (state !== undefined)
        await connection.run(`update staged.${table} set state = $1 where state is null and name = $2`, [
          state,
          String(name),
        ])
    }
    await from(
      `(select year, carrier, min(state) as state from staged.${table} where state is not null
        group by year, carrier having count(distinct state) = 1)`,
      `known.year = staged.${table}.year and ${sameCarrier}`,
    )
  }
}

import type { DuckDBConnection } from '@duckdb/node-api'
import { taxonomyOf } from '../vocabulary/taxonomy.ts'
import { countOf, type EngineBounds } from './build.ts'
import type { Findings } from './findings.ts'
import type { BuildSource } from './pointer.ts'
import { createTableOf, locationColumns, mainColumnNames, otherNameColumns } from './tables.ts'

// Below this a load cannot be told from a small whole file; then what it does not mention stays.
const wholeFileRowsMin = 10_000
const wholeFileShare = 0.95

/** Makes `providers` of what came in and of the build before (attached as `current`). Returns how many there are. */
export async function mergeProviders(
  connection: DuckDBConnection,
  hasBefore: boolean,
  taken: readonly BuildSource[],
  findings: Findings,
  { rangeRows }: EngineBounds,
): Promise<number> {
  await checkIncoming(connection, taken, findings)
  await keepNewestIncoming(connection)
  const whole = hasBefore && (await isWholeFile(connection))
  await mergeSide(connection, 'other_names', 'incoming_names', otherNameColumns, hasBefore && !whole)
  await mergeSide(
    connection,
    'practice_locations',
    'incoming_locations',
    locationColumns,
    hasBefore && !whole,
  )
  await connection.run(
    `create temp table zip_places as
     select zip, first(state order by county) as state, list_distinct(list(county order by county)) as counties
     from zip_counties group by zip`,
  )
  await connection.run(
    `create temp table names_by_npi as
     select npi, list(distinct name order by name) as names from other_names group by npi order by npi`,
  )
  await connection.run(
    `create temp table locations_by_npi as
     select npi,
       list({'street': street, 'city': city, 'state': coalesce(l.state, z.state), 'zip': l.zip, 'phone': phone}
         order by street, city, l.zip) as locations,
       list(distinct coalesce(l.state, z.state) order by coalesce(l.state, z.state)) as states,
       list_distinct(flatten(list(z.counties))) as counties
     from practice_locations as l left join zip_places as z on z.zip = l.zip
     group by npi order by npi`,
  )
  await connection.run('create table staging.ordered as select * from staging.incoming order by npi')
  await connection.run('drop table staging.incoming')
  const nobody = { from: '0', through: '0' }
  await connection.run(`create table providers as ${providersSelect(hasBefore, nobody)} limit 0`)
  // Joining and sorting all at once would hold more than the engine may; what is in order already can be taken in ranges.
  for (const range of await npiRanges(connection, hasBefore, rangeRows))
    await connection.run(`insert into providers ${providersSelect(hasBefore, range)} order by m.npi`)
  return await countOf(connection, 'select count(*) from providers')
}

/** NPIs from one number through another, as texts. */
interface NpiRange {
  readonly from: string
  readonly through: string
}

/** Ranges of NPIs with about equally many providers. */
async function npiRanges(
  connection: DuckDBConnection,
  hasBefore: boolean,
  rows: number,
): Promise<NpiRange[]> {
  const older = hasBefore ? await countOf(connection, 'select count(*) from current.providers') : 0
  const incoming = await countOf(connection, 'select count(*) from staging.ordered')
  const larger = incoming >= older ? 'staging.ordered' : 'current.providers'
  const reader = await connection.runAndReadAll(
    `select npi::varchar from ${larger} where rowid % ${rows} = 0 and rowid > 0 order by npi`,
  )
  const cuts = reader.getRows().map(([npi]) => BigInt(String(npi)))
  return [...cuts, 1n << 63n].map((end, place) => ({
    from: String(cuts[place - 1] ?? 0n),
    through: String(end - 1n),
  }))
}

const within = (table: string, { from, through }: NpiRange) =>
  `${table}.npi between ${from}::ubigint and ${through}::ubigint`

/** What a deactivation tells; who the provider was must come from an earlier record. */
const told = new Set<string>(['npi', 'deactivated', 'deactivated_on', 'fresh_on', 'source'])

/** Incoming rows (with the details that an older record has where a deactivation says nothing), then the untouched older ones. */
function mergedSelect(hasBefore: boolean, range: NpiRange): string {
  const columns = (from: string) => mainColumnNames.map((name) => `${from}.${name}`).join(', ')
  const incoming = `(select * from staging.ordered where ${within('ordered', range)})`
  if (!hasBefore) return `select ${columns('i')} from ${incoming} as i`
  const older = `(select * from current.providers where ${within('providers', range)})`
  const filled = mainColumnNames
    .map((name) => (told.has(name) ? `i.${name}` : `coalesce(i.${name}, c.${name}) as ${name}`))
    .join(', ')
  return `select ${columns('i')} from ${incoming} as i where i.name is not null
    union all
    select ${filled} from ${incoming} as i left join ${older} as c on c.npi = i.npi where i.name is null
    union all
    select ${columns('c')} from ${older} as c where c.npi not in (select i.npi from ${incoming} as i)`
}

/** The columns of the directory, as they are documented. */
const providersSelect = (hasBefore: boolean, range: NpiRange) => `
  select m.npi, m.entity_type, m.name, m.last_name, m.first_name, m.middle_name, m.name_suffix,
    ${inOrder('coalesce(m.main_other_names, [])', 'n.names')} as other_names,
    m.credentials, m.primary_taxonomy,
    list_filter(coalesce(m.taxonomies, []), lambda code, place: list_position(m.taxonomies, code) = place) as taxonomies,
    m.street, m.city, coalesce(m.state, z.state) as state, m.zip, m.phone, m.country,
    coalesce(l.locations, []) as locations,
    ${inOrder('list_filter([coalesce(m.state, z.state)], lambda state: state is not null)', 'l.states')} as states,
    ${inOrder('coalesce(z.counties, [])', 'l.counties')} as counties,
    m.parent_organization, coalesce(m.deactivated, false) as deactivated, m.deactivated_on, m.replaced_by,
    m.enumerated_on, m.updated_on, m.fresh_on, m.main_other_names, m.source
  from (${mergedSelect(hasBefore, range)}) as m
  left join (select * from names_by_npi where ${within('names_by_npi', range)}) as n on n.npi = m.npi
  left join (select * from locations_by_npi where ${within('locations_by_npi', range)}) as l on l.npi = m.npi
  left join zip_places as z on z.zip = m.zip`

/** The first list, then what the second adds to it. */
const inOrder = (first: string, second: string) =>
  `case when ${second} is null then ${first}
     else ${first} || list_filter(${second}, lambda item: item is not null and not list_contains(${first}, item)) end`

/** Rows of a side file: an NPI that came in has all its rows from this load. */
async function mergeSide(
  connection: DuckDBConnection,
  table: string,
  incoming: string,
  columns: Readonly<Record<string, string>>,
  keepsOlder: boolean,
): Promise<void> {
  await connection.run(createTableOf(table, columns))
  await connection.run(
    `insert into ${table}
     select distinct on (${Object.keys(columns)
       .filter((name) => name !== 'source')
       .join(', ')}) *
     from staging.${incoming} where npi is not null order by all`,
  )
  const cameIn = (await countOf(connection, `select count(*) from ${table}`)) > 0
  if (keepsOlder || (!cameIn && (await hasCurrent(connection, table))))
    await connection.run(
      `insert into ${table} select * from current.${table} where npi not in (select npi from staging.${incoming} where npi is not null)`,
    )
}

const hasCurrent = async (connection: DuckDBConnection, table: string) =>
  (await countOf(
    connection,
    `select count(*) from duckdb_tables() where database_name = 'current' and table_name = '${table}'`,
  )) > 0

/** Whether a main file came that names nearly every provider of the directory: then side files of the load are whole, too. */
async function isWholeFile(connection: DuckDBConnection): Promise<boolean> {
  const before = await countOf(connection, 'select count(*) from current.providers')
  if (before < wholeFileRowsMin) return false
  const named = await countOf(
    connection,
    'select count(*) from current.providers where npi in (select npi from staging.incoming)',
  )
  return named >= before * wholeFileShare
}

/** Of several incoming rows of an NPI the one updated last stays; one that is older than the directory's own goes. */
async function keepNewestIncoming(connection: DuckDBConnection): Promise<void> {
  const rows = await countOf(connection, 'select count(*) from staging.incoming')
  const npis = await countOf(connection, 'select count(distinct npi) from staging.incoming')
  if (rows > npis) {
    await nameDeactivated(connection)
    await connection.run(
      `delete from staging.incoming where rowid not in (
         select arg_max(rowid, (coalesce(fresh_on, date '1900-01-01'), rowid)) from staging.incoming group by npi)`,
    )
  }
  if (await hasCurrent(connection, 'providers'))
    await connection.run(
      `delete from staging.incoming where exists (
         select 1 from current.providers as c where c.npi = incoming.npi and c.fresh_on > incoming.fresh_on)`,
    )
}

/** Gives a deactivation the details of the provider where they came in the same load. */
async function nameDeactivated(connection: DuckDBConnection): Promise<void> {
  const details = mainColumnNames.filter((name) => !told.has(name))
  await connection.run(
    `update staging.incoming as gone set ${details.map((name) => `${name} = coalesce(gone.${name}, known.${name})`).join(', ')}
     from (
       select * from staging.incoming
       where name is not null and npi in (select npi from staging.incoming where name is null)
       qualify row_number() over (partition by npi order by fresh_on desc nulls last, source desc) = 1
     ) as known
     where gone.name is null and gone.npi = known.npi`,
  )
}

/** What is odd in the rows that came in. Rows without an NPI are left out. */
async function checkIncoming(
  connection: DuckDBConnection,
  taken: readonly BuildSource[],
  findings: Findings,
): Promise<void> {
  const checks: readonly (readonly [
    condition: string,
    weight: 'note' | 'problem',
    says: string,
    column: string,
  ])[] = [
    ['npi is null', 'problem', 'rows without a ten-digit NPI are left out', 'NPI'],
    [
      `npi is not null and ${luhnSum} % 10 <> 0`,
      'note',
      'NPIs whose check digit does not hold; they are kept',
      'NPI',
    ],
    [
      'name is not null and entity_type is null',
      'note',
      'providers of no known entity type',
      'Entity Type Code',
    ],
    ['not deactivated and name is null', 'note', 'providers without a name', 'Provider Name'],
    [
      "not deactivated and country = 'US' and zip is null",
      'note',
      'providers without a five-digit ZIP code',
      'Provider Business Practice Location Address Postal Code',
    ],
  ]
  const reader = await connection.runAndReadAll(
    `select source, ${checks.map(([condition]) => `count(*) filter (where ${condition})`).join(', ')}
     from staging.incoming group by source order by source`,
  )
  const first = Number(
    (await connection.runAndReadAll('select min(source) from staging.incoming')).value(0, 0) ?? 0,
  )
  const mains = taken.filter(({ kind }) => kind === 'nppes-main' || kind === 'nppes-deactivations')
  let withoutNpi = 0
  for (const [index, row] of reader.getRows().entries()) {
    const name = mains[index]?.name ?? `source ${first + index}`
    for (const [check, [, weight, says, column]] of checks.entries()) {
      const count = Number(row[check + 1])
      if (count > 0) findings[weight](name, says, { column, count })
      if (check === 0) withoutNpi += count
    }
  }
  const specialties = await connection.runAndReadAll(
    'select primary_taxonomy, count(*) from staging.incoming where primary_taxonomy is not null group by all',
  )
  const unknown = specialties.getRows().filter(([code]) => taxonomyOf(String(code)) === undefined)
  if (unknown.length > 0)
    findings.note(
      mains[0]?.name ?? '',
      `primary specialties that are not in the taxonomy, such as ${String(unknown[0]?.[0])}; they are kept`,
      {
        column: 'Healthcare Provider Taxonomy Code',
        count: unknown.reduce((sum, [, count]) => sum + Number(count), 0),
      },
    )
  if (withoutNpi > 0) await connection.run('delete from staging.incoming where npi is null')
}

const digit = (place: number) => `(npi // ${10 ** place} % 10)`
const luhnSum = `(24 + ${Array.from({ length: 10 }, (_, place) =>
  place % 2 === 0 ? digit(place) : `(2 * ${digit(place)} // 10 + 2 * ${digit(place)} % 10)`,
).join(' + ')})`

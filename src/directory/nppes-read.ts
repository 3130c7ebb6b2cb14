import type { DuckDBConnection } from '@duckdb/node-api'
import { taxonomies } from '../vocabulary/taxonomy.ts'
import { sqlText } from './build.ts'
import type { Findings } from './findings.ts'
import type { NppesLayout } from './nppes-columns.ts'
import type { Progress } from './progress.ts'
import { mainColumnNames, type MainColumn } from './tables.ts'
import type { FileHead } from './text-file.ts'
import type { ReferenceFile } from './unpack.ts'

/** An NPPES file that is being read into the staging tables. */
export interface NppesFile {
  readonly file: ReferenceFile
  readonly head: FileHead
  readonly layout: NppesLayout
  readonly source: number
  readonly findings: Findings
  readonly progress: Progress
}

const missing = 'null::varchar'
const taxonomyCount = 15
const rejectsMax = 1_000

/** The rows of a file as texts c0, c1, …: every value trimmed of nothing, every bad row in `rejected`. */
const rowsOf = ({ file, head, layout }: NppesFile) =>
  `read_csv(${sqlText(file.path)}, auto_detect = false, header = false, skip = ${layout.skip}, delim = '${head.delimiter}',
     quote = '"', escape = '"', encoding = '${file.encoding}', ignore_errors = true, store_rejects = true,
     rejects_table = 'rejected', rejects_scan = 'rejected_scans', rejects_limit = ${rejectsMax},
     columns = {${layout.headings.map((_, index) => `c${index}: 'varchar'`).join(', ')}})`

/** SQL for a column under any of its names, empty as null. Files that went through a spreadsheet write 1.0 for 1. */
function cellOf(layout: NppesLayout) {
  return (...names: readonly string[]) => {
    const place = layout.at(...names)
    return place === undefined ? missing : `nullif(trim(c${place}), '')`
  }
}

// Plain text functions: regular expressions over nine million rows cost more than the reading itself.
const whole = (text: string) => `case when ends_with(${text}, '.0') then ${text}[:-3] else ${text} end`
const digitsOf = (text: string) => `translate(${whole(text)}, '()-.+/ ', '')`
const dateOf = (text: string) =>
  text === missing ? 'null::date' : `try_strptime(${text}, ['%m/%d/%Y', '%Y-%m-%d'])::date`
const npiOf = (text: string) =>
  text === missing
    ? 'null::ubigint'
    : `case when try_cast(${whole(text)} as ubigint) between 1000000000 and 9999999999 then try_cast(${whole(text)} as ubigint) end`
const phoneOf = (text: string) => (text === missing ? missing : `nullif(${digitsOf(text)}, '')`)
const isHome = (country: string) =>
  country === missing ? 'true' : `coalesce(upper(${country}) = 'US', true)`

/** Five digits of a postal code; leading zeroes that a spreadsheet dropped are put back. */
function zipOf(text: string, country: string): string {
  const digits = digitsOf(text)
  return `case when not ${isHome(country)} then null
    when length(${text}) in (5, 9) and try_cast(${text} as ubigint) is not null then left(${text}, 5)
    when try_cast(${digits} as ubigint) is not null then
      case length(${digits}) when 9 then left(${digits}, 5) when 5 then ${digits} when 8 then '0' || left(${digits}, 4)
        when 4 then '0' || ${digits} when 7 then '00' || left(${digits}, 3) when 3 then '00' || ${digits} end end`
}

const stateOf = (text: string, country: string) =>
  `case when ${isHome(country)} and length(${text}) = 2 and upper(${text}) between 'AA' and 'ZZ' then upper(${text}) end`

/** Reads the main file: one row per provider into `staging.incoming`. */
export async function readMain(connection: DuckDBConnection, nppes: NppesFile): Promise<number> {
  const { layout } = nppes
  const cell = cellOf(layout)
  const practice = (part: string) => cell(`Provider Business Practice Location Address ${part}`)
  const country = practice('Country Code (If outside U.S.)')
  const codes = Array.from({ length: taxonomyCount }, (_, index) =>
    cell(`Healthcare Provider Taxonomy Code_${index + 1}`),
  )
  const switches = Array.from({ length: taxonomyCount }, (_, index) =>
    cell(`Healthcare Provider Primary Taxonomy Switch_${index + 1}`),
  )
  const given = codes.filter((code) => code !== missing)
  const spelt = taxonomyIsSpelt(nppes)
  if (spelt) await createTaxonomyNames(connection)
  const taxonomyList = spelt ? `[taxonomy_names.code]` : `[${given.join(', ')}]`
  const marked = switches
    .map((mark, index) => (mark === missing ? '' : `when ${mark} = 'Y' then ${codes[index]}`))
    .join(' ')
  const organization = cell('Provider Organization Name (Legal Business Name)')
  const entity = cell('Entity Type Code')
  const deactivated = dateOf(cell('NPI Deactivation Date'))
  const reactivated = dateOf(cell('NPI Reactivation Date'))
  const updated = dateOf(cell('Last Update Date'))
  const person = (...parts: readonly string[]) => `nullif(concat_ws(' ', ${parts.join(', ')}), '')`
  const expressions: Record<MainColumn, string> = {
    npi: npiOf(cell('NPI')),
    entity_type:
      entity === missing
        ? `case when ${organization} is null then 'individual' else 'group' end`
        : `case ${whole(entity)} when '1' then 'individual' when '2' then 'group' end`,
    name: `coalesce(${organization}, ${person(
      cell('Provider First Name'),
      cell('Provider Middle Name'),
      cell('Provider Last Name (Legal Name)'),
      cell('Provider Name Suffix Text'),
    )})`,
    last_name: cell('Provider Last Name (Legal Name)'),
    first_name: cell('Provider First Name'),
    middle_name: cell('Provider Middle Name'),
    name_suffix: cell('Provider Name Suffix Text'),
    main_other_names: `list_filter([${cell('Provider Other Organization Name')}, ${person(
      cell('Provider Other First Name'),
      cell('Provider Other Middle Name'),
      cell('Provider Other Last Name'),
      cell('Provider Other Name Suffix Text'),
    )}], lambda name: name is not null)`,
    credentials: cell('Provider Credential Text'),
    primary_taxonomy: spelt
      ? 'taxonomy_names.code'
      : given.length === 0
        ? 'null'
        : `coalesce(${marked === '' ? 'null' : `case ${marked} end`}, ${given.join(', ')})`,
    taxonomies:
      given.length === 0 ? '[]::varchar[]' : `list_filter(${taxonomyList}, lambda code: code is not null)`,
    street: `nullif(concat_ws(' ', ${cell('Provider First Line Business Practice Location Address', 'Full Street Address')}, ${cell('Provider Second Line Business Practice Location Address')}), '')`,
    city: practice('City Name'),
    state: stateOf(practice('State Name'), country),
    zip: zipOf(practice('Postal Code'), country),
    phone: phoneOf(practice('Telephone Number')),
    country: `coalesce(${country}, 'US')`,
    parent_organization: cell('Parent Organization LBN'),
    deactivated: `${deactivated} is not null and coalesce(${reactivated} < ${deactivated}, true)`,
    deactivated_on: deactivated,
    replaced_by: npiOf(cell('Replacement NPI')),
    enumerated_on: dateOf(cell('Provider Enumeration Date')),
    updated_on: updated,
    fresh_on: `greatest(${updated}, ${deactivated}, ${reactivated})::date`,
    source: String(nppes.source),
  }
  return await insertRows(
    connection,
    nppes,
    'incoming',
    `select ${mainColumnNames.map((name) => `${expressions[name]} as ${name}`).join(', ')}
     from ${rowsOf(nppes)} ${spelt ? `left join taxonomy_names on taxonomy_names.name = upper(${codes[0]})` : ''}`,
  )
}

/** A re-cut of the file spells the specialty out where the code should stand. */
function taxonomyIsSpelt({ head, layout }: NppesFile): boolean {
  const place = layout.at('Healthcare Provider Taxonomy Code_1')
  if (place === undefined) return false
  const texts = head.records.slice(1).flatMap(({ cells }) => cells[place] || [])
  return texts.length > 0 && texts.every((text) => !/^[0-9A-Z]{9}X$/.test(text))
}

async function createTaxonomyNames(connection: DuckDBConnection): Promise<void> {
  const names = new Map<string, string>()
  for (const { code, name, classification, specialization } of taxonomies) {
    if (specialization === '' && !names.has(classification.toUpperCase()))
      names.set(classification.toUpperCase(), code)
    if (!names.has(name.toUpperCase())) names.set(name.toUpperCase(), code)
  }
  const values = [...names].map(([name, code]) => `(${sqlText(name)}, '${code}')`).join(', ')
  await connection.run(
    `create or replace temp table taxonomy_names as select * from (values ${values}) as names (name, code)`,
  )
}

/** Reads further names of organisations into `staging.incoming_names`. */
export async function readOtherNames(connection: DuckDBConnection, nppes: NppesFile): Promise<number> {
  const cell = cellOf(nppes.layout)
  return await insertRows(
    connection,
    nppes,
    'incoming_names',
    `select ${npiOf(cell('NPI'))}, ${cell('Provider Other Organization Name')}, ${cell('Provider Other Organization Name Type Code')}, ${nppes.source}
     from ${rowsOf(nppes)}`,
  )
}

/** Reads secondary practice locations into `staging.incoming_locations`. */
export async function readLocations(connection: DuckDBConnection, nppes: NppesFile): Promise<number> {
  const cell = cellOf(nppes.layout)
  const part = (name: string) =>
    cell(
      `Provider Secondary Practice Location Address - ${name}`,
      `Provider Secondary Practice Location Address ${name}`,
    )
  const country = part('Country Code (If outside U.S.)')
  return await insertRows(
    connection,
    nppes,
    'incoming_locations',
    `select ${npiOf(cell('NPI'))}, nullif(concat_ws(' ', ${part('Address Line 1')}, ${part('Address Line 2')}), ''), ${part('City Name')},
       ${stateOf(part('State Name'), country)}, ${zipOf(part('Postal Code'), country)}, coalesce(${country}, 'US'),
       ${phoneOf(part('Telephone Number'))}, ${nppes.source}
     from ${rowsOf(nppes)}`,
  )
}

/** Reads the report of deactivated NPIs as providers of which nothing else is said. */
export async function readDeactivations(connection: DuckDBConnection, nppes: NppesFile): Promise<number> {
  const { layout } = nppes
  const text = cellOf(layout)(layout.headings.find((heading) => /DEACTIVATION DATE/.test(heading)) ?? '')
  // The report is a workbook; one that was edited has its dates as days since 1899-12-30.
  const date = `coalesce(${dateOf(text)}, date '1899-12-30' + try_cast(${text} as integer))`
  return await insertRows(
    connection,
    nppes,
    'incoming (npi, deactivated, deactivated_on, fresh_on, source)',
    `select ${npiOf(cellOf(layout)('NPI'))}, true, ${date}, ${date}, ${nppes.source} from ${rowsOf(nppes)}`,
  )
}

/** Runs the insertion, tells its progress, and turns what the reader refused into findings. */
async function insertRows(
  connection: DuckDBConnection,
  { file, findings, progress }: NppesFile,
  table: string,
  select: string,
): Promise<number> {
  const ticker = setInterval(
    () =>
      progress({
        stage: 'read',
        file: file.name,
        done: Math.max(0, connection.progress.percentage),
        of: 100,
      }),
    1_000,
  )
  try {
    const result = await connection.run(`insert into staging.${table} ${select}`)
    await noteRejected(connection, file, findings)
    return result.rowsChanged
  } finally {
    clearInterval(ticker)
  }
}

async function noteRejected(
  connection: DuckDBConnection,
  file: ReferenceFile,
  findings: Findings,
): Promise<void> {
  const reader = await connection.runAndReadAll(
    'select min(line)::varchar as line, error_type::varchar as error, column_name as col, count(*)::varchar as times from rejected group by error_type, column_name order by 1',
  )
  for (const [line, error, column, times] of reader.getRows() as string[][])
    findings.problem(file.name, `lines that cannot be read as a row are left out (${error?.toLowerCase()})`, {
      line: Number(line),
      column: column === null ? undefined : column,
      count: Number(times),
    })
  for (const table of ['rejected', 'rejected_scans']) await connection.run(`drop table if exists ${table}`)
}

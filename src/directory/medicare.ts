import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  createTable,
  medicareKeys,
  medicareTableNames,
  TableWriter,
  type MedicareTable,
} from '../medicare/tables.ts'
import { anesthesiaFactorsFile, gpciFile } from './locality-files.ts'
import { aspFile } from './asp-file.ts'
import {
  attachCurrent,
  buildId,
  countOf,
  createSources,
  insertSource,
  openDraft,
  publishDraft,
  removeDraft,
} from './build.ts'
import { Findings } from './findings.ts'
import { nothingTaken, runLoad, type Load, type Loaded, type LoadOptions, type LoadReport } from './load.ts'
import {
  releaseOf,
  yearOf,
  type MedicareFile,
  type MedicareReader,
  type RowSink,
  type Told,
} from './medicare-file.ts'
import { fillStates } from './locality-states.ts'
import { msDrgFile } from './ms-drg-file.ts'
import { oppsCapFile } from './opps-cap-file.ts'
import type { BuildSource } from './pointer.ts'
import { relativeValuesFile } from './relative-values-file.ts'
import { baseUnitsFile, codeGroupsFile, conversionFactorsFile } from './small-medicare-files.ts'
import { headOfText } from './text-file.ts'
import { noteOther } from './other-medicare-files.ts'
import { unpacked } from './unpack.ts'
import { zipLocalityFile } from './zip-locality-file.ts'

/** Every kind of Medicare file that is read, in the order in which a file is tried. */
const readers: readonly MedicareReader[] = [
  conversionFactorsFile,
  anesthesiaFactorsFile,
  gpciFile,
  relativeValuesFile,
  oppsCapFile,
  aspFile,
  msDrgFile,
  zipLocalityFile,
  codeGroupsFile,
  baseUnitsFile,
]

export interface MedicareLoadOptions extends LoadOptions, Told {}

const factsFolder = join(import.meta.dirname, '..', '..', 'data')
const shipped = 'shipped '

/** Loads Medicare files of any years and kinds together, over what is loaded already. The facts in `data/` lie beneath. */
export async function loadMedicare(
  dataFolder: string,
  sources: readonly string[],
  options: MedicareLoadOptions = {},
): Promise<LoadReport> {
  return await runLoad(dataFolder, 'medicare', sources, options, (load) =>
    build(load, options, sources.length > 0),
  )
}

async function build(load: Load, told: Told, expectsFiles: boolean): Promise<Loaded> {
  const { folder, findings } = load
  const draft = await openDraft(folder, 'medicare')
  const { connection } = draft
  try {
    await connection.run('create schema staged')
    for (const table of medicareTableNames) await connection.run(createTable(table, 'staged'))
    await connection.run(createSources)
    const before = await attachCurrent(folder, 'medicare', connection)
    const kept = (before?.sources ?? []).filter(({ kind }) => !kind.startsWith(shipped))
    const all: BuildSource[] = []
    const add = async (id: number, source: BuildSource) => {
      all.push(source)
      await insertSource(connection, id, source)
    }
    const writers = await openWriters(connection)
    for (const path of factFiles()) {
      for await (const file of unpacked(path, load.work, findings, load.progress)) {
        const facts = { file, head: await headOfText(file), findings: new Findings(), told: {} }
        const reader = readers.find((candidate) => candidate.recognises(facts))
        const taken = reader && (await readInto(writers, all.length + 1, reader, facts))
        if (taken !== undefined) await add(all.length + 1, { ...taken, kind: `${shipped}${taken.kind}` })
      }
    }
    const factSources = all.length
    // The greater number wins where two sources state a fact: shipped facts, the build before, this load.
    const firstNew = factSources + kept.length + 1
    const now: BuildSource[] = []
    let again = 0
    const known = new Set(kept.map(identity))
    for await (const file of load.files()) {
      const medicare: MedicareFile = { file, head: await headOfText(file), findings, told }
      const reader = readers.find((candidate) => candidate.recognises(medicare))
      if (reader === undefined) {
        noteOther(medicare, readers)
        continue
      }
      const same = { name: file.name, kind: reader.kind, digest: digestOf(medicare), rows: 0 }
      if (known.has(identity(same))) {
        again++
        findings.note(file.name, 'the same file was loaded before')
        continue
      }
      known.add(identity(same))
      const taken = await readInto(writers, firstNew + now.length, reader, medicare)
      if (taken !== undefined) now.push({ ...taken, digest: same.digest })
    }
    for (const writer of writers.values()) writer.close()
    if (expectsFiles && now.length + again === 0) throw nothingTaken(findings)
    for (const [index, source] of kept.entries()) await add(factSources + 1 + index, source)
    for (const [index, source] of now.entries()) await add(firstNew + index, source)
    if (before?.build === buildId('medicare', all)) {
      draft.close()
      await removeDraft(draft.path)
      return { entry: before, changed: false, sources: now, counts: {} }
    }
    if (before !== undefined) await copyBefore(connection, kept, factSources)
    const counts = await finish(connection, load, factSources)
    if (before !== undefined) await connection.run('detach current')
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const origin = all.length > factSources ? 'official' : 'demo'
    load.progress({ stage: 'publish' })
    const entry = await publishDraft(folder, 'medicare', draft, { origin, rows, sources: all })
    return { entry, changed: true, sources: now, counts }
  } catch (error) {
    draft.close()
    await removeDraft(draft.path)
    throw error
  }
}

const identity = ({ kind, digest }: BuildSource) => `${kind} ${digest}`

/** The same bytes for another year or release are another source: CMS issues unchanged tables anew under a new name. */
const digestOf = (medicare: MedicareFile) =>
  [medicare.file.digest, yearOf(medicare), releaseOf(medicare)].filter((part) => part !== undefined).join(' ')

const factFiles = () =>
  readdirSync(factsFolder)
    .filter((name) => /^medicare-.*\.csv$/.test(name) && name !== 'medicare-localities.csv')
    .sort()
    .map((name) => join(factsFolder, name))

type Writers = ReadonlyMap<MedicareTable, TableWriter<MedicareTable>>

async function openWriters(connection: DuckDBConnection): Promise<Writers> {
  const writers = new Map<MedicareTable, TableWriter<MedicareTable>>()
  for (const table of medicareTableNames)
    writers.set(table, await TableWriter.open(connection, table, 'staged'))
  return writers
}

/** Reads a file's rows into the staged tables under a source number. */
async function readInto(
  writers: Writers,
  source: number,
  reader: MedicareReader,
  medicare: MedicareFile,
): Promise<BuildSource | undefined> {
  let rows = 0
  const sink: RowSink = {
    append(table, row) {
      rows++
      writers.get(table)?.append({ ...row, source })
    },
  }
  await reader.read(medicare, sink)
  if (rows === 0) {
    medicare.findings.problem(medicare.file.name, `read as ${reader.kind}, but no row could be taken`)
    return undefined
  }
  return { name: medicare.file.name, kind: reader.kind, digest: medicare.file.digest, rows }
}

/** Rows of the build before, with their sources renumbered. */
async function copyBefore(
  connection: DuckDBConnection,
  kept: readonly BuildSource[],
  offset: number,
): Promise<void> {
  await connection.run('create temp table renumbered (old usmallint, new usmallint)')
  for (const [index, { kind, digest }] of kept.entries())
    await connection.run(
      'insert into renumbered select id, $1::usmallint from current.sources where kind = $2 and digest = $3',
      [offset + index + 1, kind, digest],
    )
  for (const table of medicareTableNames)
    await connection.run(
      `insert into staged.${table} select old_rows.* replace (renumbered.new as source)
       from current.${table} as old_rows join renumbered on renumbered.old = old_rows.source`,
    )
}

// Which official rows make a shipped fact superfluous: those of the same table and period.
const periodColumn: Record<MedicareTable, string> = {
  relative_values: 'year',
  gpcis: 'year',
  conversion_factors: 'year',
  anesthesia_factors: "year || (locality = '')",
  anesthesia_base_units: 'year',
  opps_caps: 'year',
  asp_limits: 'year * 10 + quarter',
  ms_drg_weights: 'fiscal_year',
  zip_localities: 'true',
  code_groups: 'true',
}

/** Settles the staged rows into the final tables: one row per fact, the later source first, sorted for look-up. */
async function finish(
  connection: DuckDBConnection,
  { findings, progress }: Load,
  factSources: number,
): Promise<Record<string, number>> {
  progress({ stage: 'merge' })
  await fillStates(connection, join(factsFolder, 'medicare-localities.csv'))
  await addFactorsOfFiles(connection)
  // No file prints the work adjusters and the kinds of participants: the shipped list stays where it knows a year.
  await connection.run(
    `delete from staged.conversion_factors where source > ${factSources}
     and year in (select year from staged.conversion_factors where source <= ${factSources})`,
  )
  const counts: Record<string, number> = {}
  for (const table of medicareTableNames) {
    const keys = medicareKeys[table].join(', ')
    const period = periodColumn[table]
    await connection.run(
      `delete from staged.${table} where source <= ${factSources} and '${table}' <> 'conversion_factors'
       and ${period} in (select ${period} from staged.${table} where source > ${factSources})`,
    )
    await connection.run(
      `create table ${table} as select * from staged.${table}
       qualify row_number() over (partition by ${keys} order by source desc, rowid desc) = 1
       order by ${keys}`,
    )
    counts[table] = await countOf(connection, `select count(*) from ${table}`)
  }
  const stateless = await countOf(connection, 'select count(*) from gpcis where state is null')
  if (stateless > 0)
    findings.problem('', 'localities without a known state are in no state average', {
      column: 'state',
      count: stateless,
    })
  await connection.run('drop schema staged cascade')
  return counts
}

/** A year of which no conversion factor is known takes the one its relative value file prints. */
async function addFactorsOfFiles(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `insert into staged.conversion_factors
     select year, make_date(year, 1, 1), make_date(year, 12, 31), participant, factor, 1.0, any_value(source)
     from (
       select year, conversion_factor as factor, source,
         case when name ilike '%nonqpp%' then 'non-qualifying' when name ilike '%qpp%' then 'qualifying' else 'all' end as participant
       from staged.relative_values join sources on sources.id = relative_values.source
       where conversion_factor is not null
       and year not in (select year from staged.conversion_factors)
     )
     group by year, participant, factor`,
  )
}

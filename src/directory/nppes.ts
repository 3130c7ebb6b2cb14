import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  attachCurrent,
  countOf,
  createSources,
  engineBounds,
  insertSource,
  openDraft,
  publishDraft,
  removeDraft,
  sqlText,
  type EngineBounds,
} from './build.ts'
import {
  nothingTaken,
  noteUnknown,
  runLoad,
  type Load,
  type Loaded,
  type LoadOptions,
  type LoadReport,
} from './load.ts'
import { nppesLayout, noteColumns, type NppesKind } from './nppes-columns.ts'
import { mergeProviders } from './nppes-merge.ts'
import { readDeactivations, readLocations, readMain, readOtherNames, type NppesFile } from './nppes-read.ts'
import type { BuildSource, DatasetEntry } from './pointer.ts'
import { createTableOf, locationColumns, mainColumns, otherNameColumns } from './tables.ts'
import { headOfText } from './text-file.ts'
import { createZipCounties } from './zip-counties.ts'

export interface NppesLoadOptions extends LoadOptions {
  /** Begin with an empty directory instead of merging into the loaded one. */
  readonly replace?: boolean
  /** The synthetic providers of the demo: the first official load takes their place. */
  readonly demo?: boolean
  readonly bounds?: EngineBounds
}

const readers: Record<
  Exclude<NppesKind, 'endpoints'>,
  (connection: DuckDBConnection, file: NppesFile) => Promise<number>
> = {
  main: readMain,
  'other-names': readOtherNames,
  locations: readLocations,
  deactivations: readDeactivations,
}

/**
 * Loads NPPES files (the monthly file, weekly increments, other names, practice locations, deactivations, in any
 * mixture) and merges them into the loaded directory: of two records of an NPI the one updated later stays.
 */
export async function loadNppes(
  dataFolder: string,
  sources: readonly string[],
  options: NppesLoadOptions = {},
): Promise<LoadReport> {
  return await runLoad(dataFolder, 'providers', sources, options, (load) => build(load, options))
}

async function build(
  load: Load,
  { replace = false, demo = false, bounds = engineBounds }: NppesLoadOptions,
): Promise<Loaded> {
  const { folder, findings } = load
  const draft = await openDraft(folder, 'providers', bounds)
  const { connection } = draft
  const stagingPath = draft.path.replace(/\.duckdb$/, '.staging')
  const cleanUp = async () => {
    draft.close()
    await removeDraft(draft.path)
    await removeStaging(stagingPath)
  }
  try {
    await removeStaging(stagingPath)
    await connection.run(`attach ${sqlText(stagingPath)} as staging`)
    await connection.run(createTableOf('staging.incoming', mainColumns))
    await connection.run(createTableOf('staging.incoming_names', otherNameColumns))
    await connection.run(createTableOf('staging.incoming_locations', locationColumns))
    await connection.run(createSources)
    await createZipCounties(connection)
    const loaded = await attachCurrent(folder, 'providers', connection)
    const before =
      loaded !== undefined && !replace && (loaded.origin === 'official' || demo) ? loaded : undefined
    const all: BuildSource[] = [...(before?.sources ?? [])]
    const { taken, again } = await readFiles(load, connection, all)
    if (taken.length === 0 && before !== undefined && again > 0) {
      await cleanUp()
      return { entry: before, changed: false, sources: [] }
    }
    if (taken.length === 0) throw nothingTaken(findings)
    all.push(...taken)
    load.progress({ stage: 'merge' })
    for (const [index, source] of all.entries()) await insertSource(connection, index + 1, source)
    const rows = await mergeProviders(connection, before !== undefined, taken, findings, bounds)
    const counts = await countsOf(connection)
    if (loaded !== undefined) await connection.run('detach current')
    await connection.run('detach staging')
    await removeStaging(stagingPath)
    load.progress({ stage: 'publish' })
    const origin: DatasetEntry['origin'] = demo ? 'demo' : 'official'
    const entry = await publishDraft(folder, 'providers', draft, { origin, rows, sources: all })
    return { entry, changed: true, sources: taken, counts }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

/** Reads every file that the directory does not hold yet; what it holds is merged already, and merging again changes nothing. */
async function readFiles(
  load: Load,
  connection: DuckDBConnection,
  before: readonly BuildSource[],
): Promise<{ taken: BuildSource[]; again: number }> {
  const { findings, progress } = load
  const taken: BuildSource[] = []
  let again = 0
  for await (const file of load.files()) {
    const head = await headOfText(file)
    const layout = nppesLayout(head)
    if (layout === undefined) {
      noteUnknown(findings, file, 'NPPES main, other names, practice locations, deactivations')
      continue
    }
    if (layout.isEmpty) continue
    if (layout.kind === 'endpoints') {
      findings.note(file.name, 'electronic endpoints are not part of the directory; the file was not taken')
      continue
    }
    const kind = `nppes-${layout.kind}`
    if ([...before, ...taken].some((source) => source.kind === kind && source.digest === file.digest)) {
      again++
      findings.note(file.name, 'the same file was loaded before')
      continue
    }
    if (layout.kind === 'main') noteColumns(findings, file.name, layout)
    const source = before.length + taken.length + 1
    const rows = await readers[layout.kind](connection, { file, head, layout, source, findings, progress })
    if (rows > 0) taken.push({ name: file.name, kind, digest: file.digest, rows })
    else findings.problem(file.name, 'no row could be taken')
  }
  return { taken, again }
}

async function removeStaging(path: string): Promise<void> {
  for (const file of [path, `${path}.wal`]) await rm(file, { force: true })
}

async function countsOf(connection: DuckDBConnection): Promise<Record<string, number>> {
  const count = async (condition: string) =>
    await countOf(connection, `select count(*) from providers where ${condition}`)
  return {
    individuals: await count("entity_type = 'individual' and not deactivated"),
    groups: await count("entity_type = 'group' and not deactivated"),
    deactivated: await count('deactivated'),
    withCounty: await count('len(counties) > 0'),
    withOtherNames: await count('len(other_names) > 0'),
    withSecondaryLocations: await count('len(locations) > 0'),
  }
}

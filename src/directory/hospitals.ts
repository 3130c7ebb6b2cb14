import { rm, writeFile } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  attachCurrent,
  buildId,
  createSources,
  insertSource,
  openDraft,
  publishDraft,
  removeDraft,
  sqlText,
} from './build.ts'
import {
  hospitalInputOf,
  readHospitalFile,
  type HospitalInput,
  type HospitalInputs,
} from './hospital-files.ts'
import { hospitalRows } from './hospital-rows.ts'
import {
  nothingTaken,
  noteUnknown,
  runLoad,
  type Load,
  type Loaded,
  type LoadOptions,
  type LoadReport,
} from './load.ts'
import type { BuildSource } from './pointer.ts'
import { hospitalColumns } from './tables.ts'
import { headOfText } from './text-file.ts'

export interface HospitalLoadOptions extends LoadOptions {
  readonly demo?: boolean
}

/**
 * Loads CMS's hospital list, the Medicare enrolments of hospitals and a list of beds and health systems, in any
 * mixture. A kind of list that comes again replaces its older self; the others stay as they were loaded.
 */
export async function loadHospitals(
  dataFolder: string,
  sources: readonly string[],
  options: HospitalLoadOptions = {},
): Promise<LoadReport> {
  return await runLoad(dataFolder, 'hospitals', sources, options, (load) => build(load, options))
}

const inputKinds: readonly HospitalInput[] = ['general', 'enrolments', 'systems']

async function build(load: Load, { demo = false }: HospitalLoadOptions): Promise<Loaded> {
  const { folder, findings } = load
  const inputs: HospitalInputs = { general: [], enrolments: [], systems: [] }
  const taken: BuildSource[] = []
  for await (const file of load.files()) {
    const head = await headOfText(file)
    const kind = hospitalInputOf(head)
    if (kind === undefined) {
      noteUnknown(
        findings,
        file,
        'Hospital General Information, hospital enrolments, beds and health systems',
      )
      continue
    }
    const rows = await readHospitalFile(file, head, kind, inputs, findings)
    if (rows > 0) taken.push({ name: file.name, kind: `hospitals-${kind}`, digest: file.digest, rows })
    else findings.problem(file.name, 'no row could be taken')
  }
  if (taken.length === 0) throw nothingTaken(findings)
  const draft = await openDraft(folder, 'hospitals')
  const { connection } = draft
  try {
    const loaded = await attachCurrent(folder, 'hospitals', connection)
    const before = loaded !== undefined && (loaded.origin === 'official' || demo) ? loaded : undefined
    const came = new Set(taken.map(({ kind }) => kind))
    const kept = (before?.sources ?? []).filter(({ kind }) => !came.has(kind))
    const all = [...kept, ...taken]
    if (before?.build === buildId('hospitals', all)) {
      draft.close()
      await removeDraft(draft.path)
      return { entry: before, changed: false, sources: taken }
    }
    if (before !== undefined)
      for (const kind of inputKinds)
        if (!came.has(`hospitals-${kind}`)) await readInputs(connection, kind, inputs)
    load.progress({ stage: 'merge' })
    const { rows, counts } = hospitalRows(inputs)
    const inputRows = inputKinds.flatMap((kind) =>
      inputs[kind].map((row) => ({ kind, line: JSON.stringify(row) })),
    )
    await createFrom(
      connection,
      draft.path,
      'inputs',
      { kind: 'varchar', line: 'varchar' },
      inputRows,
      'kind',
    )
    await createFrom(connection, draft.path, 'hospitals', hospitalColumns, rows, 'ccn')
    await connection.run(createSources)
    for (const [index, source] of all.entries()) await insertSource(connection, index + 1, source)
    if (loaded !== undefined) await connection.run('detach current')
    load.progress({ stage: 'publish' })
    const entry = await publishDraft(folder, 'hospitals', draft, {
      origin: demo ? 'demo' : 'official',
      rows: rows.length,
      sources: all,
    })
    return { entry, changed: true, sources: taken, counts }
  } catch (error) {
    draft.close()
    await removeDraft(draft.path)
    throw error
  }
}

/** A list of the build before, as it was read then. */
async function readInputs(
  connection: DuckDBConnection,
  kind: HospitalInput,
  inputs: HospitalInputs,
): Promise<void> {
  const reader = await connection.runAndReadAll(
    'select line from current.inputs where kind = $1 order by rowid',
    [kind],
  )
  for (const [line] of reader.getRows()) inputs[kind].push(JSON.parse(String(line)) as never)
}

/** Makes a table of rows held in memory, by way of a file of JSON lines. */
export async function createFrom(
  connection: DuckDBConnection,
  draftPath: string,
  table: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly object[],
  order: string,
): Promise<void> {
  const lines = `${draftPath}.${table}.ndjson`
  await writeFile(lines, rows.map((row) => JSON.stringify(row)).join('\n'))
  const types = Object.entries(columns).map(([name, type]) => `${name}: ${sqlText(type)}`)
  await connection.run(
    `create table ${table} as select * from read_json(${sqlText(lines)}, format = 'newline_delimited',
       maximum_object_size = 16777216, columns = {${types.join(', ')}}) order by ${order}`,
  )
  await rm(lines)
}

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { synced } from '../files/kept-file.ts'
import {
  buildsFolder,
  publishDataset,
  readPointer,
  workFolder,
  type BuildSource,
  type DatasetEntry,
  type DatasetName,
} from './pointer.ts'

/** Raised when the meaning or the layout of the tables changes, so that the same sources make another build. */
const buildFormat = 1

export interface EngineBounds {
  readonly memory: string
  readonly threads: number
  /** How many providers are joined and sorted at once. */
  readonly rangeRows: number
}

/** What a load may use: sorting and joining beyond this spills to the work folder. */
export const engineBounds: EngineBounds = { memory: '512MB', threads: 2, rangeRows: 250_000 }

/** A build that is being made: a DuckDB file in the work folder that nobody reads yet. */
export interface Draft {
  readonly path: string
  readonly connection: DuckDBConnection
  close(): void
}

export async function openDraft(
  folder: string,
  dataset: DatasetName,
  { memory, threads }: EngineBounds = engineBounds,
): Promise<Draft> {
  const work = workFolder(folder)
  const path = join(work, `${dataset}-${process.pid}.duckdb`)
  await removeDraft(path)
  const spill = join(work, `${dataset}-${process.pid}.spill`)
  const instance = await DuckDBInstance.create(path, {
    memory_limit: memory,
    threads: String(threads),
    temp_directory: spill,
  })
  const connection = await instance.connect()
  return {
    path,
    connection,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

export async function removeDraft(path: string): Promise<void> {
  for (const file of [path, `${path}.wal`, path.replace(/\.duckdb$/, '.spill')])
    await rm(file, { force: true, recursive: true })
}

/** The current build of a dataset, attached read-only as `current`; undefined where there is none. */
export async function attachCurrent(
  folder: string,
  dataset: DatasetName,
  connection: DuckDBConnection,
): Promise<DatasetEntry | undefined> {
  const entry = (await readPointer(folder)).datasets[dataset]
  if (entry === undefined || !existsSync(join(folder, entry.file))) return undefined
  await connection.run(`attach ${sqlText(join(folder, entry.file))} as current (read_only)`)
  return entry
}

/** A text literal, for the statements (ATTACH, COPY) that take no bound values. */
export const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * The same sources make the same id, from whatever archive they came. Providers keep the record updated last, so their
 * order does not matter; of two Medicare files that state the same fact the later loaded wins, so theirs does.
 */
export function buildId(dataset: DatasetName, sources: readonly BuildSource[]): string {
  const hash = createHash('sha256').update(`${dataset} ${buildFormat}`)
  const lines = [...new Set(sources.map(({ kind, digest }) => `${kind} ${digest}`))]
  for (const line of dataset === 'medicare' ? lines : lines.sort()) hash.update(`\n${line}`)
  return `${dataset}-${hash.digest('hex').slice(0, 12)}`
}

/** Closes a finished draft, makes it durable under its id, and points the directory at it. */
export async function publishDraft(
  folder: string,
  dataset: DatasetName,
  draft: Draft,
  facts: Pick<DatasetEntry, 'origin' | 'rows' | 'sources'>,
): Promise<DatasetEntry> {
  await draft.connection.run('checkpoint')
  draft.close()
  const build = buildId(dataset, facts.sources)
  const made = `${draft.path}.build`
  await rm(made, { recursive: true, force: true })
  await mkdir(made)
  const file = join(made, `${dataset}.duckdb`)
  await rename(draft.path, file)
  await synced(file)
  await synced(made)
  const place = join(buildsFolder(folder), build)
  // The same sources were built before: the older copy may be in use, and says the same.
  if (existsSync(place)) await rm(made, { recursive: true, force: true })
  else await rename(made, place)
  await synced(buildsFolder(folder))
  await removeDraft(draft.path)
  const entry: DatasetEntry = {
    build,
    file: `builds/${build}/${dataset}.duckdb`,
    loadedAt: new Date().toISOString(),
    ...facts,
  }
  await publishDataset(folder, dataset, entry)
  return entry
}

/** Tables of which a build tells where each row came from. */
export const createSources =
  'create table sources (id usmallint, name varchar, kind varchar, digest varchar, rows ubigint)'

export async function insertSource(
  connection: DuckDBConnection,
  id: number,
  { name, kind, digest, rows }: BuildSource,
): Promise<void> {
  await connection.run('insert into sources values ($1::usmallint, $2, $3, $4, $5::ubigint)', [
    id,
    name,
    kind,
    digest,
    BigInt(rows),
  ])
}

/** The number that a statement of one value answers. */
export async function countOf(connection: DuckDBConnection, statement: string): Promise<number> {
  const reader = await connection.runAndReadAll(statement)
  return Number(reader.value(0, 0))
}

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api'
import { Failure } from '../errors.ts'

/** The Medicare tables of one build, open for reading. */
export interface MedicareTables {
  /** Name of the build: two answers with the same name come from the same facts. */
  readonly build: string
  rows<Row>(statement: string, values?: readonly DuckDBValue[]): Promise<Row[]>
}

/** The Medicare facts of a data folder. Follows the directory's pointer: a load becomes visible within a second. */
export interface MedicareStore {
  /** Fails with `not_loaded` where no Medicare file was loaded. */
  tables(): Promise<MedicareTables>
  close(): void
}

interface OpenBuild extends MedicareTables {
  close(): void
}

const lookAgainMs = 1_000

export function openMedicareStore(dataFolder: string): MedicareStore {
  const folder = join(dataFolder, 'directory')
  let open: Promise<OpenBuild | undefined> | undefined
  let seen = ''
  let lookedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    const now = performance.now()
    if (now - lookedAt < lookAgainMs) return
    lookedAt = now
    const facts = await stat(join(folder, 'current.json')).catch(() => undefined)
    const version = facts === undefined ? 'none' : `${facts.ino} ${facts.mtimeMs} ${facts.size}`
    if (version === seen) return
    seen = version
    const before = open
    const next = openCurrent(folder, await before)
    open = next
    // Queries that run on the older build finish; its file stays until the load after next.
    void before?.then(async (old) =>
      (await next) === old ? undefined : setTimeout(() => old?.close(), 60_000).unref(),
    )
  }

  return {
    async tables() {
      await look()
      const build = await open
      if (build === undefined)
        throw new Failure('not_loaded', 'No Medicare file is loaded on this server (ratebook load medicare).')
      return build
    },
    close() {
      void open?.then((build) => build?.close())
      open = undefined
      seen = ''
      lookedAt = Number.NEGATIVE_INFINITY
    },
  }
}

async function openCurrent(folder: string, before: OpenBuild | undefined): Promise<OpenBuild | undefined> {
  const text = await readFile(join(folder, 'current.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const pointer = JSON.parse(text) as { datasets: { medicare?: { build: string; file: string } } }
  const entry = pointer.datasets.medicare
  if (entry === undefined) return undefined
  return entry.build === before?.build ? before : await openBuild(join(folder, entry.file), entry.build)
}

async function openBuild(path: string, build: string): Promise<OpenBuild> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: 'READ_ONLY',
    threads: '1',
    memory_limit: '256MB',
  })
  const idle: DuckDBConnection[] = []
  let closed = false
  return {
    build,
    async rows<Row>(statement: string, values: readonly DuckDBValue[] = []) {
      const connection = idle.pop() ?? (await instance.connect())
      try {
        const reader = await connection.runAndReadAll(statement, [...values])
        return reader.getRowObjects() as Row[]
      } finally {
        if (closed) connection.closeSync()
        else idle.push(connection)
      }
    },
    close() {
      closed = true
      for (const connection of idle) connection.closeSync()
      instance.closeSync()
    },
  }
}

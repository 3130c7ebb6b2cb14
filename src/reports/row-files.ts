import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Records } from '../records/records.ts'
import { openEngine, type Engine } from '../warehouse/engine.ts'
import { quotedPath, rowFileName } from './row-file.ts'
import { reportJob } from './store.ts'

export interface RowFilesSettings {
  readonly folder: string
  readonly memoryLimit: string
  readonly threads: number
}

const attachedMost = 16
const exportKeptMs = 86_400_000

interface Attached {
  readonly name: string
  users: number
}

/** The rows of all reports, readable: one engine with one bound of memory and threads, to which row files are attached as they are asked for. */
export class RowFiles {
  readonly folder: string
  private readonly settings: RowFilesSettings
  private opening: Promise<Engine> | undefined
  private readonly attached = new Map<string, Attached>()
  private readonly attaching = new Map<string, Promise<void>>()
  private count = 0

  constructor(settings: RowFilesSettings) {
    this.settings = settings
    this.folder = settings.folder
  }

  /** Where a build of a report lies. */
  path(report: string, build: string): string {
    return join(this.folder, report, build)
  }

  /** Where files are put that must be whole before they are sent. */
  get exports(): string {
    return join(this.folder, 'tmp', 'exports')
  }

  /** Removes exports that nobody can be reading any more: those of a process that was killed. */
  async sweepExports(now: number): Promise<void> {
    for (const name of await readdir(this.exports).catch(() => [])) {
      const path = join(this.exports, name)
      const facts = await stat(path).catch(() => undefined)
      if (facts && now - facts.mtimeMs > exportKeptMs) await rm(path, { force: true })
    }
  }

  /** Holds the rows of a build until told otherwise: the engine, and the name of the table in it. */
  async hold(report: string, build: string): Promise<{ engine: Engine; relation: string; end: () => void }> {
    const engine = await this.engine()
    const key = join(report, build)
    while (!this.attached.has(key)) {
      if (!this.attaching.has(key)) this.attaching.set(key, this.attach(engine, key))
      await this.attaching.get(key)
    }
    const held = this.attached.get(key)!
    held.users++
    // To the end of the map: the first one is the longest unused.
    this.attached.delete(key)
    this.attached.set(key, held)
    let ended = false
    return {
      engine,
      relation: `${held.name}.report_rows`,
      end: () => {
        if (!ended) held.users--
        ended = true
      },
    }
  }

  async close(): Promise<void> {
    await (await this.opening)?.close()
  }

  private async attach(engine: Engine, key: string): Promise<void> {
    try {
      for (const [old, { name, users }] of this.attached) {
        if (this.attached.size < attachedMost) break
        if (users > 0) continue
        this.attached.delete(old)
        await engine.run(`detach ${name}`)
      }
      const name = `report_${++this.count}`
      await engine.run(`attach ${quotedPath(join(this.folder, key, rowFileName))} as ${name} (read_only)`)
      this.attached.set(key, { name, users: 0 })
    } finally {
      this.attaching.delete(key)
    }
  }

  private engine(): Promise<Engine> {
    const { memoryLimit, threads } = this.settings
    return (this.opening ??= (async () => {
      const spill = join(this.folder, 'tmp')
      mkdirSync(spill, { recursive: true })
      const engine = await openEngine(':memory:', { memoryLimit, threads })
      await engine.run(`set temp_directory = ${quotedPath(spill)}`)
      return engine
    })())
  }
}

/**
 * Removes the rows of deleted reports, and those that newer ones have replaced or that a killed worker left behind.
 * Rows that a live job is making are let be. Returns what it removed.
 */
export async function sweepRowFiles(records: Records, folder: string, only?: string): Promise<string[]> {
  const reports = only === undefined ? await readdir(folder).catch(() => []) : [only]
  const removed: string[] = []
  for (const report of reports) {
    if (!/^[0-9a-f-]{36}$/.test(report)) continue
    // In this order: what is made or published meanwhile is then either not in the list or known.
    const builds = await readdir(join(folder, report)).catch(() => [])
    const live = await records.read(
      `select id from jobs where kind = $1 and subject = $2 and status in ('queued', 'running')`,
      [reportJob, report],
    )
    const [row] = await records.read('select build, state from reports where id = $1', [report])
    const isGone = !row || row['state'] === 'deleted'
    const keep = (build: string) =>
      !isGone && (build === row['build'] || live.some(({ id }) => build.startsWith(String(id))))
    for (const build of builds) {
      if (keep(build)) continue
      await rm(join(folder, report, build), { recursive: true, force: true })
      removed.push(join(report, build))
    }
    if (isGone) await rm(join(folder, report), { recursive: true, force: true })
  }
  return removed
}

import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { synced } from '../files/kept-file.ts'
import { isAlive } from '../files/living.ts'
import type { Ledger } from './ledger.ts'

/** Where stages lie: finished ones under the name of their content, unfinished ones apart. */
export interface StageFolders {
  readonly stages: string
  readonly work: string
}

export const stageFolders = (ratesFolder: string): StageFolders => ({
  stages: join(ratesFolder, 'stages'),
  work: join(ratesFolder, 'work'),
})

/** Gives an unfinished stage its name, durably. A stage of that name is of the same content already and stays. */
export async function keepStage(folders: StageFolders, unfinished: string, name: string): Promise<string> {
  await mkdir(folders.stages, { recursive: true })
  const kept = join(folders.stages, name)
  if (existsSync(join(kept, 'header.json'))) {
    await rm(unfinished, { recursive: true, force: true })
    return name
  }
  // The bytes must be on disk before the name is, or a power cut could leave a whole name over half the bytes.
  await Promise.all((await readdir(unfinished)).map((file) => synced(join(unfinished, file))))
  await synced(unfinished)
  await rm(kept, { recursive: true, force: true })
  await rename(unfinished, kept)
  await synced(folders.stages)
  return name
}

export const hasStage = (folders: StageFolders, name: string | null) =>
  name !== null && existsSync(join(folders.stages, name, 'header.json'))

/** Removes what processes left behind that are no longer there: unfinished stages, spooled archives, half-made builds. */
export async function removeLeftovers(ratesFolder: string): Promise<void> {
  const { work } = stageFolders(ratesFolder)
  const owned: readonly (readonly [string, RegExp])[] = [
    [work, /^(?:partial|spool)-(\d+)-/],
    [join(ratesFolder, 'builds'), /^partial-.*-(\d+)$/],
  ]
  for (const [folder, pattern] of owned) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder)) {
      const pid = Number(pattern.exec(name)?.[1])
      if (pid > 0 && pid !== process.pid && !isAlive(pid))
        await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

const stageKeepMs = 86_400_000

/** Removes stages that no month is made of any more, a day after they were made. */
export async function collectStages(ledger: Ledger, ratesFolder: string): Promise<void> {
  const { stages } = stageFolders(ratesFolder)
  if (!existsSync(stages)) return
  const used = new Set(
    ledger
      .rows<{ stage: string | null; remote: string | null }>(
        'select distinct f.stage, f.remote from month_files m join files f on f.id = m.file',
      )
      .flatMap(({ stage, remote }) => [stage, remote]),
  )
  for (const name of readdirSync(stages)) {
    const about = statSync(join(stages, name), { throwIfNoEntry: false })
    if (used.has(name) || about === undefined || Date.now() - about.mtimeMs < stageKeepMs) continue
    await rm(join(stages, name), { recursive: true, force: true })
  }
}

/** Removes this process's own unfinished work. */
export async function removeOwn(ratesFolder: string): Promise<void> {
  const { work } = stageFolders(ratesFolder)
  if (!existsSync(work)) return
  for (const name of readdirSync(work))
    if (new RegExp(`^(partial|spool)-${process.pid}-`).test(name))
      await rm(join(work, name), { recursive: true, force: true })
}

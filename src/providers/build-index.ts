import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeHospitals } from './hospital-entries.ts'
import { stageNpis, writeNpis, type WrittenNpis } from './npi-entries.ts'
import { Stage, type Progress, type Sources } from './stage.ts'
import { stageTins, writeTins } from './tin-entries.ts'

export interface BuiltIndex {
  readonly payers: readonly string[]
  readonly counts: { readonly npis: number; readonly hospitals: number; readonly tins: number }
}

/** Where an index folder keeps its three parts. */
export const parts = { npis: 'npis', hospitals: 'hospitals', tins: 'tins' } as const

/** Writes the index of providers, hospitals and taxpayers into a folder of its own. */
export async function buildIndex(
  folder: string,
  sources: Sources,
  progress: Progress = () => undefined,
): Promise<BuiltIndex> {
  const work = join(folder, 'work')
  mkdirSync(work, { recursive: true })
  const stage = await Stage.open(sources, work)
  let npis: WrittenNpis | undefined
  try {
    const hospitals = await writeHospitals(stage, join(folder, parts.hospitals))
    // All is put in order before words are made of it: what sorting takes and what an index takes do not add up.
    await stageNpis(stage)
    await stageTins(stage)
    await stage.settle()
    npis = await writeNpis(stage, join(folder, parts.npis), progress)
    const tins = await writeTins(stage, npis, join(folder, parts.tins), progress)
    await npis.complete
    return { payers: stage.payers, counts: { npis: npis.rows, hospitals, tins } }
  } finally {
    // Its thread must not write on into a folder that is given up.
    await npis?.complete.catch(() => undefined)
    stage.close()
    rmSync(work, { recursive: true, force: true })
  }
}

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey } from '../accounts/api-keys.ts'
import { changeOrganization, createOrganization } from '../accounts/organizations.ts'
import type { Settings } from '../config.ts'
import { openRecords } from '../records/open.ts'
import { stopSignal } from './arguments.ts'

const demoCredits = 1_000_000
// Whoever tries the demo should meet the data, not our limits.
const demoRate = { ratePerSecond: 1_000, rateBurst: 2_000 }

/**
 * Loads the synthetic demo where nothing is loaded yet, and returns an API key for it.
 * A start that was cut short begins again; an operator who loads data of their own never meets the demo.
 */
export async function firstStart(settings: Settings): Promise<string | undefined> {
  const folder = settings.RATEBOOK_DATA
  const unfinished = join(folder, 'demo.unfinished')
  const isEmpty = !existsSync(join(folder, 'rates')) && !existsSync(join(folder, 'directory'))
  if (!settings.RATEBOOK_DEMO || !(isEmpty || existsSync(unfinished))) return undefined
  console.log('Nothing is loaded yet: loading the synthetic demo (RATEBOOK_DEMO=off for none) …')
  mkdirSync(folder, { recursive: true })
  writeFileSync(unfinished, '')
  const { loadDemo } = await import('../demo/demo.ts')
  const { refreshDirectory } = await import('./refresh.ts')
  const loaded = await loadDemo({ dataFolder: folder, signal: stopSignal() })
  await refreshDirectory(folder)
  const apiKey = await demoKey(settings)
  rmSync(unfinished)
  console.log(
    `Loaded ${loaded.months.length} synthetic payer months in ${Math.round(loaded.elapsedMs / 1_000)} s.`,
  )
  return apiKey
}

async function demoKey(settings: Settings): Promise<string> {
  const records = await openRecords(settings)
  try {
    const { id } = await createOrganization(records, 'Demo', demoCredits, 'demo')
    await changeOrganization(records, id, demoRate)
    return (await createKey(records, id, 'Demo key')).apiKey
  } finally {
    await records.close()
  }
}

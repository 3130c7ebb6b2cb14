import { join, resolve } from 'node:path'
import { readSettings, type Settings } from '../config.ts'
import { registerPayers } from '../service/payers.ts'

/** Where the commands find everything. */
export interface DataFolder {
  readonly settings: Settings
  readonly folder: string
  readonly ratesFolder: string
}

/** The data folder of the settings, with the operator's own payers in the registry. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): DataFolder {
  const settings = readSettings(env)
  const folder = resolve(settings.RATEBOOK_DATA)
  registerPayers(settings)
  return { settings, folder, ratesFolder: join(folder, 'rates') }
}

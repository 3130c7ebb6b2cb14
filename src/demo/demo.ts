import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadHospitals } from '../directory/hospitals.ts'
import { loadMedicare } from '../directory/medicare.ts'
import { loadNppes } from '../directory/nppes.ts'
import { ingest, type IngestSummary } from '../ingestion/ingest.ts'
import type { Progress } from '../ingestion/progress.ts'
import { extendPayers, PayerEntries, type PayerEntry } from '../vocabulary/payers.ts'
import { writePayerMonth } from './payer-files.ts'
import { demoMonths, demoPayerEntries, demoPayers } from './payers.ts'
import { writeProviderFiles, type ProviderFiles } from './provider-files.ts'
import { demoWorld } from './providers.ts'

export interface DemoOptions {
  /** RATEBOOK_DATA. */
  readonly dataFolder: string
  readonly threads?: number
  readonly signal?: AbortSignal
  readonly report?: (progress: Progress) => void
}

export interface DemoFiles {
  readonly folder: string
  /** An index for each payer and month. */
  readonly indexes: readonly string[]
  readonly providers: ProviderFiles
}

/** Writes the demo's synthetic files under the data folder, and its payers into the registry there. */
export async function writeDemo(dataFolder: string): Promise<DemoFiles> {
  const folder = join(dataFolder, 'demo')
  await mkdir(folder, { recursive: true })
  await registerPayers(dataFolder)
  const world = demoWorld()
  const providers = await writeProviderFiles(folder, world)
  const indexes: string[] = []
  for (const payer of demoPayers)
    for (const month of demoMonths) indexes.push(await writePayerMonth(folder, world, payer, month))
  await writeFile(
    join(folder, 'README.txt'),
    'SYNTHETIC. Every payer, provider, plan and rate in this folder is made up for a demonstration.\n',
  )
  return { folder, indexes, providers }
}

/** Writes the demo and loads it the way real files are loaded: rates, providers, hospitals, and the Medicare facts we ship. */
export async function loadDemo(options: DemoOptions): Promise<IngestSummary & DemoFiles> {
  const files = await writeDemo(options.dataFolder)
  const { dataFolder, ...rest } = options
  const { providers, hospitals, enrollments } = files.providers
  await loadNppes(dataFolder, [providers], { demo: true })
  await loadHospitals(dataFolder, [hospitals, enrollments], { demo: true })
  await loadMedicare(dataFolder, [])
  const summary = await ingest({ ratesFolder: join(dataFolder, 'rates'), sources: files.indexes, ...rest })
  return { ...summary, ...files }
}

/** Adds the demo's payers to payers.json of the data folder, beside those an operator put there, and to this process. */
async function registerPayers(dataFolder: string): Promise<void> {
  const path = join(dataFolder, 'payers.json')
  const own = existsSync(path) ? PayerEntries.parse(JSON.parse(await readFile(path, 'utf8'))) : []
  const demo = demoPayerEntries()
  const names = new Set(demo.map(({ payer }) => payer))
  const all = [...own.filter(({ payer }) => !names.has(payer)), ...demo]
  await writeFile(`${path}.new`, `${JSON.stringify(all, null, 2)}\n`)
  await rename(`${path}.new`, path)
  extendPayers(demo satisfies PayerEntry[])
}

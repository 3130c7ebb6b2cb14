import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceMonth } from '../../src/vocabulary/period.ts'
import { buildMonth, type BuiltMonth } from '../../src/warehouse/build-month.ts'
import { publishBuilds } from '../../src/warehouse/manifest.ts'
import { ProviderAttributes } from '../../src/warehouse/provider-attributes.ts'
import { openRates, type Rates } from '../../src/warehouse/rates.ts'
import type { NaiveProvider } from './naive-benchmarks.ts'
import type { PublishedFile } from './payer-file.ts'
import { writeStage } from './stage.ts'

/** A `rates` folder in which files have been staged, built and published. */
export interface PublishedRates {
  readonly folder: string
  readonly rates: Rates
  remove(): void
}

// Builds are synced to disk; a folder in memory spares the tests thousands of waits for it.
export const temporaryFolder = (name: string) =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `ratebook-${name}-`))

export async function publishFiles(files: readonly PublishedFile[]): Promise<PublishedRates> {
  const folder = temporaryFolder('rates')
  await publishBuilds(folder, await buildFiles(folder, files))
  const rates = openRates(folder)
  return {
    folder,
    rates,
    remove() {
      rates.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The directory's facts about providers, as the product holds them. */
export function attributesOf(providers: readonly NaiveProvider[]): ProviderAttributes {
  const attributes = new ProviderAttributes('test')
  for (const provider of providers) attributes.add(provider)
  return attributes
}

/** Builds every payer and month that the files name. */
export async function buildFiles(folder: string, files: readonly PublishedFile[]): Promise<BuiltMonth[]> {
  const parts = new Map<string, PublishedFile[]>()
  for (const file of files) {
    const key = `${file.payer} ${file.month}`
    parts.set(key, [...(parts.get(key) ?? []), file])
  }
  const builds: BuiltMonth[] = []
  for (const part of parts.values()) {
    const { payer, month } = part[0]!
    const sources = part.map(({ digest, plans, networks, file }) => {
      const stage = join(folder, 'stages', digest)
      writeStage(stage, file)
      return { stage, digest, plans, networks }
    })
    builds.push(await buildMonth({ payer, month: month as SourceMonth, sources, ratesFolder: folder }))
  }
  return builds
}

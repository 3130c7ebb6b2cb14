import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceMonth } from '../src/vocabulary/period.ts'
import { buildMonth, type BuiltMonth } from '../src/warehouse/build-month.ts'
import { publishBuilds } from '../src/warehouse/manifest.ts'
import { payerNames, writePayerStage, type Scale } from './pricing-data.ts'

/** What making something took; kept beside it, so that a later run need not make it again. */
export interface Made {
  readonly seconds: number
  readonly bytes: number
}

/** Makes something once: a second run with the same folder reads what the first wrote down. */
export async function made<Facts extends Made>(path: string, make: () => Promise<Facts>): Promise<Facts> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Facts
  const facts = await make()
  writeFileSync(path, JSON.stringify(facts))
  return facts
}

export interface MadeRates extends Made {
  readonly prices: number
  readonly pricesPublished: number
  readonly entries: number
}

const month = 202605 as SourceMonth

/** Generates every payer's month and builds and publishes it as an ingest would. `seconds` is the building alone. */
export function madeRates(folder: string, scale: Scale): Promise<MadeRates> {
  const rates = join(folder, 'rates')
  return made(join(folder, 'rates.json'), async () => {
    mkdirSync(rates, { recursive: true })
    const builds: BuiltMonth[] = []
    let buildMs = 0
    for (const [index, payer] of payerNames(scale.payers).entries()) {
      const stage = join(folder, 'stage')
      rmSync(stage, { recursive: true, force: true })
      writePayerStage(stage, scale, index)
      const started = performance.now()
      const digest = `payer ${index} ${scale.prices} ${scale.setSize}`
      builds.push(
        await buildMonth({
          payer,
          month,
          sources: [{ stage, digest, plans: ['PPO'], networks: [] }],
          ratesFolder: rates,
        }),
      )
      buildMs += performance.now() - started
      rmSync(stage, { recursive: true, force: true })
    }
    await publishBuilds(rates, builds)
    const sum = (pick: (build: BuiltMonth) => number) =>
      builds.reduce((total, build) => total + pick(build), 0)
    return {
      seconds: buildMs / 1_000,
      bytes: sum((build) => build.bytes),
      prices: sum(({ counts }) => counts.prices),
      pricesPublished: sum(({ counts }) => counts.pricesPublished),
      entries: sum(({ counts }) => counts.entries),
    }
  })
}

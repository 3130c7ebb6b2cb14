import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { payerOf } from '../vocabulary/payer-registry.ts'
import { readManifest } from '../warehouse/manifest.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { fileQualities, monthQuality, type FileQuality, type Quality } from './quality.ts'
import { stageFolders } from './stages.ts'

export interface MonthStatus {
  readonly month: number
  readonly build: string
  readonly counts: object
  readonly bytes: number
  readonly publishedAt: string | null
  readonly quality: Quality
  /** Only where one month is asked for. */
  readonly files?: readonly FileQuality[]
}

export interface PayerStatus {
  readonly payer: string
  readonly name: string
  readonly synthetic: boolean
  readonly latestMonth: number
  readonly months: readonly MonthStatus[]
}

/** What is loaded, how big it is and how fresh. */
export interface Status {
  readonly snapshot: string
  readonly publishedAt: string
  readonly payers: readonly PayerStatus[]
  readonly files: Readonly<Record<string, number>>
  readonly bytes: { readonly builds: number; readonly stages: number }
  /** The newest files that could not be loaded, and why. */
  readonly problems: readonly { readonly address: string; readonly says: string | null }[]
  readonly lastRun: RunStatus | undefined
}

export interface RunStatus {
  readonly state: string
  readonly startedAt: string
  readonly endedAt: string | null
  readonly sources: readonly string[]
  readonly progress: object
  readonly says: string | null
}

const problemsShown = 20

/** Reads the manifest and the ledger; `only` narrows to a payer, or to one of its months with every file of it. */
export async function status(
  ratesFolder: string,
  only: { readonly payer?: string; readonly month?: number } = {},
): Promise<Status> {
  const manifest = await readManifest(ratesFolder)
  const ledger = openLedger(ratesFolder)
  try {
    const builds = manifest.builds.filter(
      ({ payer, month }) =>
        (only.payer === undefined || payer === only.payer) &&
        (only.month === undefined || month === only.month),
    )
    const payers = [...Map.groupBy(builds, ({ payer }) => payer)].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      snapshot: manifest.snapshot,
      publishedAt: manifest.publishedAt,
      payers: payers.map(([payer, months]) => {
        const sorted = [...months].sort((a, b) => b.month - a.month)
        return {
          payer,
          name: payerOf(payer)?.name ?? payer,
          synthetic: payerOf(payer)?.synthetic ?? false,
          latestMonth: sorted[0]?.month ?? 0,
          months: sorted.map(({ month, build, counts, bytes }) => ({
            month,
            build,
            counts,
            bytes,
            publishedAt: publishedAt(ledger, payer, month, build),
            quality: monthQuality(ledger, payer, month),
            ...(only.payer && only.month && { files: fileQualities(ledger, payer, month) }),
          })),
        }
      }),
      files: Object.fromEntries(
        ledger
          .rows<{ state: string; n: number }>(
            'select state, count(*) as n from files group by state order by state',
          )
          .map(({ state, n }) => [state, n]),
      ),
      bytes: {
        builds: folderBytes(join(ratesFolder, 'builds')),
        stages: folderBytes(stageFolders(ratesFolder).stages),
      },
      problems: ledger.rows(
        `select address, says from files where state = 'unreadable' order by id desc limit ${problemsShown}`,
      ),
      lastRun: lastRun(ledger),
    }
  } finally {
    ledger.close()
  }
}

const publishedAt = (ledger: Ledger, payer: string, month: number, build: string) =>
  ledger.row<{ published_at: string }>(
    'select published_at from months where payer = ? and month = ? and build = ?',
    payer,
    month,
    build,
  )?.published_at ?? null

function lastRun(ledger: Ledger): RunStatus | undefined {
  const row = ledger.row<{
    state: string
    started_at: string
    ended_at: string | null
    sources: string
    progress: string
    says: string | null
  }>('select * from runs order by id desc limit 1')
  return (
    row && {
      state: row.state,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      sources: JSON.parse(row.sources) as string[],
      progress: JSON.parse(row.progress) as object,
      says: row.says,
    }
  )
}

function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}

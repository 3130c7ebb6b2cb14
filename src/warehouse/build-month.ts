import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import { buildFiles, buildFormat, type BuildCounts, type BuildSummary } from './build-layout.ts'
import { writeBuild } from './build-writer.ts'
import { ColumnsThread } from './columns-thread.ts'
import { makeFolder, syncFolder } from '../files/durable-files.ts'
import { MergedPrices } from './merged-prices.ts'
import { LabelTable } from './labels.ts'
import { ColumnsHere } from './month-columns.ts'
import { ProviderLists, type FileProviders } from './provider-lists.ts'
import { ProviderSets } from './provider-sets.ts'
import { Stage } from './staged-columns.ts'
import { order, TermTable, type Normalisers } from './terms.ts'

/** One staged in-network file, and what the table of contents says about it. */
export interface StagedSource {
  /** Stage folder of the reader. */
  readonly stage: string
  /** Stage folder of the file's remote references, where it has some. */
  readonly remote?: string
  /** Digest of the file's bytes. */
  readonly digest: string
  /** Name inside a zip file with several. */
  readonly entry?: string
  /** Normalised names of the plans that the file is published for. */
  readonly plans: readonly string[]
  /** Network names for providers whose reference names none. */
  readonly networks: readonly string[]
  /** What provenance shows of the file: address without token, size, date. */
  readonly origin?: Readonly<Record<string, string | number>>
}

export interface MonthRequest {
  readonly payer: string
  readonly month: SourceMonth
  readonly sources: readonly StagedSource[]
  /** The `rates` folder; the build lands in its `builds`. */
  readonly ratesFolder: string
  readonly normalise?: Normalisers
  /** Whether a second thread may write what this one makes. */
  readonly threadBeside?: boolean
  /** Told apart in the build's id: a targeted build is not the whole month. */
  readonly target?: string
  readonly progress?: (done: BuildProgress) => void
  readonly signal?: AbortSignal
}

export interface BuildProgress {
  readonly phase: 'providers' | 'prices' | 'codes'
  readonly part: number
  readonly of: number
}

/** A finished build: what the manifest says of it. */
export interface BuiltMonth {
  readonly payer: string
  readonly month: SourceMonth
  /** Folder name under `builds`. */
  readonly build: string
  readonly id: string
  readonly counts: BuildCounts
  readonly bytes: number
}

/**
 * Merges the staged files of one payer and month into an immutable build: every entry once, whatever the overlap of files, plans,
 * networks and provider groups. The same files give the same build; one that exists is answered at once.
 */
export async function buildMonth(request: MonthRequest): Promise<BuiltMonth> {
  const sources = [...request.sources].sort(
    (a, b) => order(a.digest, b.digest) || order(a.entry ?? '', b.entry ?? ''),
  )
  const id = buildId(request, sources)
  const build = `${slug(request.payer)}-${String(request.month)}-${id}`
  const builds = join(request.ratesFolder, 'builds')
  const folder = join(builds, build)
  if (!existsSync(join(folder, buildFiles.summary))) {
    const partial = join(builds, `partial-${build}-${process.pid}`)
    rmSync(partial, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
    makeFolder(partial)
    try {
      await fill(partial, request, sources, id)
      renameSync(partial, folder)
      syncFolder(builds)
    } catch (error) {
      rmSync(partial, { recursive: true, force: true })
      throw error
    }
  }
  const summary = JSON.parse(readFileSync(join(folder, buildFiles.summary), 'utf8')) as BuildSummary
  return {
    payer: request.payer,
    month: request.month,
    build,
    id,
    counts: summary.counts,
    bytes: summary.bytes,
  }
}

/** Below so many prices and sets a second thread, which has to come up and whose code is cold, costs more than it gains. */
const threadFromRows = 900_000
/** So many atoms of sets are told of at once while sets are gathered. */
const atomsTold = 1 << 19

async function fill(folder: string, request: MonthRequest, sources: readonly StagedSource[], id: string) {
  const pause = async (phase: BuildProgress['phase'], part: number, of: number) => {
    request.progress?.({ phase, part, of })
    await new Promise(setImmediate)
    request.signal?.throwIfAborted()
  }
  // A month of one file reads that file's texts once.
  let stage: Stage | undefined
  const stageOf = (source: StagedSource) =>
    stage?.folder === source.stage ? stage : (stage = new Stage(source.stage))
  const rows = { rates: 0, prices: 0, sets: 0 }
  for (const source of sources) {
    const { rates = 0, prices = 0, sets = 0 } = stageOf(source).rows
    rows.rates += rates
    rows.prices += prices
    rows.sets += sets
  }
  const beside = request.threadBeside === true && rows.prices + rows.sets >= threadFromRows
  const columns = beside ? new ColumnsThread(folder) : new ColumnsHere(folder)
  const terms = new TermTable()
  const prices = new MergedPrices(folder, rows, terms, request.normalise ?? {})
  try {
    const providers = new ProviderLists()
    const files: FileProviders[] = []
    for (const [index, source] of sources.entries()) {
      await pause('providers', index, sources.length)
      files.push(providers.add(stageOf(source), source.remote ? new Stage(source.remote) : undefined))
    }
    const labels = new LabelTable()
    const sets = new ProviderSets(providers, labels)
    columns.writePairs({ ...providers.pairContent(), atom: sets.atoms.ofPair, atoms: sets.atoms.count })
    let told = 0
    const added = () => {
      if (sets.sets.items.length < told + atomsTold) return
      told = sets.sets.items.length
      columns.setsSoFar(sets.columns())
    }
    for (const [index, source] of sources.entries()) {
      await pause('prices', index, sources.length)
      const file = files[index]!
      const fileSets = sets.add(stageOf(source), file, source.plans, source.networks, added)
      prices.add(stageOf(source), fileSets)
    }
    stage = undefined
    await writeBuild({
      folder,
      payer: request.payer,
      month: request.month,
      id,
      sources: sources.map(({ digest, entry, origin }) => ({
        digest,
        ...(entry && { entry }),
        origin: origin ?? {},
      })),
      providers,
      sets,
      labels,
      terms,
      prices,
      columns,
      pause: (part, of) => pause('codes', part, of),
    })
  } finally {
    prices.remove()
    await columns.stop()
  }
}

/** Twelve hex digits over everything that shapes the build. */
function buildId(request: MonthRequest, sources: readonly StagedSource[]): string {
  const hash = createHash('sha256')
  hash.update(
    JSON.stringify([
      buildFormat,
      request.payer,
      request.month,
      request.target ?? '',
      sources.map(({ digest, entry, remote, plans, networks }) => [
        digest,
        entry ?? '',
        // Named by its content: references that answer later make another month.
        remote ? basename(remote) : '',
        [...plans].sort(),
        [...networks].sort(),
      ]),
    ]),
  )
  return hash.digest('hex').slice(0, 12)
}

const slug = (payer: string) =>
  payer
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'payer'

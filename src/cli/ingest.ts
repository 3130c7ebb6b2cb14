import { Command } from 'commander'
import { Failure } from '../errors.ts'
import { bytesText, durationText } from '../ingestion/progress.ts'
import { ingest, type IngestSummary } from '../ingestion/ingest.ts'
import type { Target } from '../ingestion/target.ts'
import { Threads } from '../ingestion/threads.ts'
import { npiFromText, tinFromText } from '../vocabulary/provider-numbers.ts'
import type { SourceMonth } from '../vocabulary/source-month.ts'
import { countFrom, listFrom, monthFrom, monthText, printed, stopSignal } from './arguments.ts'
import { progressReport } from './progress.ts'

interface Given {
  payer?: string
  month?: SourceMonth
  codes?: string[]
  npis?: string[]
  tins?: string[]
  states?: string[]
  replace?: boolean
  threads?: number
  connections?: number
  json?: boolean
}

/** `ratebook ingest SOURCE…`: from a payer's files to published rates. */
export function ingestCommand(): Command {
  return new Command('ingest')
    .description('read payer files and publish their rates')
    .argument('<source...>', 'files, folders, addresses, text files of addresses, tables of contents')
    .option('--payer <name>', 'identifier, name or alias of the payer (default: what the files say)')
    .option('--month <YYYY-MM>', 'source month (default: index name, file name, last_updated_on)', monthFrom)
    .option('--codes <list>', 'keep these billing codes only; a list with commas, or @file', listFrom)
    .option('--npis <list>', 'keep rates of these NPIs only', listFrom)
    .option('--tins <list>', 'keep rates of these TINs only', listFrom)
    .option(
      '--states <list>',
      'keep rates of providers in these states only (needs the provider directory)',
      listFrom,
    )
    .option('--replace', 'begin the month anew instead of adding to it')
    .option('--threads <n>', 'files read at the same time (default: one for each core)', countFrom)
    .option('--connections <n>', 'parallel connections to one host (default: 4)', countFrom)
    .option('--json', 'print the result as JSON')
    .action(run)
}

async function run(sources: string[], given: Given): Promise<void> {
  // What reads comes up first, while the rest of the command is loaded.
  const threads = new Threads(given.threads)
  threads.prepare()
  const { dataFolder } = await import('./data-folder.ts')
  const { folder, ratesFolder } = dataFolder()
  const target = await targetOf(folder, given)
  const { report, end } = progressReport(given.json)
  try {
    const summary = await ingest(
      {
        ratesFolder,
        sources,
        target,
        signal: stopSignal(),
        report,
        ...(given.payer && { payer: given.payer }),
        ...(given.month && { month: given.month }),
        ...(given.replace && { replace: true }),
        ...(given.connections && { http: { perHost: given.connections } }),
      },
      threads,
    )
    const { refreshDirectory } = await import('./refresh.ts')
    await refreshDirectory(folder)
    end()
    printed(given.json, summary, () => ingestLines(summary))
    if (summary.problems.length > 0) process.exitCode = 1
  } finally {
    end()
  }
}

async function targetOf(folder: string, given: Given): Promise<Target> {
  const npis = given.npis?.map((text) => {
    const npi = npiFromText(text)
    if (npi === undefined) throw new Failure('invalid_request', `"${text}" is no NPI: ten digits.`)
    return npi as number
  })
  for (const tin of given.tins ?? [])
    if (tinFromText(tin) === undefined)
      throw new Failure('invalid_request', `"${tin}" is no TIN: nine digits.`)
  const inStates = given.states && (await npisIn(folder, given.states))
  const asked = npis && inStates ? intersection(npis, inStates) : (npis ?? inStates)
  return {
    ...(given.codes && { codes: given.codes }),
    ...(asked && { npis: asked }),
    ...(given.tins && { tins: given.tins }),
  }
}

async function npisIn(folder: string, given: readonly string[]): Promise<number[]> {
  const { State } = await import('../vocabulary/enums.ts')
  const states = given.map((text) => {
    const state = State.safeParse(text.toUpperCase())
    if (!state.success) throw new Failure('invalid_request', state.error.issues[0]?.message)
    return state.data
  })
  const { npisOfStates } = await import('../ingestion/state-npis.ts')
  return npisOfStates(folder, states)
}

function intersection(some: readonly number[], others: readonly number[]): number[] {
  const set = new Set(others)
  return some.filter((npi) => set.has(npi))
}

/** What an ingest did, in lines for people. */
export function ingestLines(summary: IngestSummary): string[] {
  const { files, months, problems } = summary
  const counts = [
    `${files.read} files read`,
    `${files.unchanged} unchanged`,
    ...(files.notLoaded > 0 ? [`${files.notLoaded} recognised and not loaded`] : []),
    ...(files.failed > 0 ? [`${files.failed} failed`] : []),
  ]
  const speed = summary.elapsedMs > 0 ? (summary.unpackedBytes * 1_000) / summary.elapsedMs : 0
  return [
    `${counts.join(', ')}; ${bytesText(summary.unpackedBytes)} of JSON in ${durationText(summary.elapsedMs)} (${bytesText(speed)}/s)`,
    ...months.map(
      ({ payer, month, counts, bytes }) =>
        `${payer} ${monthText(month)}: ${counts.prices} prices, ${counts.entries} entries, ${counts.codes} codes, ${counts.npis} NPIs, ${bytesText(bytes)}`,
    ),
    ...problems.map(({ address, says }) => `${address}: ${says}`),
    `Snapshot ${summary.snapshot}`,
  ]
}

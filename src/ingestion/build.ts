import { join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import type { BuiltMonth, StagedSource } from '../warehouse/build-month.ts'
import { monthSources, type MonthSource } from './ledger-months.ts'
import type { Ledger } from './ledger.ts'
import { stageFolders } from './stages.ts'
import type { Threads } from './threads.ts'

export interface PayerMonth {
  readonly payer: string
  readonly month: SourceMonth
}

/** Builds months from what the ledger says they are made of, as many at once as there are threads. */
export async function builtMonths(
  threads: Threads,
  ledger: Ledger,
  ratesFolder: string,
  months: readonly PayerMonth[],
  done: (built: BuiltMonth) => void,
): Promise<BuiltMonth[]> {
  const { stages } = stageFolders(ratesFolder)
  return Promise.all(
    months.map(async ({ payer, month }) => {
      const sources = monthSources(ledger, payer, month)
      const filters = new Set(sources.map(({ file }) => file.filter))
      const built = await threads.run<BuiltMonth>({
        job: 'build',
        payer,
        month,
        ratesFolder,
        sources: sources.map((source) => stagedSource(stages, source)),
        // Where fewer months are built than there are threads, one has a second thread to itself.
        threadBeside: months.length < threads.size,
        target: [...filters].sort().join(' ').trim(),
      })
      done(built)
      return built
    }),
  )
}

function stagedSource(stages: string, { file, plans, networks }: MonthSource): StagedSource {
  return {
    stage: join(stages, file.stage ?? ''),
    ...(file.remote && { remote: join(stages, file.remote) }),
    digest: file.digest,
    ...(file.entry && { entry: file.entry }),
    plans,
    networks,
    origin: {
      address: file.address,
      size: file.size,
      ...(file.last_updated_on && { lastUpdatedOn: file.last_updated_on }),
      ...(file.schema_version && { schemaVersion: file.schema_version }),
    },
  }
}

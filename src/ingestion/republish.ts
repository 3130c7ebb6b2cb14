import { Failure } from '../errors.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import type { BuiltMonth } from '../warehouse/build-month.ts'
import { publishBuilds } from '../warehouse/manifest.ts'
import { builtMonths } from './build.ts'
import { monthSources, recordBuild } from './ledger-months.ts'
import { openLedger } from './ledger.ts'
import { lockMonth } from './run.ts'
import { Threads } from './threads.ts'

/** Builds a payer's month anew from the stages of its files, and publishes it. */
export async function republish(
  ratesFolder: string,
  payer: string,
  month: SourceMonth,
): Promise<{ built: BuiltMonth; snapshot: string }> {
  const lock = lockMonth(ratesFolder, payer, month)
  const ledger = openLedger(ratesFolder)
  const threads = new Threads(1)
  try {
    if (monthSources(ledger, payer, month).length === 0)
      throw new Failure('not_found', `No file was read for ${payer}, month ${month}. Ingest it first.`)
    const [built] = await builtMonths(threads, ledger, ratesFolder, [{ payer, month }], () => undefined)
    if (built === undefined) throw new Error('a month was lost while it was built')
    const { snapshot } = await publishBuilds(ratesFolder, [built])
    recordBuild(ledger, built)
    return { built, snapshot }
  } finally {
    await threads.stop()
    ledger.close()
    lock.release()
  }
}

import { Command } from 'commander'
import { resolve } from 'node:path'
import { exportMonths } from '../ingestion/export.ts'
import { givenPayer } from '../ingestion/source-payer.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import { monthFrom, monthText, printed, stopSignal } from './arguments.ts'
import { dataFolder } from './data-folder.ts'

/** `ratebook export`: published months as Parquet. */
export function exportCommand(): Command {
  return new Command('export')
    .description('write published months as Parquet, in folders payer=…/month=…')
    .argument('<folder>', 'where to write')
    .option('--payer <name>', 'this payer only')
    .option('--month <YYYY-MM>', 'this month only', monthFrom)
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, given: { payer?: string; month?: SourceMonth; json?: boolean }) => {
      const { ratesFolder } = dataFolder()
      const exported = await exportMonths({
        ratesFolder,
        folder: resolve(folder),
        signal: stopSignal(),
        ...(given.payer && { payer: givenPayer(given.payer).payer }),
        ...(given.month && { month: given.month }),
      })
      printed(given.json, exported, () =>
        exported.map(
          ({ payer, month, prices, folder }) => `${payer} ${monthText(month)}: ${prices} prices in ${folder}`,
        ),
      )
    })
}

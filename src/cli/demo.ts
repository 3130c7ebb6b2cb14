import { Command } from 'commander'
import { loadDemo } from '../demo/demo.ts'
import { ingestLines } from './ingest.ts'
import { printed, stopSignal } from './arguments.ts'
import { dataFolder } from './data-folder.ts'
import { progressReport } from './progress.ts'
import { refreshDirectory } from './refresh.ts'

/** `ratebook demo`: writes synthetic payer files and loads them. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('write synthetic payer files and load them the way real ones are loaded')
    .option('--json', 'print the result as JSON')
    .action(async (given: { json?: boolean }) => {
      const { folder } = dataFolder()
      const { report, end } = progressReport(given.json)
      try {
        const loaded = await loadDemo({ dataFolder: folder, signal: stopSignal(), report })
        await refreshDirectory(folder)
        end()
        printed(given.json, loaded, () => [
          ...ingestLines(loaded),
          `Everything in ${loaded.folder} is synthetic: made up for a demonstration.`,
          `Provider lists: ${Object.values(loaded.providers).join(', ')}`,
        ])
      } finally {
        end()
      }
    })
}

import { Command } from 'commander'
import { republish } from '../ingestion/republish.ts'
import { givenPayer } from '../ingestion/source-payer.ts'
import { lockMonth } from '../ingestion/run.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import { dropMonth, rollback, snapshots } from '../warehouse/manifest.ts'
import { monthFrom, monthText, printed } from './arguments.ts'
import { dataFolder } from './data-folder.ts'
import { refreshDirectory } from './refresh.ts'

interface Given {
  payer: string
  month: SourceMonth
  json?: boolean
}

/** `ratebook publish`: builds a month anew from what was read for it, and publishes it. */
export function publishCommand(): Command {
  return new Command('publish')
    .description('build a month anew from the files that were read for it, and publish it')
    .requiredOption('--payer <name>', 'identifier, name or alias of the payer')
    .requiredOption('--month <YYYY-MM>', 'source month', monthFrom)
    .option('--json', 'print the result as JSON')
    .action(async (given: Given) => {
      const { folder, ratesFolder } = dataFolder()
      const { payer } = givenPayer(given.payer)
      const { built, snapshot } = await republish(ratesFolder, payer, given.month)
      await refreshDirectory(folder)
      printed(given.json, { ...built, snapshot }, () => [
        `${payer} ${monthText(given.month)} is published as ${built.build}. Snapshot ${snapshot}`,
      ])
    })
}

/** `ratebook drop`: takes a month out of what is published; its files stay known. */
export function dropCommand(): Command {
  return new Command('drop')
    .description('take a month out of what is published')
    .requiredOption('--payer <name>', 'identifier, name or alias of the payer')
    .requiredOption('--month <YYYY-MM>', 'source month', monthFrom)
    .option('--json', 'print the result as JSON')
    .action(async (given: Given) => {
      const { folder, ratesFolder } = dataFolder()
      const { payer } = givenPayer(given.payer)
      const lock = lockMonth(ratesFolder, payer, given.month)
      try {
        const { snapshot } = await dropMonth(ratesFolder, payer, given.month)
        await refreshDirectory(folder)
        printed(given.json, { payer, month: given.month, snapshot }, () => [
          `${payer} ${monthText(given.month)} is no longer published. Snapshot ${snapshot}; \`ratebook rollback\` brings it back.`,
        ])
      } finally {
        lock.release()
      }
    })
}

/** `ratebook rollback`: makes an earlier snapshot current again. */
export function rollbackCommand(): Command {
  return new Command('rollback')
    .description('make an earlier snapshot current again')
    .argument('[snapshot]', 'its name (default: the one before the last change)')
    .option('--list', 'list the snapshots that are kept')
    .option('--json', 'print the result as JSON')
    .action(async (snapshot: string | undefined, given: { list?: boolean; json?: boolean }) => {
      const { folder, ratesFolder } = dataFolder()
      if (given.list) {
        const kept = await snapshots(ratesFolder)
        const answer = kept.map(({ snapshot, publishedAt, builds }) => ({
          snapshot,
          publishedAt,
          builds: builds.length,
        }))
        return printed(given.json, answer, () =>
          answer.map(({ snapshot, publishedAt, builds }) => `${snapshot}  ${publishedAt}  ${builds} months`),
        )
      }
      const manifest = await rollback(ratesFolder, snapshot)
      await refreshDirectory(folder)
      printed(given.json, { snapshot: manifest.snapshot, builds: manifest.builds.length }, () => [
        `${manifest.builds.length} months are published. Snapshot ${manifest.snapshot}`,
      ])
    })
}

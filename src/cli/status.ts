import { Command } from 'commander'
import { bytesText } from '../ingestion/progress.ts'
import { givenPayer } from '../ingestion/source-payer.ts'
import { status, type MonthStatus, type Status } from '../ingestion/status.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import { monthFrom, monthText, printed } from './arguments.ts'
import { dataFolder } from './data-folder.ts'

/** `ratebook status`: what is loaded, how big, how fresh. */
export function statusCommand(): Command {
  return new Command('status')
    .description('what is loaded, how big it is and how fresh')
    .option('--payer <name>', 'this payer only')
    .option('--month <YYYY-MM>', 'this month only; with --payer, every file of it', monthFrom)
    .option('--json', 'print the result as JSON')
    .action(async (given: { payer?: string; month?: SourceMonth; json?: boolean }) => {
      const { ratesFolder } = dataFolder()
      const found = await status(ratesFolder, {
        ...(given.payer && { payer: givenPayer(given.payer).payer }),
        ...(given.month && { month: given.month }),
      })
      printed(given.json, found, () => lines(found))
    })
}

function lines(found: Status): string[] {
  if (found.payers.length === 0) return ['Nothing is published.', ...runLines(found)]
  return [
    `Snapshot ${found.snapshot}, published ${found.publishedAt}; builds ${bytesText(found.bytes.builds)}, stages ${bytesText(found.bytes.stages)}`,
    ...found.payers.flatMap(({ name, synthetic, months }) => [
      `${name}${synthetic ? ' [synthetic]' : ''}`,
      ...months.flatMap(monthLines),
    ]),
    ...found.problems.map(({ address, says }) => `not loaded: ${address}: ${says ?? 'unreadable'}`),
    ...runLines(found),
  ]
}

function monthLines({ month, counts, bytes, quality, files }: MonthStatus): string[] {
  const { prices, entries } = counts as { prices?: number; entries?: number }
  const stale = quality.staleDays === null ? '' : `, oldest file ${quality.staleDays} days`
  return [
    `  ${monthText(month)}: ${quality.files} files, ${prices} prices, ${entries} entries, ${bytesText(bytes)}${stale}`,
    `    zero rates ${percent(quality.zeroRateShare)}, invalid NPIs ${percent(quality.invalidNpiShare)}, invalid TINs ${percent(quality.invalidTinShare)}, unused references ${percent(quality.unusedReferenceShare)}, expired ${percent(quality.expiredRateShare)}; ${quality.errors} errors, ${quality.warnings} warnings`,
    ...(files ?? []).flatMap((file) => [
      `    ${file.address}${file.entry && ` (${file.entry})`} ${bytesText(file.size)}, schema ${Object.keys(file.schemaVersions)[0]}`,
      ...file.findings.map(
        ({ severity, kind, count, says }) => `      ${severity} ${kind} x${count}: ${says}`,
      ),
    ]),
  ]
}

const runLines = ({ lastRun }: Status) =>
  lastRun
    ? [`Last run: ${lastRun.state}, started ${lastRun.startedAt}${lastRun.says ? `: ${lastRun.says}` : ''}`]
    : []

const percent = (share: number | null) => (share === null ? '-' : `${(share * 100).toFixed(2)} %`)

import { Command } from 'commander'
import { textWithoutTokens } from '../files/address.ts'
import { validated, type ValidatedFile } from '../ingestion/validate.ts'
import { countFrom, printed, stopSignal } from './arguments.ts'

/** `ratebook validate SOURCE…`: what is wrong in a file, without loading it. */
export function validateCommand(): Command {
  return new Command('validate')
    .description('read files as ingest does and tell every finding; nothing is loaded')
    .argument('<source...>', 'files, folders, addresses')
    .option('--findings <n>', 'how many findings of each kind to show with their place', countFrom, 100)
    .option('--threads <n>', 'files read at the same time (default: one for each core)', countFrom)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExit codes: 0 clean, 1 findings of error severity, 2 unreadable.')
    .action(async (sources: string[], given: { findings: number; threads?: number; json?: boolean }) => {
      const files = await validated({
        sources,
        findingsKept: given.findings,
        signal: stopSignal(),
        ...(given.threads && { threads: given.threads }),
      })
      printed(given.json, { files, summary: totals(files) }, () => files.flatMap(fileLines))
      process.exitCode = exitCode(files)
    })
}

function exitCode(files: readonly ValidatedFile[]): number {
  if (files.length === 0 || files.some(({ verdict }) => verdict === 'unreadable')) return 2
  return files.some(({ verdict }) => verdict === 'faulty') ? 1 : 0
}

/** How often each kind of finding was met in all files together. */
function totals(files: readonly ValidatedFile[]) {
  const kinds: Record<string, { severity: string; count: number }> = {}
  for (const { kind, severity, count } of files.flatMap(({ summary }) => summary))
    kinds[kind] = { severity, count: (kinds[kind]?.count ?? 0) + count }
  const verdicts = { clean: 0, faulty: 0, unreadable: 0 }
  for (const { verdict } of files) verdicts[verdict]++
  return { ...verdicts, kinds }
}

function fileLines(file: ValidatedFile): string[] {
  const { counts } = file
  const name = file.entry ? `${file.address} (${file.entry})` : file.address
  const size =
    counts.items === undefined
      ? file.kind
      : `${file.kind}, ${counts.items} items, ${counts.prices} prices, ${counts.referencesDefined} references`
  return [
    `${name}: ${file.verdict} (${size})`,
    ...file.summary.map(({ severity, kind, count, says, path, offset }) => {
      const place = offset === undefined ? '' : ` first at byte ${offset}, ${path}`
      return `  ${severity} ${kind} x${count}: ${textWithoutTokens(says)}${place}`
    }),
  ]
}

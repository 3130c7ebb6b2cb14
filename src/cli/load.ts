import { Command, InvalidArgumentError, Option } from 'commander'
import { readSettings } from '../config.ts'
import type { LoadReport } from '../directory/load.ts'
import { loadHospitals } from '../directory/hospitals.ts'
import { loadMedicare } from '../directory/medicare.ts'
import { releases, type Release } from '../directory/medicare-file.ts'
import { loadNppes } from '../directory/nppes.ts'
import { loadNucc } from '../directory/nucc.ts'
import type { Progress, ProgressStep } from '../directory/progress.ts'
import { refreshDirectory } from './refresh.ts'

/** `ratebook load …`: reference files into the directory. */
export function loadCommand(): Command {
  const load = new Command('load')
    .description('load reference files: providers, specialties, hospitals, Medicare fee schedules')
    .addHelpText(
      'after',
      '\nSOURCE is a file, a folder or an address; zip and gzip are unpacked, files are recognised by their headings.\nA load becomes visible at once when it is complete; one that fails or is stopped leaves the loaded data as they are.',
    )

  command(
    load,
    'nppes',
    'NPPES: monthly file, weekly increments, other names, practice locations, deactivations',
  )
    .option('--replace', 'begin with an empty directory instead of merging into the loaded one')
    .action(async (sources: string[], given: Given & { replace?: boolean }) => {
      await run(given, (data, progress) =>
        loadNppes(data, sources, { progress, replace: given.replace ?? false }),
      )
    })
  command(load, 'nucc', 'the NUCC taxonomy of specialties').action(
    async (sources: string[], given: Given) => {
      await run(given, (data, progress) => loadNucc(data, sources, { progress }))
    },
  )
  command(
    load,
    'hospitals',
    'CMS hospital list, Medicare enrolments (CCN to NPI), beds and health systems',
  ).action(async (sources: string[], given: Given) => {
    await run(given, (data, progress) => loadHospitals(data, sources, { progress }))
  })
  command(
    load,
    'medicare',
    'relative values, GPCIs, conversion factors, OPPS caps, anesthesia, ASP, MS-DRG weights, ZIP localities, RBCS; several years at once',
  )
    .option('--year <year>', 'for files that do not say which year they are for', fourDigits)
    .addOption(new Option('--release <letter>', 'for files that do not say their release').choices(releases))
    .action(async (sources: string[], given: Given & { year?: number; release?: Release }) => {
      const { year, release } = given
      await run(given, (data, progress) => loadMedicare(data, sources, { progress, year, release }))
    })
  return load
}

interface Given {
  readonly json?: boolean
}

const command = (parent: Command, name: string, description: string) =>
  parent
    .command(name)
    .description(description)
    .argument('<source...>', 'files, folders or addresses')
    .option('--json', 'print the report as JSON')

function fourDigits(text: string): number {
  if (!/^20\d\d$/.test(text)) throw new InvalidArgumentError('A year has four digits, such as 2025.')
  return Number(text)
}

async function run(
  given: Given,
  load: (dataFolder: string, progress: Progress) => Promise<LoadReport>,
): Promise<void> {
  const { RATEBOOK_DATA } = readSettings(process.env)
  const report = await load(RATEBOOK_DATA, progressLines())
  if (report.changed) await refreshDirectory(RATEBOOK_DATA)
  console.log(given.json ? JSON.stringify(report, undefined, 2) : reportLines(report).join('\n'))
}

const everyMs = 2_000

/** Tells on standard error how far a load is, at most every two seconds. */
function progressLines(): Progress {
  let told = performance.now()
  return (step) => {
    const now = performance.now()
    if (now - told < everyMs) return
    told = now
    console.error(progressLine(step))
  }
}

function progressLine({ stage, file, done, of }: ProgressStep): string {
  const share = of !== undefined && of > 0 ? ` ${Math.floor((100 * (done ?? 0)) / of)} %` : ''
  const megabytes = share === '' && done !== undefined ? ` ${Math.floor(done / 1e6)} MB` : ''
  return `${stage}${file === undefined ? '' : ` ${file}`}${share}${megabytes}`
}

const findingsShown = 50

function reportLines({
  dataset,
  build,
  changed,
  rows,
  sources,
  findings,
  counts,
  seconds,
}: LoadReport): string[] {
  const number = (value: number) => value.toLocaleString('en-US')
  return [
    ...sources.map((source) => `${source.name}: ${source.kind}, ${number(source.rows)} rows`),
    ...findings.slice(0, findingsShown).map(({ weight, file, line, column, says, count }) => {
      const place = [file, line === undefined ? '' : `line ${line}`, column ?? '']
        .filter((part) => part !== '')
        .join(', ')
      return `${weight}: ${place}: ${says}${count > 1 ? ` (${number(count)} times)` : ''}`
    }),
    ...(findings.length > findingsShown
      ? [`and ${findings.length - findingsShown} more findings (--json shows all)`]
      : []),
    ...Object.entries(counts).map(([name, count]) => `  ${name}: ${number(count)}`),
    `${dataset}: ${changed ? 'published' : 'already loaded,'} ${build}, ${number(rows)} rows, ${seconds} s`,
  ]
}

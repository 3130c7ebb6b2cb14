import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command as AnyCommand } from 'commander'
import { Failure } from '../errors.ts'

const [, , named = '', first = '-'] = process.argv
// Where a file is named, what inflates comes first: it takes longer to come up than this command line to be read.
if ((named === 'validate' || named === 'ingest') && !first.startsWith('-')) {
  const { prepareInflating } = await import('../ingestion/inflate/inflated.ts')
  prepareInflating()
}
const { Command, CommanderError } = await import('commander')

/** Each command by its name, loaded when it is asked for: most of a short command's time would go into loading the others. */
const commands: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  ingest: async () => (await import('./ingest.ts')).ingestCommand(),
  load: async () => (await import('./load.ts')).loadCommand(),
  validate: async () => (await import('./validate.ts')).validateCommand(),
  status: async () => (await import('./status.ts')).statusCommand(),
  publish: async () => (await import('./months.ts')).publishCommand(),
  drop: async () => (await import('./months.ts')).dropCommand(),
  rollback: async () => (await import('./months.ts')).rollbackCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  accounts: async () => (await import('./accounts.ts')).accountsCommand(),
  'oauth-clients': async () => (await import('./oauth-clients.ts')).oauthClientsCommand(),
  config: async () => (await import('./config.ts')).configCommand(),
}
const loaded = Object.hasOwn(commands, named) ? [commands[named]!] : Object.values(commands)

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as { version: string }

const program = new Command('ratebook')
  .description('US healthcare prices, queryable: payer machine-readable files in, exact answers out.')
  .version(version)
  .showHelpAfterError('(ratebook --help lists the commands)')
  .exitOverride()
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 wrong usage.\nSettings come from the environment; `ratebook config` prints them all.',
  )

for (const load of loaded) program.addCommand(await load())

// A sub-command that is misused must exit like the program itself.
const everyCommand = (command: AnyCommand): AnyCommand[] => [
  command,
  ...command.commands.flatMap(everyCommand),
]
for (const command of everyCommand(program)) command.exitOverride().showHelpAfterError()

// Whoever reads our output may stop reading, as `ratebook status | head` does; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    // A failure has a sentence made for people; anything else is shown whole, because it is a defect or a broken machine.
    const isExpected = error instanceof Failure || process.env['RATEBOOK_LOG_LEVEL'] !== 'debug'
    console.error(isExpected ? `ratebook: ${(error as Error).message}` : error)
    process.exitCode = 1
  }
}

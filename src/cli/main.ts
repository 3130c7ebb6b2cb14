import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { Failure } from '../errors.ts'
import { accountsCommand } from './accounts.ts'
import { configCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { ingestCommand } from './ingest.ts'
import { exportCommand } from './export.ts'
import { loadCommand } from './load.ts'
import { migrateCommand } from './migrate.ts'
import { dropCommand, publishCommand, rollbackCommand } from './months.ts'
import { oauthClientsCommand } from './oauth-clients.ts'
import { serveCommand } from './serve.ts'
import { statusCommand } from './status.ts'
import { validateCommand } from './validate.ts'

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
  .addCommand(serveCommand())
  .addCommand(ingestCommand())
  .addCommand(loadCommand())
  .addCommand(validateCommand())
  .addCommand(statusCommand())
  .addCommand(publishCommand())
  .addCommand(dropCommand())
  .addCommand(rollbackCommand())
  .addCommand(exportCommand())
  .addCommand(demoCommand())
  .addCommand(migrateCommand())
  .addCommand(accountsCommand())
  .addCommand(oauthClientsCommand())
  .addCommand(configCommand())

// A sub-command that is misused must exit like the program itself.
const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)]
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

import { Command } from 'commander'
import { readSettings } from '../config.ts'
import { Failure } from '../errors.ts'
import { forgetClient, issueClient, oauthClients } from '../oauth/clients.ts'
import { openRecords } from '../records/open.ts'
import type { Records } from '../records/records.ts'

/** `ratebook oauth-clients …`: ids and secrets for AI hosts that cannot register themselves. */
export function oauthClientsCommand(): Command {
  const clients = new Command('oauth-clients').description(
    'client ids and secrets for AI hosts that connect to the tool server (for the operator)',
  )

  clients
    .command('add')
    .description('issue a client id and secret for the redirect addresses of a host')
    .requiredOption('--name <text>', 'what users read on the consent page')
    .requiredOption('--redirect <address...>', 'redirect addresses, exactly as the host sends them')
    .option('--public', 'without a secret, for programs on the user’s own machine')
    .option('--secret-in-body', 'for hosts that send the secret in the body instead of the header')
    .option('--json', 'print JSON')
    .action(
      (given: {
        name: string
        redirect: string[]
        public?: boolean
        secretInBody?: boolean
        json?: boolean
      }) =>
        withRecords(async (records) => {
          const issued = await issueClient(
            records,
            given.name,
            given.redirect,
            given.public ? 'none' : given.secretInBody ? 'client_secret_post' : 'client_secret_basic',
          )
          print(given.json, issued, [
            `Client id ${issued.clientId}`,
            ...(issued.clientSecret === undefined
              ? []
              : [`Client secret ${issued.clientSecret} (shown this once)`]),
          ])
        }),
    )

  clients
    .command('list')
    .description('list the clients, also those that registered themselves')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      withRecords(async (records) => {
        const all = await oauthClients(records)
        print(
          json,
          all,
          all.map(
            ({ id, name, origin, redirectUris, connections }) =>
              `${id}  ${name}  (${origin})  ${connections} connected  ${redirectUris.join(' ')}`,
          ),
        )
      }),
    )

  clients
    .command('remove <id>')
    .description('remove a client and end its connections')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      withRecords(async (records) => {
        const known = (await oauthClients(records)).find((client) => client.id === id)
        if (!known) throw new Failure('not_found', `There is no client ${id}.`)
        await forgetClient(records, id, Date.now())
        print(json, { id, connections: known.connections }, [
          `Removed ${known.name}; ${known.connections} connections ended`,
        ])
      }),
    )
  return clients
}

async function withRecords(work: (records: Records) => Promise<void>): Promise<void> {
  const records = await openRecords(readSettings(process.env))
  try {
    await work(records)
  } finally {
    await records.close()
  }
}

function print(json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(value) : lines.join('\n'))
}

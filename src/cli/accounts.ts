import { Command, InvalidArgumentError } from 'commander'
import { type ApiKey, createKey, keysOf, revokeKey } from '../accounts/api-keys.ts'
import {
  changeOrganization,
  createOrganization,
  grantCredits,
  type Organization,
  organizationNamed,
  organizations,
} from '../accounts/organizations.ts'
import { passwordHash } from '../accounts/passwords.ts'
import { newToken } from '../accounts/tokens.ts'
import { addMember, changeMember, createUser, members, type Role, userByEmail } from '../accounts/users.ts'
import { readSettings } from '../config.ts'
import { Failure } from '../errors.ts'
import { operationGroups } from '../operations/operation.ts'
import { openRecords } from '../records/open.ts'
import type { Records } from '../records/records.ts'

const pageSizeMost = 10_000

/** `ratebook accounts …`: what the operator of a server does for its users. */
export function accountsCommand(): Command {
  const accounts = new Command('accounts')
    .description('organisations, users, keys, credits and limits (for the operator)')
    .addHelpText(
      'after',
      '\nORG is the id or the name of an organisation, or the e-mail address of one of its members.',
    )

  command(accounts, 'create', 'make an organisation with an admin user and a first API key')
    .requiredOption('--email <address>', 'the admin’s e-mail address', emailFrom)
    .requiredOption('--organization <name>', 'its name', nameFrom)
    .option('--credits <n>', 'credits to start with (default: the sign-up credits)', wholeNumber)
    .option('--password <text>', 'the admin’s password (default: one is made and printed)')
    .action(
      (given: { email: string; organization: string; credits?: number; password?: string; json?: boolean }) =>
        withRecords(async (records, settings) => {
          const password = given.password ?? newToken(12)
          const hash = await passwordHash(password)
          const made = await records.db.transaction().execute(async (db) => {
            const user = await createUser({ db }, given.email, hash)
            const organization = await createOrganization(
              { db },
              given.organization,
              given.credits ?? settings.RATEBOOK_SIGN_UP_CREDITS,
              'operator',
            )
            await addMember({ db }, organization.id, user.id, 'admin')
            return {
              organization,
              user,
              ...(await createKey({ db }, organization.id, 'First key', { createdBy: user.id })),
            }
          })
          print(
            given.json,
            { apiKey: made.apiKey, organization: made.organization, user: made.user, password },
            () => [
              `Organisation ${made.organization.name} (${made.organization.id}) with ${made.organization.credits} credits`,
              `User ${made.user.email}, password ${password}`,
              `API key ${made.apiKey} (shown this once)`,
            ],
          )
        }),
    )

  command(accounts, 'list', 'list the organisations').action((given: { json?: boolean }) =>
    withRecords(async (records) => {
      const all = await organizations(records)
      print(given.json, all, () => all.map(organizationLine))
    }),
  )

  command(accounts, 'show <org>', 'show an organisation with its members and keys').action(
    (org: string, given: { json?: boolean }) =>
      withRecords(async (records) => {
        const organization = await organizationNamed(records, org)
        const found = {
          organization,
          members: await members(records, organization.id),
          keys: await keysOf(records, organization.id),
        }
        print(given.json, found, () => [
          organizationLine(organization),
          ...found.members.map(({ email, role }) => `  ${role} ${email}`),
          ...found.keys.map((key) => `  key ${keyLine(key)}`),
        ])
      }),
  )

  command(accounts, 'user <org>', 'add a user to an organisation, or change their role')
    .requiredOption('--email <address>', 'who', emailFrom)
    .option('--role <role>', 'admin or member', roleFrom, 'member' as Role)
    .option('--password <text>', 'password of a new user (default: one is made and printed)')
    .action((org: string, given: { email: string; role: Role; password?: string; json?: boolean }) =>
      withRecords(async (records) => {
        const organization = await organizationNamed(records, org)
        const known = await userByEmail(records, given.email)
        const password = known ? undefined : (given.password ?? newToken(12))
        const id = known?.id ?? (await createUser(records, given.email, await passwordHash(password!))).id
        if (known && (await members(records, organization.id)).some((member) => member.id === id))
          await changeMember(records, organization.id, id, given.role)
        else await addMember(records, organization.id, id, given.role)
        print(given.json, { userId: id, role: given.role, ...(password && { password }) }, () => [
          `${given.email} is ${given.role} of ${organization.name}${password ? `; password ${password}` : ''}`,
        ])
      }),
    )

  command(accounts, 'key <org>', 'issue an API key')
    .option('--name <text>', 'what it is for', 'Operator key')
    .option(
      '--groups <list>',
      `endpoint groups it may call, of ${operationGroups.join(', ')} (default: all)`,
      listFrom,
    )
    .option('--tools <list>', 'tools it may use (default: all)', listFrom)
    .option('--expires <day>', 'YYYY-MM-DD on which it ends, UTC (default: never)', dayFrom)
    .action(
      (
        org: string,
        given: { name: string; groups?: string[]; tools?: string[]; expires?: number; json?: boolean },
      ) =>
        withRecords(async (records) => {
          const unknown =
            given.groups?.filter((group) => !operationGroups.some((known) => known === group)) ?? []
          if (unknown.length > 0)
            throw new Failure('invalid_request', `No endpoint group is called ${unknown.join(', ')}.`)
          const organization = await organizationNamed(records, org)
          const limits = {
            groups: given.groups ?? null,
            tools: given.tools ?? null,
            expiresAt: given.expires ?? null,
          }
          const made = await createKey(records, organization.id, given.name, { limits })
          print(given.json, made, () => [`API key ${made.apiKey} (shown this once)`])
        }),
    )

  command(accounts, 'revoke <org> <key>', 'end an API key at once; KEY is its id or prefix').action(
    (org: string, key: string, given: { json?: boolean }) =>
      withRecords(async (records) => {
        const organization = await organizationNamed(records, org)
        const found = (await keysOf(records, organization.id)).filter(
          ({ id, prefix }) => id === key || prefix === key,
        )
        if (found.length !== 1)
          throw new Failure(
            'not_found',
            `${organization.name} has ${found.length === 0 ? 'no key' : 'several keys'} ${key}.`,
          )
        const revoked = await revokeKey(records, organization.id, found[0]!.id)
        print(given.json, revoked, () => [`Revoked ${keyLine(revoked)}`])
      }),
  )

  command(accounts, 'grant <org>', 'give credits')
    .argument('<credits>', 'how many', wholeNumber)
    .option('--reason <text>', 'why, for the record', 'operator')
    .action((org: string, credits: number, given: { reason: string; json?: boolean }) =>
      withRecords(async (records) => {
        const organization = await organizationNamed(records, org)
        const now = await grantCredits(records, organization.id, credits, given.reason)
        print(given.json, { organizationId: organization.id, credits: now }, () => [
          `${organization.name} has ${now} credits`,
        ])
      }),
    )

  command(accounts, 'limits <org>', 'set rate limit and page size; "default" takes a limit back')
    .option('--rate <n>', 'requests a second on average', numberOrDefault)
    .option('--burst <n>', 'requests at once', wholeOrDefault)
    .option('--page-size-max <n>', 'largest page of provider rates, 1 to 10000', pageSizeOrDefault)
    .action((org: string, given: { rate?: Limit; burst?: Limit; pageSizeMax?: Limit; json?: boolean }) =>
      changed(org, given.json, {
        ...(given.rate !== undefined && { ratePerSecond: limitFrom(given.rate) }),
        ...(given.burst !== undefined && { rateBurst: limitFrom(given.burst) }),
        ...(given.pageSizeMax !== undefined && { pageSizeMax: limitFrom(given.pageSizeMax) }),
      }),
    )

  command(
    accounts,
    'tools <org> <list>',
    'set the tools an organisation may use: names with commas, or "all"',
  ).action((org: string, list: string, given: { json?: boolean }) =>
    changed(org, given.json, { tools: list === 'all' ? null : listFrom(list) }),
  )
  command(accounts, 'suspend <org>', 'refuse every call of an organisation').action(
    (org: string, given: { json?: boolean }) => changed(org, given.json, { suspendedAt: Date.now() }),
  )
  command(accounts, 'resume <org>', 'end a suspension').action((org: string, given: { json?: boolean }) =>
    changed(org, given.json, { suspendedAt: null }),
  )
  return accounts
}

const command = (parent: Command, usage: string, description: string) =>
  parent.command(usage).description(description).option('--json', 'print JSON')

async function withRecords(
  work: (records: Records, settings: ReturnType<typeof readSettings>) => Promise<void>,
): Promise<void> {
  const settings = readSettings(process.env)
  const records = await openRecords(settings)
  try {
    await work(records, settings)
  } finally {
    await records.close()
  }
}

const changed = (org: string, json: boolean | undefined, change: Parameters<typeof changeOrganization>[2]) =>
  withRecords(async (records) => {
    const organization = await changeOrganization(records, (await organizationNamed(records, org)).id, change)
    print(json, organization, () => [organizationLine(organization)])
  })

function print(json: boolean | undefined, value: unknown, lines: () => string[]): void {
  console.log(json ? JSON.stringify(value) : lines().join('\n'))
}

function organizationLine({
  id,
  name,
  credits,
  ratePerSecond,
  rateBurst,
  pageSizeMax,
  tools,
  suspendedAt,
}: Organization): string {
  const parts = [
    `${credits} credits`,
    ratePerSecond !== null && `${ratePerSecond} a second`,
    rateBurst !== null && `${rateBurst} at once`,
    pageSizeMax !== null && `pages of ${pageSizeMax}`,
    tools !== null && `tools: ${tools.join(', ') || 'none'}`,
    suspendedAt !== null && 'SUSPENDED',
  ]
  return `${id}  ${name}  ${parts.filter(Boolean).join('; ')}`
}

const keyLine = ({ id, prefix, name, revokedAt }: ApiKey) =>
  `${prefix}…  ${name}  ${id}${revokedAt === null ? '' : '  revoked'}`

function wholeNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Expected a whole number.')
  return number
}

/** A limit as an operator gives it. Not null for the default: Commander turns a null into an empty text. */
type Limit = number | 'default'

const limitFrom = (limit: Limit) => (limit === 'default' ? null : limit)

function numberOrDefault(text: string): Limit {
  if (text === 'default') return text
  if (!(Number(text) > 0)) throw new InvalidArgumentError('Expected a number above zero, or "default".')
  return Number(text)
}

function wholeOrDefault(text: string): Limit {
  const number = text === 'default' ? text : wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('Expected a number above zero, or "default".')
  return number
}

function pageSizeOrDefault(text: string): Limit {
  const number = wholeOrDefault(text)
  if (number !== 'default' && number > pageSizeMost)
    throw new InvalidArgumentError(`Expected at most ${pageSizeMost}.`)
  return number
}

function roleFrom(text: string): Role {
  if (text !== 'admin' && text !== 'member') throw new InvalidArgumentError('Expected admin or member.')
  return text
}

function dayFrom(text: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The parser takes a 30th of February for the 2nd of March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('Expected a day as YYYY-MM-DD.')
  return at
}

function emailFrom(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError('Expected an e-mail address.')
  return text
}

function nameFrom(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a name.')
  return text.trim()
}

const listFrom = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

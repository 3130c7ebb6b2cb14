import { isIP } from 'node:net'
import { z } from 'zod'

const flag = z.enum(['on', 'off']).transform((value) => value === 'on')
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(least).max(most)

const address = (...protocols: string[]) =>
  z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol.slice(0, -1) ?? ''), {
    error: `Expected an address that begins with ${protocols.map((name) => `${name}://`).join(' or ')}`,
  })

function isTrust(text: string): boolean {
  return text === 'on' || text === 'off' || text.split(',').every((part) => isNetwork(part.trim()))
}

function isNetwork(text: string): boolean {
  const [ip = '', bits, ...rest] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1
  return (
    most > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

/**
 * Every setting of the product, read once from the environment.
 * `ratebook config` and docs/configuration.md print this table.
 */
const settings = {
  PORT: [whole(0, 65_535).default(8080), 'Port to listen on; 0 lets the system choose'],
  HOST: [z.string().default('127.0.0.1'), 'Address to listen on; 0.0.0.0 for all'],
  RATEBOOK_DATA: [
    z.string().default('./.ratebook'),
    'Folder that holds everything: records, published rates, directory',
  ],
  RATEBOOK_DEMO: [flag.default(true), 'Load the synthetic demo when the data folder is empty (on, off)'],
  RATEBOOK_BASE_URL: [
    address('http', 'https').optional(),
    'Public address of this server, as users see it; default: what it listens on',
  ],
  RATEBOOK_DATABASE_URL: [
    address('postgres', 'postgresql').optional(),
    'postgres://… to keep records in PostgreSQL instead of SQLite in the data folder',
  ],
  RATEBOOK_DATABASE_POOL: [whole(1, 1_000).default(10), 'Connections to PostgreSQL'],
  RATEBOOK_SECRET: [
    z.string().min(32).optional(),
    'Secret that signs cursors and links; default: made once and kept in the data folder. Set the same value on every process behind a balancer',
  ],
  RATEBOOK_LOG_LEVEL: [
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'How much to log',
  ],
  RATEBOOK_TRUST_PROXY: [
    z
      .string()
      .refine(isTrust, 'Expected on, off, or addresses and networks such as 10.0.0.0/8')
      .default('off'),
    'Whose X-Forwarded-* headers to believe: off, on, or a list of addresses and networks',
  ],
  RATEBOOK_CORS_ORIGINS: [
    z.string().default(''),
    'Origins that may call the API from a browser, comma-separated; * for any; empty for none',
  ],
  RATEBOOK_BODY_LIMIT: [whole(1_024).default(1_048_576), 'Largest JSON body in bytes'],
  RATEBOOK_REQUEST_TIMEOUT_MS: [whole(100).default(30_000), 'How long a request may take to arrive'],
  RATEBOOK_ANSWER_TIMEOUT_MS: [
    whole(100).default(60_000),
    'How long an answer may take before the work is stopped',
  ],
  RATEBOOK_SHUTDOWN_MS: [
    whole(0).default(15_000),
    'How long running requests may finish after a stop signal',
  ],
  RATEBOOK_MAX_EVENT_LOOP_DELAY_MS: [
    whole(0).default(1_000),
    'Event-loop delay above which new requests get 503; 0 turns the guard off',
  ],
  RATEBOOK_MAX_HEAP_BYTES: [
    whole(0).default(0),
    'Heap size above which new requests get 503; 0 turns the guard off',
  ],
  RATEBOOK_MAX_IN_FLIGHT: [
    whole(0).default(1_000),
    'API requests under way above which new ones get 503; 0 turns the guard off',
  ],
  RATEBOOK_METRICS: [
    z.enum(['off', 'local', 'public']).default('local'),
    'Who may read /metrics: nobody, this machine, everybody',
  ],
  RATEBOOK_JOBS: [
    flag.default(true),
    'Whether this process does background work: reports, contract extraction (on, off)',
  ],
  RATEBOOK_EXTRACTOR_URL: [
    address('http', 'https').optional(),
    'Address of an OpenAI-compatible service that reads contracts instead of the rules, up to and without /chat/completions, such as https://models.example.org/v1',
  ],
  RATEBOOK_EXTRACTOR_KEY: [z.string().optional(), 'Key for that service, sent as a bearer token'],
  RATEBOOK_EXTRACTOR_MODEL: [
    z.string().optional(),
    'Model that the service is asked for; needed with its address',
  ],
  RATEBOOK_EXTRACTOR_TIMEOUT_MS: [
    whole(1_000).default(180_000),
    'How long one answer of that service may take before it is asked again',
  ],
  RATEBOOK_EXTRACTOR_CHARACTERS: [
    whole(1_000, 1_000_000).default(24_000),
    'How much of a contract that service is asked about at a time, in characters',
  ],
  RATEBOOK_SIGN_UP: [flag.default(true), 'Whether anybody may sign up (on, off)'],
  RATEBOOK_SIGN_UP_CREDITS: [whole(0).default(5), 'Credits a new organisation starts with'],
  RATEBOOK_PRICES: [
    z.string().default(''),
    'Prices that differ from the table, as operation=credits, comma-separated, such as marketBenchmarks=2',
  ],
  RATEBOOK_CREDITS_URL: [
    z.string().optional(),
    'Where a caller without credit is sent; default: the account page of this server',
  ],
  RATEBOOK_RATE_PER_SECOND: [
    z.coerce.number().positive().default(50),
    'Requests a second that an organisation may make on average, unless the operator set its own',
  ],
  RATEBOOK_RATE_BURST: [whole(1).default(100), 'Requests that an organisation may make at once'],
  RATEBOOK_PAGE_SIZE_MAX: [
    whole(1, 10_000).default(10_000),
    'Largest page of provider rates, unless the operator set an organisation its own',
  ],
  RATEBOOK_LIMIT_CODES: [whole(1).default(500), 'Billing codes that one pricing question may name'],
  RATEBOOK_LIMIT_PAYERS: [whole(1).default(250), 'Payers that one pricing question may name'],
  RATEBOOK_LIMIT_IDENTIFIERS: [
    whole(1).default(1_000),
    'NPIs, TINs and CCNs together that one provider-rates question may name',
  ],
  RATEBOOK_LIMIT_PERIODS: [whole(1).default(36), 'Periods that one pricing question may name'],
  RATEBOOK_LIMIT_ZIP_CODES: [whole(1).default(1_000), 'ZIP codes that one market question may name'],
  RATEBOOK_LIMIT_ROWS: [whole(1).default(100_000), 'Rows of an answer that is not paged'],
  RATEBOOK_LIMIT_PAGED_ROWS: [whole(1).default(1_000_000), 'Rows of an answer over all its pages'],
  RATEBOOK_LIMIT_ENTRIES: [
    whole(1).default(20_000_000_000),
    'Entries that the cohort of a market question may hold',
  ],
  RATEBOOK_QUERY_MS: [
    whole(10).default(30_000),
    'How long one pricing question may run before it is stopped',
  ],
  RATEBOOK_REPORT_ROWS: [whole(1, 1_000_000_000).default(10_000_000), 'Rows that one report may have'],
  RATEBOOK_REPORT_MEMORY_MB: [
    whole(64).default(512),
    'Memory for reading the rows of reports, and as much again while one is being built, in megabytes',
  ],
  RATEBOOK_REPORT_THREADS: [whole(1, 64).default(2), 'Threads that the engine of reports may use'],
  RATEBOOK_CACHE_BYTES: [
    whole(1 << 20).default(1 << 30),
    'Memory for prices and provider sets that are kept unpacked between questions',
  ],
  RATEBOOK_SESSION_HOURS: [whole(1).default(24 * 14), 'How long a log-in lasts without use'],
  RATEBOOK_SMTP_URL: [
    address('smtp', 'smtps').optional(),
    'smtp://user:password@host:port for verification and reset mails; without it the links go to the log',
  ],
  RATEBOOK_MAIL_FROM: [z.string().default('Ratebook <ratebook@localhost>'), 'Sender of mails'],
  RATEBOOK_PAYERS: [
    z.string().optional(),
    'JSON file of payers to add to the registry: [{ payer, name, states, aliases }]; also read: payers.json in the data folder',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>

export type SettingName = keyof typeof settings
export type Settings = { readonly [Name in SettingName]: z.output<(typeof settings)[Name][0]> }

/** One line of `ratebook config`. */
export interface SettingLine {
  readonly name: SettingName
  readonly meaning: string
  readonly default: string
  readonly value: string
  readonly set: boolean
}

const secretNames: ReadonlySet<SettingName> = new Set([
  'RATEBOOK_SECRET',
  'RATEBOOK_DATABASE_URL',
  'RATEBOOK_SMTP_URL',
  'RATEBOOK_EXTRACTOR_KEY',
])

type Environment = Readonly<Record<string, string | undefined>>

// An empty variable (`PORT=` in an .env file) means "not set".
const given = (env: Environment, name: string) => env[name] || undefined

/** Reads and checks every setting; throws one error that names every wrong one. */
export function readSettings(env: Environment): Settings {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, [schema]] of Object.entries(settings)) {
    const parsed = schema.safeParse(given(env, name))
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues.map(({ message }) => message).join('; ')}`)
  }
  if (values['RATEBOOK_EXTRACTOR_URL'] && !values['RATEBOOK_EXTRACTOR_MODEL'])
    problems.push('RATEBOOK_EXTRACTOR_MODEL: needed with RATEBOOK_EXTRACTOR_URL')
  for (const name of Object.keys(env)) {
    if (
      name.startsWith('RATEBOOK_') &&
      !(name in settings) &&
      !name.startsWith('RATEBOOK_TEST_') &&
      name !== 'RATEBOOK_REAL_DATA'
    )
      problems.push(`${name}: no such setting`)
  }
  if (problems.length > 0)
    throw new Error(`The settings are not valid.\n${problems.map((line) => `  ${line}`).join('\n')}`)
  return values as Settings
}

/** Every setting with its meaning, default and present value; secrets are shown as set or not. */
export function settingLines(env: Environment): SettingLine[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const [schema, meaning] = settings[name]
    const fallback = shown(schema.safeParse(undefined).data)
    const set = given(env, name)
    const value = set === undefined ? fallback : secretNames.has(name) ? '(set)' : set
    return { name, meaning, default: fallback, value, set: set !== undefined }
  })
}

const shown = (value: unknown) =>
  value === undefined
    ? ''
    : typeof value === 'boolean'
      ? value
        ? 'on'
        : 'off'
      : String(value as string | number)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMailer, type Mailer } from './accounts/mailer.ts'
import type { Caller } from './accounts/callers.ts'
import { Gate } from './accounts/gate.ts'
import { signingSecret } from './accounts/tokens.ts'
import type { Settings } from './config.ts'
import { type OperationName, operations } from './operations/index.ts'
import type { RequestOf, ResponseOf } from './operations/operation.ts'
import { openRecords } from './records/open.ts'
import type { Records } from './records/records.ts'
import { extendPayers, PayerEntries, payers } from './vocabulary/payers.ts'

/** What an answer may know of the call it serves. */
export interface CallContext {
  readonly caller: Caller
  /** Fires when the client leaves or the time is up. */
  readonly signal: AbortSignal
  /** Adds a header to the answer. */
  readonly header: (name: string, value: string) => void
}

/** The room function behind each operation. One that is missing answers `not_loaded`. */
export type Answers = {
  [Name in OperationName]?: (
    request: RequestOf<(typeof operations)[Name]>,
    context: CallContext,
  ) => Promise<ResponseOf<(typeof operations)[Name]>>
}

/** Everything that the doors work with, opened. */
export interface Service {
  readonly settings: Settings
  readonly records: Records
  readonly gate: Gate
  readonly mailer: Mailer
  readonly secret: string
  readonly answers: Answers
  /** The address users see. Known for certain once the server listens. */
  readonly address: { baseUrl: string }
  readonly now: () => number
  readonly log: (text: string) => void
  close(): Promise<void>
}

export interface ServiceOptions {
  readonly log?: (text: string) => void
  /** A clock of one's own, for tests. */
  readonly now?: () => number
}

/** Opens the stores and hands out the rooms. */
export async function openService(
  settings: Settings,
  { log = console.error, now = Date.now }: ServiceOptions = {},
): Promise<Service> {
  extendPayers(morePayers(settings))
  const prices = priceList(settings.RATEBOOK_PRICES)
  const records = await openRecords(settings, (error) =>
    log(`The database dropped an idle connection: ${error.message}`),
  )
  const address = {
    baseUrl: (settings.RATEBOOK_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`).replace(/\/$/, ''),
  }
  const gate = new Gate(
    records,
    {
      ratePerSecond: settings.RATEBOOK_RATE_PER_SECOND,
      rateBurst: settings.RATEBOOK_RATE_BURST,
      prices,
      creditsUrl: () => settings.RATEBOOK_CREDITS_URL ?? `${address.baseUrl}/account/credits`,
    },
    now,
  )
  return {
    settings,
    records,
    gate,
    mailer: openMailer(settings.RATEBOOK_SMTP_URL, settings.RATEBOOK_MAIL_FROM, log),
    secret: await signingSecret(records, settings.RATEBOOK_SECRET),
    answers: { payers: async () => payers().map(({ payer }) => ({ payer, yearMonths: [] })) },
    address,
    now,
    log,
    async close() {
      await gate.close()
      await records.close()
    },
  }
}

/** `marketBenchmarks=2,npis=0` as a table; an error names what is wrong. */
export function priceList(text: string): ReadonlyMap<string, number> {
  const entries = text.split(',').filter((part) => part.trim() !== '')
  return new Map(
    entries.map((entry) => {
      const [, name = '', credits] = /^\s*(\w+)\s*=\s*(\d+)\s*$/.exec(entry) ?? []
      if (!(name in operations) || credits === undefined)
        throw new Error(
          `RATEBOOK_PRICES: "${entry.trim()}" is not operation=credits with one of ${Object.keys(operations).join(', ')}`,
        )
      return [name, Number(credits)]
    }),
  )
}

/** The operator's own payers, from the file that a setting names and from the data folder. */
function morePayers(settings: Settings) {
  const files = [
    join(settings.RATEBOOK_DATA, 'payers.json'),
    ...(settings.RATEBOOK_PAYERS ? [settings.RATEBOOK_PAYERS] : []),
  ]
  return files.flatMap((file) => {
    const text = textOf(file)
    if (text === undefined) {
      if (file === settings.RATEBOOK_PAYERS) throw new Error(`RATEBOOK_PAYERS: cannot read ${file}`)
      return []
    }
    const parsed = PayerEntries.safeParse(JSON.parse(text))
    if (!parsed.success)
      throw new Error(
        `${file}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
      )
    return parsed.data.map(({ synthetic, ...entry }) => ({ ...entry, ...(synthetic && { synthetic }) }))
  })
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

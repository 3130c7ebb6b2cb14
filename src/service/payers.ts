import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../errors.ts'
import { extendPayers, PayerEntries, type PayerEntry } from '../vocabulary/payers.ts'

export interface PayerSettings {
  readonly RATEBOOK_DATA: string
  readonly RATEBOOK_PAYERS?: string | undefined
}

/** Adds the operator's own payers to the registry: the data folder's payers.json, then the file that a setting names. */
export function registerPayers({ RATEBOOK_DATA, RATEBOOK_PAYERS }: PayerSettings): void {
  extendPayers(entriesIn(join(RATEBOOK_DATA, 'payers.json')) ?? [])
  if (RATEBOOK_PAYERS === undefined) return
  const entries = entriesIn(RATEBOOK_PAYERS)
  if (!entries) throw new Failure('invalid_request', `RATEBOOK_PAYERS: cannot read ${RATEBOOK_PAYERS}`)
  extendPayers(entries)
}

const lookEveryMs = 1_000

/** Registers the payers of a data folder again whenever a command changed them. Returns what stops it. */
export function followPayers(settings: PayerSettings, log: (text: string) => void): () => void {
  const path = join(settings.RATEBOOK_DATA, 'payers.json')
  const stampOf = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  let seen = stampOf()
  const timer = setInterval(() => {
    const stamp = stampOf()
    if (stamp === seen) return
    seen = stamp
    try {
      registerPayers(settings)
    } catch (error) {
      log((error as Error).message)
    }
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

function entriesIn(path: string): PayerEntry[] | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const parsed = PayerEntries.safeParse(jsonOf(text, path))
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Failure('invalid_request', `${path} is not a list of payers: ${problems.join('; ')}`)
  }
  return parsed.data.map(({ synthetic, ...entry }) => ({ ...entry, ...(synthetic && { synthetic }) }))
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('invalid_request', `${path} is not JSON: ${(error as Error).message}`)
  }
}

import { z } from 'zod'
import { notAllowed } from './choice.ts'
import { payerList } from './payers-list.ts'

/** An insurer or state affiliate whose files we know by name. */
export interface PayerEntry {
  /** What requests and answers call it. */
  readonly payer: string
  /** What people read. */
  readonly name: string
  /** Where it does business; empty means nationwide. */
  readonly states: readonly string[]
  /** How its files name it in `reporting_entity_name`, beside its name. */
  readonly aliases: readonly string[]
  /** True for payers that exist only in the synthetic demo. */
  readonly synthetic?: boolean
}

/** Shape of an operator's own payer list, which adds to the built-in one or replaces an entry by its identifier. */
export const PayerEntries = z.array(
  z.strictObject({
    payer: z.string().min(1).max(100),
    name: z.string().min(1).max(200),
    states: z.array(z.string().length(2)).default([]),
    aliases: z.array(z.string().min(1)).default([]),
    synthetic: z.boolean().optional(),
  }),
)

const entries = new Map<string, PayerEntry>()
const byAlias = new Map<string, PayerEntry>()

// Punctuation, case and the words of incorporation differ from month to month in reporting_entity_name.
const folded = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/\b(inc|llc|corp|corporation|co|company|ltd|lp|the)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Adds payers to the registry, or replaces them by identifier. Called at start, before the first request. */
export function extendPayers(more: readonly PayerEntry[]): void {
  for (const entry of more) {
    entries.set(entry.payer, entry)
    for (const alias of [entry.payer, entry.name, ...entry.aliases]) byAlias.set(folded(alias), entry)
  }
}
extendPayers(payerList)

/** Every payer of the registry, by identifier. */
export const payers = (): PayerEntry[] => [...entries.values()].sort((a, b) => (a.payer < b.payer ? -1 : 1))

export const payerOf = (payer: string) => entries.get(payer)

/** The payer that a file's `reporting_entity_name`, or a person's typing, means; undefined where the registry has no such alias. */
export const payerNamed = (text: string) => byAlias.get(folded(text))

const identifiers = () => payers().map(({ payer }) => payer)

export const Payer = z
  .string({ error: (issue) => notAllowed('payer', issue.input, identifiers()) })
  .refine((payer) => entries.has(payer), {
    error: (issue) => notAllowed('payer', issue.input, identifiers()),
  })
  .describe('Payer identifier, as GET /api/v1/payers lists it')
  .meta({ examples: ['Aetna'], jsonSchema: { type: 'string', minLength: 1, maxLength: 100 } })

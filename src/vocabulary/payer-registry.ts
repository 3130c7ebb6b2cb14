import type { PayerEntry } from './payer-entry.ts'
import { payerList } from './payers-list.ts'

const entries = new Map<string, PayerEntry>()
const byAlias = new Map<string, PayerEntry>()

const incorporation = /\b(inc|incorporated|llc|corp|corporation|co|company|ltd|limited|lp|the|and|of)\b/g

/**
 * What is left of a payer's name when spelling no longer matters.
 * From month to month and file to file the same insurer is "BlueCross BlueShield of X", "Blue Cross & Blue Shield of X, Inc."
 * and, in file names, "Blue-Cross-and-Blue-Shield-of-X": case, punctuation, spaces, little words and words of incorporation say nothing.
 */
export const foldedPayerName = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/['’\p{M}]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/\bbcbs\b/g, 'blue cross blue shield')
    .replaceAll(incorporation, ' ')
    .replaceAll(' ', '')

const aliasesOf = (entry: PayerEntry) =>
  [entry.payer, entry.name, ...entry.aliases].map(foldedPayerName).filter(Boolean)

/**
 * Adds payers to the registry, or replaces them by identifier. Called at start, before the first request.
 * Where two payers claim one alias the later wins, so that an operator's list outranks the built-in one.
 */
export function extendPayers(more: readonly PayerEntry[]): void {
  for (const entry of more) {
    const replaced = entries.get(entry.payer)
    if (replaced)
      for (const alias of aliasesOf(replaced)) if (byAlias.get(alias) === replaced) byAlias.delete(alias)
    entries.set(entry.payer, entry)
    for (const alias of aliasesOf(entry)) byAlias.set(alias, entry)
  }
}
extendPayers(payerList)

/** Every payer of the registry, by identifier. */
export const payers = (): PayerEntry[] => [...entries.values()].sort((a, b) => (a.payer < b.payer ? -1 : 1))

export const payerOf = (payer: string) => entries.get(payer)

/** The payer that a file's `reporting_entity_name`, or a person's typing, means; undefined where the registry has no such alias. */
export const payerNamed = (text: string) => byAlias.get(foldedPayerName(text))

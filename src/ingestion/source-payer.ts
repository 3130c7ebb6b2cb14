import { Failure } from '../errors.ts'
import { nearest } from '../vocabulary/nearest.ts'
import type { PayerEntry } from '../vocabulary/payer-entry.ts'
import { payerNamed, payerOf, payers } from '../vocabulary/payer-registry.ts'

/** The payer that an operator names: by identifier, display name or alias. */
export function givenPayer(text: string): PayerEntry {
  const found = payerOf(text) ?? payerNamed(text)
  if (found) return found
  const near = nearest(
    text,
    payers().map(({ payer }) => payer),
  ).join(', ')
  throw new Failure(
    'invalid_request',
    `"${text}" is no payer of the registry; nearest: ${near}. To add one, put it into payers.json in the data folder.`,
  )
}

/** The payer that a file or its index names, the index first; undefined where the registry knows neither name. */
export const reportedPayer = (...names: readonly (string | undefined)[]): PayerEntry | undefined =>
  names.map((name) => name && payerNamed(name)).find((entry): entry is PayerEntry => Boolean(entry))

/** What to do about a file whose publisher the registry does not know. */
export const unknownPayer = (name: string | undefined) =>
  name
    ? `The registry has no payer that goes by "${name}". Name the payer with --payer, or add the name to its aliases in payers.json in the data folder.`
    : 'The file does not say who published it. Name the payer with --payer.'

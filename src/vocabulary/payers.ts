import { z } from 'zod'
import { notAllowed } from './choice.ts'
import { State } from './enums.ts'
import { payerOf, payers } from './payer-registry.ts'

export type { PayerEntry } from './payer-entry.ts'
export { extendPayers, foldedPayerName, payerNamed, payerOf, payers } from './payer-registry.ts'

/** Shape of an operator's own payer list, which adds to the built-in one or replaces an entry by its identifier. */
export const PayerEntries = z.array(
  z.strictObject({
    payer: z.string().min(1).max(100),
    name: z.string().min(1).max(200),
    states: z.array(State).default([]),
    aliases: z.array(z.string().min(1)).default([]),
    synthetic: z.boolean().optional(),
  }),
)

const identifiers = () => payers().map(({ payer }) => payer)

export const Payer = z
  .string({ error: (issue) => notAllowed('payer', issue.input, identifiers()) })
  .refine((payer) => payerOf(payer) !== undefined, {
    error: (issue) => notAllowed('payer', issue.input, identifiers()),
  })
  .describe('Payer identifier, as GET /api/v1/payers lists it')
  .meta({ examples: ['Aetna'], jsonSchema: { type: 'string', minLength: 1, maxLength: 100 } })

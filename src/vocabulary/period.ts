import { z } from 'zod'

export {
  sourceMonthFromText,
  sourceMonthOf,
  sourceMonthText,
  yearMonthOf,
  type SourceMonth,
} from './source-month.ts'

/** A source-data period: the month a payer published for. */
export const YearMonth = z
  .strictObject({
    year: z
      .int()
      .min(2000)
      .max(2999)
      .describe('Four-digit year')
      .meta({ examples: [2026] }),
    month: z
      .int()
      .min(1)
      .max(12)
      .describe('Month, 1 to 12')
      .meta({ examples: [5] }),
  })
  .describe('A source-data period')
export type YearMonth = z.infer<typeof YearMonth>

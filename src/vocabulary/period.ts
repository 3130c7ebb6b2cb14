import { z } from 'zod'

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

/** 202605: how a period is stored, compared and named in `sourceMonths`. */
export type SourceMonth = number & { readonly sourceMonth: unique symbol }

export const sourceMonthOf = ({ year, month }: YearMonth) => (year * 100 + month) as SourceMonth
export const yearMonthOf = (month: SourceMonth): YearMonth => ({
  year: Math.floor(month / 100),
  month: month % 100,
})

/** Reads `2026-05` or `202605`; anything else is undefined. */
export function sourceMonthFromText(text: string): SourceMonth | undefined {
  const [, year, month] = /^(20\d\d)-?(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year && month ? sourceMonthOf({ year: Number(year), month: Number(month) }) : undefined
}

export const sourceMonthText = (month: SourceMonth) => String(month)

interface Period {
  year: number
  month: number
}

/** 202605: how a period is stored, compared and named in `sourceMonths`. */
export type SourceMonth = number & { readonly sourceMonth: unique symbol }

export const sourceMonthOf = ({ year, month }: Period) => (year * 100 + month) as SourceMonth
export const yearMonthOf = (month: SourceMonth): Period => ({
  year: Math.floor(month / 100),
  month: month % 100,
})

/** Reads `2026-05` or `202605`; anything else is undefined. */
export function sourceMonthFromText(text: string): SourceMonth | undefined {
  const [, year, month] = /^(20\d\d)-?(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year && month ? sourceMonthOf({ year: Number(year), month: Number(month) }) : undefined
}

export const sourceMonthText = (month: SourceMonth) => String(month)

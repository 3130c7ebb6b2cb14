/** A row of a report as callers get it. */
export type ReportRow = Readonly<Record<string, string | number | null>>

const isDollars = (row: ReportRow) =>
  row['negotiated_type'] !== 'percentage' && row['negotiated_type'] !== 'per diem'
const rate = (row: ReportRow) => Number(row['negotiated_rate'])
const isPlausible = (row: ReportRow) => rate(row) > 0 && rate(row) <= 100_000_000

const keyOf = (row: ReportRow, columns: readonly string[]) =>
  JSON.stringify(columns.map((column) => row[column] ?? null))

export function grouped(rows: readonly ReportRow[], columns: readonly string[]): Map<string, ReportRow[]> {
  const groups = new Map<string, ReportRow[]>()
  for (const row of rows) {
    const key = keyOf(row, columns)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}

/** Excel's PERCENTILE.INC. */
export function percentileInc(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * fraction
  const below = Math.floor(place)
  return sorted[below]! + (place - below) * ((sorted[below + 1] ?? sorted[below]!) - sorted[below]!)
}

export const naiveSummary: Record<
  'max' | 'median' | 'avg' | 'min' | 'modal',
  (values: readonly number[]) => number
> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  median: (values) => percentileInc(values, 0.5),
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  modal(values) {
    const counts = new Map<number, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts].sort(([a, n], [b, m]) => m - n || a - b)[0]![0]
  },
}

/** The rows of the newest month of each payer. */
export const newest = (rows: readonly ReportRow[]) => {
  const months = new Map<unknown, string>()
  for (const { payer, year_month: month } of rows)
    if ((months.get(payer) ?? '') < String(month)) months.set(payer, String(month))
  return rows.filter((row) => months.get(row['payer']) === row['year_month'])
}

/** The rows that computations are over: dollars that are a price. */
export const countable = (rows: readonly ReportRow[]) =>
  rows.filter((row) => isDollars(row) && isPlausible(row))

/** Rows without outliers: the log-IQR rule where a pool has more than 40 rates, else the Medicare rule. */
export function withoutOutliers(rows: readonly ReportRow[]): ReportRow[] {
  const pools = grouped(
    rows.map((row) => ({ ...row, unit: isDollars(row) ? 'dollars' : row['negotiated_type']! })),
    ['billing_code_type', 'billing_code', 'severity', 'billing_class', 'modifiers', 'unit'],
  )
  const outliers = new Set<string>()
  for (const pool of pools.values()) {
    const logs = pool.map((row) => Math.log(rate(row)))
    const [q1, q3] = [percentileInc(logs, 0.25), percentileInc(logs, 0.75)]
    const reach = 1.5 * Math.min(q3 - q1, 1)
    const [least, most] = [q1 - reach, q3 + reach].map(
      (bound) => Math.round(Math.exp(bound) * 10_000) / 10_000,
    )
    for (const row of pool) {
      const medicare = row['medicare_percent'] ?? null
      const [from, to] = /^[JQ]\d{4}$/.test(String(row['billing_code'])) ? [80, 400] : [10, 1_000]
      const isOut =
        pool.length > 40
          ? rate(row) < least! || rate(row) > most!
          : medicare !== null && (Number(medicare) < from! || Number(medicare) > to!)
      if (isOut) outliers.add(identity(row))
    }
  }
  return rows.filter((row) => !outliers.has(identity(row)))
}

const context = [
  'payer',
  'year_month',
  'billing_code_type',
  'billing_code',
  'severity',
  'billing_class',
  'setting',
  'negotiated_type',
  'service_codes',
  'modifiers',
  'tin_value',
]

/** What tells one row of a report from another. */
export const identity = (row: ReportRow) => keyOf(row, [...context, 'npi', 'negotiated_rate'])

/** One rate per TIN, payer, code and context: the highest, with how many there were. */
export const bestRates = (rows: readonly ReportRow[]) =>
  [...grouped(rows, context)].map(([key, group]) => ({
    key,
    rate: Math.max(...group.map(rate)),
    bestOf: group.length,
  }))

export const contextKey = (row: ReportRow) => keyOf(row, context)
export const rates = (rows: readonly ReportRow[]) => rows.map(rate)

import type { z } from 'zod'
import type { MarketRow } from '../src/operations/rate-rows.ts'
import { monthKey } from './question.ts'

/** A group of a benchmark answer with all its statistics side by side. */
export interface Group {
  readonly key: string
  readonly payer?: string
  readonly state?: string
  readonly code?: string
  readonly month?: string
  readonly values: Readonly<Record<string, number>>
  readonly compared?: number
}

/** The rows of an answer, one per aggregation, gathered to one per group. */
export function groupsOf(rows: readonly z.infer<typeof MarketRow>[]): Group[] {
  const groups = new Map<string, Group & { values: Record<string, number> }>()
  for (const row of rows) {
    const month = row.yearMonth && monthKey(row.yearMonth)
    const key = [row.payer, row.npiState, row.billingCode, month].join('|')
    let group = groups.get(key)
    if (!group) {
      group = {
        key,
        values: {},
        ...(row.payer !== undefined && { payer: row.payer }),
        ...(row.npiState !== undefined && { state: row.npiState }),
        ...(row.billingCode !== undefined && { code: row.billingCode }),
        ...(month !== undefined && { month }),
        ...(row.numCompared !== undefined && { compared: row.numCompared }),
      }
      groups.set(key, group)
    }
    group.values[row.metrics] = row.value
  }
  return [...groups.values()]
}

export const nameOf = ({ payer, state, code, month }: Group) =>
  [payer ?? state, code, month].filter(Boolean).join(' · ')

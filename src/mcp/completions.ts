import { nearest } from '../vocabulary/choice.ts'
import { states } from '../vocabulary/enums.ts'
import { payers } from '../vocabulary/payers.ts'
import { taxonomies } from '../vocabulary/taxonomy.ts'

const valuesMost = 100

const listed: Readonly<Record<string, () => readonly string[]>> = {
  payer: () => payers().map(({ payer }) => payer),
  state: () => states,
  specialty: () => taxonomies.map(({ name }) => name),
}

/** What an argument of a prompt or resource may be, from its first letters. */
export function completions(
  argument: string,
  typed: string,
): { values: string[]; total: number; hasMore: boolean } {
  const all = listed[argument]?.() ?? []
  const folded = typed.toLowerCase()
  const starts = all.filter((value) => value.toLowerCase().startsWith(folded))
  const inside = all.filter((value) => !starts.includes(value) && value.toLowerCase().includes(folded))
  const found = [...starts, ...inside]
  const values = found.length > 0 || typed === '' ? found : nearest(typed, all, 5)
  return { values: values.slice(0, valuesMost), total: values.length, hasMore: values.length > valuesMost }
}

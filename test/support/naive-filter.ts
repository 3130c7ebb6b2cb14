import { isGroup, type ReportFilter, type ReportFilterGroup } from '../../src/operations/report-filter.ts'

type Value = string | number | null

/** Whether a row passes a filter tree, read straight from the rules. */
export function naiveMatch(row: Readonly<Record<string, Value>>, group: ReportFilterGroup): boolean {
  if (group.filters.length === 0) return true
  const holds = (member: ReportFilter | ReportFilterGroup) =>
    isGroup(member) ? naiveMatch(row, member) : passes(row, member)
  return group.op === 'AND' ? group.filters.every(holds) : group.filters.some(holds)
}

function passes(row: Readonly<Record<string, Value>>, filter: ReportFilter): boolean {
  const cell = row[filter.field] ?? null
  if (filter.op === 'IS_NULL') return cell === null
  if (filter.op === 'IS_NOT_NULL') return cell !== null
  if (!('value' in filter)) throw new Error('no value')
  if (cell === null) return filter.op === 'NOT_EQUAL' || filter.op === 'NOT_CONTAINS'
  const text = String(cell).toLowerCase()
  const wanted = String(filter.value).toLowerCase()
  const words = (sentence: string) => sentence.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  if (filter.op === 'CONTAINS') return text.includes(wanted)
  if (filter.op === 'NOT_CONTAINS') return !text.includes(wanted)
  if (filter.op === 'MATCH_WORDS') return words(wanted).every((word) => words(text).includes(word))
  const [one, other] = typeof cell === 'number' ? [cell, Number(filter.value)] : [text, wanted]
  return {
    EQUAL: one === other,
    NOT_EQUAL: one !== other,
    GREATER_THAN: one > other,
    LESS_THAN: one < other,
    GREATER_THAN_OR_EQUAL: one >= other,
    LESS_THAN_OR_EQUAL: one <= other,
  }[filter.op]
}

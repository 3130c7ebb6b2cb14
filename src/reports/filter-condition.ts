import { Failure, type Problem } from '../errors.ts'
import { columnOf, reportColumnIds, type ReportColumnId } from '../operations/report-columns.ts'
import {
  isGroup,
  type ComparingOperator,
  type ReportFilter,
  type ReportFilterGroup,
} from '../operations/report-filter.ts'
import { nearest } from '../vocabulary/choice.ts'
import { float, text, texts } from '../warehouse/engine.ts'
import type { Parameters } from './parameters.ts'

const columns: ReadonlySet<string> = new Set(reportColumnIds)

/** Money and percents are stored as whole ten-thousandths; a quotient of two whole doubles is the double nearest to the decimal. */
const scale = 10_000

/**
 * The SQL condition that a filter tree stands for. Nulls match IS_NULL, NOT_EQUAL and NOT_CONTAINS only;
 * text is compared without case; an empty group holds for every row.
 */
export function filterCondition(
  tree: ReportFilterGroup | undefined,
  parameters: Parameters,
  path = 'filter',
): string {
  const problems: Problem[] = []
  const condition = tree ? groupCondition(tree, parameters, path, problems) : 'true'
  if (problems.length > 0)
    throw new Failure(
      'invalid_request',
      problems.length === 1 ? `${problems[0]!.path}: ${problems[0]!.message}` : undefined,
      { problems },
    )
  return condition
}

function groupCondition(
  { op, filters }: ReportFilterGroup,
  parameters: Parameters,
  path: string,
  problems: Problem[],
): string {
  const parts = filters.map((member, at) => {
    const place = `${path}.filters[${at}]`
    return isGroup(member)
      ? groupCondition(member, parameters, place, problems)
      : single(member, parameters, place, problems)
  })
  return parts.length === 0 ? 'true' : `(${parts.join(op === 'AND' ? ' and ' : ' or ')})`
}

function single(filter: ReportFilter, parameters: Parameters, path: string, problems: Problem[]): string {
  if (!columns.has(filter.field)) {
    const near = nearest(filter.field, reportColumnIds).join(', ')
    problems.push({ path: `${path}.field`, message: `no such column; nearest: ${near}` })
    return 'true'
  }
  const field = filter.field as ReportColumnId
  if (!('value' in filter)) return `${field} is ${filter.op === 'IS_NULL' ? '' : 'not '}null`
  const { kind } = columnOf(field)
  const compares = symbols[filter.op]
  if (compares === undefined || kind === 'text')
    return textCondition(filter.op, textOf(field), String(filter.value), parameters)
  const number = numberOf(filter.value)
  if (number === undefined) {
    problems.push({ path: `${path}.value`, message: `${field} holds numbers: expected a number` })
    return 'true'
  }
  const column = kind === 'number' ? `${field}::double` : `(${field}::double / ${scale})`
  return compared(column, compares, parameters.add(float(number)))
}

const symbols: Partial<Record<ComparingOperator, string>> = {
  EQUAL: '=',
  NOT_EQUAL: '<>',
  GREATER_THAN: '>',
  LESS_THAN: '<',
  GREATER_THAN_OR_EQUAL: '>=',
  LESS_THAN_OR_EQUAL: '<=',
}

const compared = (column: string, symbol: string, value: string) =>
  symbol === '<>' ? `coalesce(${column} <> ${value}, true)` : `coalesce(${column} ${symbol} ${value}, false)`

function textCondition(op: ComparingOperator, column: string, value: string, parameters: Parameters): string {
  const symbol = symbols[op]
  if (symbol !== undefined)
    return compared(`lower(${column})`, symbol, `lower(${parameters.add(text(value))})`)
  if (op === 'MATCH_WORDS') {
    const words = parameters.add(texts(wordsOf(value)))
    return `coalesce(list_has_all(regexp_split_to_array(lower(${column}), '[^\\pL\\pN]+'), list_transform(${words}, lambda word: lower(word))), false)`
  }
  const contains = `contains(lower(${column}), lower(${parameters.add(text(value))}))`
  return op === 'NOT_CONTAINS' ? `coalesce(not ${contains}, true)` : `coalesce(${contains}, false)`
}

/** The words of a text: runs of letters and digits. */
export const wordsOf = (value: string) => value.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** A column as people read it. */
function textOf(field: ReportColumnId): string {
  const { kind } = columnOf(field)
  if (kind === 'text') return field
  if (kind === 'number') return `${field}::varchar`
  // The shortest decimal text, as JSON shows the number.
  return `rtrim(rtrim((${field}::decimal(18, 0) * 0.0001::decimal(5, 4))::decimal(22, 4)::varchar, '0'), '.')`
}

/** A number, or the number in a text. */
function numberOf(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))
    return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

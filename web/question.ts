import type { z } from 'zod'
import type { marketBenchmarks } from '../src/operations/market-benchmarks.ts'

export type BenchmarksRequest = z.input<typeof marketBenchmarks.request>
type Filters = BenchmarksRequest['filters']

export const views = ['payer', 'state', 'time'] as const
export type View = (typeof views)[number]

/** A benchmark question as the explorer keeps it: in the address, so that a link is the view. */
export interface Question {
  readonly payers: string[]
  readonly states: string[]
  readonly zips: string[]
  readonly taxonomies: string[]
  /** `99213:CPT` */
  readonly codes: string[]
  readonly entities: string[]
  readonly classes: string[]
  readonly places: string[]
  readonly modifiers: string[]
  readonly types: string[]
  readonly plans: string[]
  readonly networks: string[]
  /** `2026-05`; empty = newest of each payer. */
  readonly months: string[]
  readonly compare: string
  readonly view: View
  /** Column that the table is sorted by, `-` before it for downwards. */
  readonly order: string
}

const lists = [
  'payers',
  'states',
  'zips',
  'taxonomies',
  'codes',
  'entities',
  'classes',
  'places',
  'modifiers',
  'types',
  'plans',
  'networks',
  'months',
] as const

export function questionFrom(query: URLSearchParams): Question {
  const view = query.get('view')
  return {
    ...(Object.fromEntries(lists.map((name) => [name, query.getAll(name)])) as Record<
      (typeof lists)[number],
      string[]
    >),
    compare: query.get('compare') ?? 'none',
    view: views.find((known) => known === view) ?? 'payer',
    order: query.get('order') ?? '',
  }
}

export function queryOf(question: Question): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of lists) for (const value of question[name]) query.append(name, value)
  if (question.compare !== 'none') query.set('compare', question.compare)
  if (question.view !== 'payer') query.set('view', question.view)
  if (question.order !== '') query.set('order', question.order)
  return query
}

/** An office visit at the family doctor's, in the state that most of the loaded payers serve. */
export function exampleQuestion(loaded: readonly { payer: string; states: readonly string[] }[]): Question {
  const served = Map.groupBy(
    loaded.flatMap(({ payer, states }) => states.map((state) => ({ payer, state }))),
    ({ state }) => state,
  )
  const [state = 'FL', payers = []] = [...served].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  const chosen = payers.length > 0 ? payers : loaded
  return {
    ...questionFrom(new URLSearchParams()),
    payers: chosen.slice(0, 8).map(({ payer }) => payer),
    states: [state],
    taxonomies: ['207Q00000X', '207R00000X'],
    codes: ['99213:CPT'],
  }
}

/** What is still missing before the question can be asked, in words. */
export function missing({ payers, states, taxonomies, codes }: Question): string[] {
  return [
    ...(payers.length === 0 ? ['a payer'] : []),
    ...(states.length === 0 ? ['a state'] : []),
    ...(taxonomies.length === 0 ? ['a specialty'] : []),
    ...(codes.length === 0 ? ['a billing code'] : []),
  ]
}

export const spread = [
  'percentile_10',
  'percentile_25',
  'percentile_50',
  'percentile_75',
  'percentile_90',
  'avg_rate',
  'min_rate',
  'max_rate',
] as const
export const counts = ['num_distinct_npis', 'num_distinct_tins', 'num_entries'] as const

/** The request behind a view. */
export function requestOf(question: Question, allMonths: readonly string[] = []): BenchmarksRequest {
  const { view, compare } = question
  const months = view === 'time' ? allMonths : question.months
  const optional = (key: keyof Filters, values: readonly string[]) =>
    values.length === 0 ? {} : { [key]: values }
  return {
    filters: {
      states: question.states,
      taxonomyCodes: question.taxonomies,
      payers: question.payers,
      billingCodeAndTypes: question.codes.map(codeOf),
      ...optional('zipCodes', question.zips),
      ...optional('entityTypes', question.entities),
      ...optional('billingClasses', question.classes),
      ...optional('serviceCodes', question.places),
      ...optional('billingCodeModifiers', question.modifiers),
      ...optional('negotiatedTypes', question.types),
      ...optional('planNames', question.plans),
      ...optional('networks', question.networks),
      ...(months.length > 0 && { yearMonths: months.map(yearMonthFrom) }),
    } as Filters,
    metrics: {
      aggregations: [...spread, ...counts],
      ...(compare !== 'none' && { comparedTo: compare as 'medicare_2025' }),
    },
    groupBy: [
      view === 'state' ? 'npiState' : 'payer',
      ...(question.codes.length > 1 ? (['billingCode'] as const) : []),
    ],
  }
}

type CodeFilter = Filters['billingCodeAndTypes'][number]

export function codeOf(text: string): CodeFilter {
  const at = text.lastIndexOf(':')
  return { code: text.slice(0, at), type: text.slice(at + 1) as CodeFilter['type'] }
}

export function yearMonthFrom(text: string): { year: number; month: number } {
  const [year = '', month = ''] = text.split('-')
  return { year: Number(year), month: Number(month) }
}

export const monthKey = ({ year, month }: { year: number; month: number }) =>
  `${year}-${String(month).padStart(2, '0')}`

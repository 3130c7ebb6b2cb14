import type { Build } from '../warehouse/build.ts'
import type { Term } from '../warehouse/terms.ts'

/** Filters on what a rate is for and under which names it is published. Left out or empty, a filter asks for nothing. */
export interface RateFilter {
  readonly billingClasses?: readonly string[] | undefined
  readonly serviceCodes?: readonly string[] | undefined
  readonly billingCodeModifiers?: readonly string[] | undefined
  readonly negotiatedTypes?: readonly string[] | undefined
  readonly planNames?: readonly string[] | undefined
  readonly networks?: readonly string[] | undefined
}

/** Percentages and daily rates are not dollars for a service: never pooled with them unasked. */
const otherUnits: ReadonlySet<string> = new Set(['percentage', 'per diem'])

export interface TermTestOptions {
  /** Leaves percentages and per diems out unless the filter names them. */
  readonly dollarsOnly?: boolean
}

/** Whether entries of a term are asked for. */
export function termTest(
  filter: RateFilter,
  { dollarsOnly = false }: TermTestOptions = {},
): (term: Term) => boolean {
  const classes = chosen(filter.billingClasses)
  const places = chosen(filter.serviceCodes)
  const modifiers = chosen(filter.billingCodeModifiers)
  const types = chosen(filter.negotiatedTypes)
  return (term) =>
    (types ? types.has(term.negotiatedType) : !(dollarsOnly && otherUnits.has(term.negotiatedType))) &&
    (!classes || billingClassesOf(term).some((name) => classes.has(name))) &&
    (!places || valuesOf(term.serviceCodes).some((place) => places.has(place))) &&
    (!modifiers || valuesOf(term.modifiers).some((modifier) => modifiers.has(modifier)))
}

/** Which labels of a build are asked for; undefined = all. */
export function chosenLabels(build: Build, filter: RateFilter): Uint8Array | undefined {
  const plans = chosen(filter.planNames)
  const networks = chosen(filter.networks)
  if (!plans && !networks) return undefined
  const { labels, networkNames, planNames } = build.summary
  return Uint8Array.from(labels, (label) =>
    (!plans || label.plans.some((name) => plans.has(planNames[name]!))) &&
    (!networks || label.networks.some((name) => networks.has(networkNames[name]!)))
      ? 1
      : 0,
  )
}

/** `both` belongs to professional and to institutional. */
export const billingClassesOf = ({ billingClass }: Pick<Term, 'billingClass'>): readonly string[] =>
  billingClass === 'both' ? ['professional', 'institutional'] : [billingClass]

/** What a multi-valued column counts under: each of its values, or `none`. */
export const valuesOf = (values: readonly string[]): readonly string[] =>
  values.length > 0 ? values : ['none']

const chosen = (values: readonly string[] | undefined) =>
  values && values.length > 0 ? new Set(values) : undefined

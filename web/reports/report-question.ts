import type { z } from 'zod'
import type { ReportQuery } from '../../src/operations/report-query.ts'
import { codeOf, type Question, yearMonthFrom } from '../question.ts'

/** A provider that a report is about: `tin 123456789`. */
export interface ChosenProvider {
  readonly kind: 'npi' | 'tin' | 'ccn'
  readonly id: string
  readonly title: string
}

/** A report before it is made. */
export interface ReportDraft extends Question {
  readonly kind: 'market' | 'providers'
  readonly providers: readonly ChosenProvider[]
}

/** What is still missing, in words. */
export function missingParts({ kind, payers, states, codes, providers }: ReportDraft): string[] {
  return [
    ...(payers.length === 0 ? ['a payer'] : []),
    ...(kind === 'market' && codes.length === 0 ? ['a billing code'] : []),
    ...(kind === 'market' && states.length === 0 ? ['a state'] : []),
    ...(kind === 'providers' && providers.length === 0 ? ['a provider'] : []),
  ]
}

/** The query that the server is asked. */
export function reportQueryOf(draft: ReportDraft): z.input<typeof ReportQuery> {
  const optional = (key: string, values: readonly unknown[]) => (values.length === 0 ? {} : { [key]: values })
  const of = (kind: ChosenProvider['kind']) =>
    draft.providers.filter((one) => one.kind === kind).map(({ id }) => id)
  return {
    ...(draft.kind === 'market'
      ? {
          states: draft.states,
          ...optional('zipCodes', draft.zips),
          ...optional('taxonomyCodes', draft.taxonomies),
          ...optional('entityTypes', draft.entities),
        }
      : {
          providers: {
            ...optional('npis', of('npi').map(Number)),
            ...optional('tins', of('tin').map(Number)),
            ...optional('ccns', of('ccn')),
          },
        }),
    payers: draft.payers,
    billingCodeAndTypes: draft.codes.map(codeOf),
    ...optional('billingClasses', draft.classes),
    ...optional('serviceCodes', draft.places),
    ...optional('billingCodeModifiers', draft.modifiers),
    ...optional('negotiatedTypes', draft.types),
    ...optional('planNames', draft.plans),
    ...optional('networks', draft.networks),
    ...optional('yearMonths', draft.months.map(yearMonthFrom)),
  } as z.input<typeof ReportQuery>
}

/** A name to begin with. */
export function nameFor({ kind, codes, states, providers }: ReportDraft): string {
  const what =
    codes.length === 0
      ? 'All codes'
      : codes
          .slice(0, 3)
          .map((code) => code.split(':')[0])
          .join(', ')
  const where = kind === 'market' ? states.slice(0, 4).join(', ') : (providers[0]?.title ?? '')
  return [what + (codes.length > 3 ? ' …' : ''), where].filter(Boolean).join(' in ').slice(0, 200)
}

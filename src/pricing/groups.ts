import type { GroupByField, ProviderGroupByField } from '../vocabulary/grouping.ts'
import type { Build } from '../warehouse/build.ts'
import type { Term } from '../warehouse/terms.ts'
import { billingClassesOf, valuesOf } from './rate-filter.ts'
import { unclassified, type PricingSources } from './sources.ts'

/** Field values of a group, as far as they are asked for. */
export type GroupValues = Readonly<Partial<Record<ProviderGroupByField, string>>>

/** Group values with a text that equal values share, so that groups are found without comparing fields. */
export interface KeyedValues {
  readonly key: string
  readonly values: GroupValues
}

export const keyed = (values: GroupValues): KeyedValues => ({
  key: JSON.stringify(Object.entries(values)),
  values,
})

const termFields = ['negotiatedType', 'billingClass', 'serviceCode', 'billingCodeModifier'] as const
export const providerFields = ['npiState', 'taxonomyCode', 'entityType'] as const
export type ProviderField = (typeof providerFields)[number]

/** Which groups a term's entries belong to: one per combination of its values. */
export function termGroups(term: Term, groupBy: readonly ProviderGroupByField[]): GroupValues[] {
  const values: Record<(typeof termFields)[number], readonly string[]> = {
    negotiatedType: [term.negotiatedType],
    billingClass: billingClassesOf(term),
    serviceCode: valuesOf(term.serviceCodes),
    billingCodeModifier: valuesOf(term.modifiers),
  }
  let groups: GroupValues[] = [{}]
  for (const field of termFields)
    if (groupBy.includes(field))
      groups = groups.flatMap((group) => values[field].map((value) => ({ ...group, [field]: value })))
  return groups
}

/** What payer and code say about a group. */
export function codeGroups(
  sources: PricingSources,
  build: Build,
  codeRow: number,
  groupBy: readonly ProviderGroupByField[],
): GroupValues {
  const type = build.codes.type[codeRow]!
  const code = build.codes.code[codeRow]!
  const wanted = new Set<ProviderGroupByField>(groupBy)
  const { group, subgroup } =
    ((wanted.has('billingCodeGroup') || wanted.has('billingCodeSubgroup')) &&
      sources.codeGroup?.(type, code)) ||
    unclassified
  return {
    ...(wanted.has('payer') && { payer: build.payer }),
    ...(wanted.has('billingCodeType') && { billingCodeType: type }),
    ...(wanted.has('billingCode') && { billingCode: code }),
    ...(wanted.has('billingCodeGroup') && { billingCodeGroup: group }),
    ...(wanted.has('billingCodeSubgroup') && { billingCodeSubgroup: subgroup }),
  }
}

/** The network groups of each label of a build; one group without a name where networks do not split. */
export function networkGroups(build: Build, groupBy: readonly GroupByField[]): GroupValues[][] | undefined {
  if (!groupBy.includes('network')) return undefined
  const { labels, networkNames } = build.summary
  return labels.map(({ networks }) =>
    valuesOf(networks.map((name) => networkNames[name]!)).map((network) => ({ network })),
  )
}

/** Groups in the order of their values, field by field as asked for. */
export function byGroup(groupBy: readonly ProviderGroupByField[]) {
  return (a: GroupValues, b: GroupValues): number => {
    for (const field of groupBy) {
      const [one = '', other = ''] = [a[field], b[field]]
      if (one !== other) return one < other ? -1 : 1
    }
    return 0
  }
}

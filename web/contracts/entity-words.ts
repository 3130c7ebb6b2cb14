import { type EntityList, entityLists } from '../../src/operations/contract-edits.ts'
import { type ContractEntities, type RootField } from '../../src/operations/contract-entities.ts'

/** An entity of any list, by its fields. */
export type Entity = { id: string; evidenceIds?: readonly string[] } & Record<string, unknown>

export const listNames: Record<EntityList, string> = {
  'parties.payers': 'Payers',
  'parties.administrators': 'Administrators',
  'parties.providers': 'Providers',
  'parties.contractingEntities': 'Contracting entities',
  'contractScope.linesOfBusiness': 'Lines of business',
  'contractScope.plans': 'Plans',
  'contractScope.products': 'Products',
  'contractScope.networks': 'Networks',
  'contractScope.states': 'States',
  'contractScope.benefitChannels': 'Benefit channels',
  'providerContext.specialties': 'Specialties',
  'providerContext.taxonomies': 'Taxonomies',
  'providerContext.tins': 'TINs',
  'providerContext.npis': 'NPIs',
  'providerContext.ccns': 'CCNs',
  'providerContext.locations': 'Locations',
  'contractTerms.clauses': 'Clauses',
  paymentPolicies: 'Payment policies',
}

export const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  payerpricePayer: 'Payer of the registry',
  value: 'Value',
  normalizedValue: 'Normalised value',
  address: 'Address',
  city: 'City',
  state: 'State',
  postalCode: 'Postal code',
  rawText: 'Text',
  clauseType: 'Type of clause',
  policyType: 'Type of policy',
  category: 'Category',
  percent: 'Percent',
  amount: 'Amount',
  reference: 'Reference',
}

export const rootNames: Record<RootField, string> = {
  'contractTerms.signedDate': 'Signed',
  'contractTerms.effectivePeriod.start': 'Effective from',
  'contractTerms.effectivePeriod.end': 'Effective until',
  'contractTerms.executionStatus': 'Execution status',
}

export const lists = Object.keys(entityLists) as EntityList[]
const under = (start: string) => lists.filter((list) => list.startsWith(start))

/** The sections of a contract, with their lists. */
export const sections: readonly { name: string; lists: readonly EntityList[] }[] = [
  { name: 'Parties', lists: under('parties.') },
  { name: 'Scope', lists: under('contractScope.') },
  { name: 'Provider context', lists: under('providerContext.') },
  { name: 'Clauses and policies', lists: ['contractTerms.clauses', 'paymentPolicies'] },
]

/** The entities of one list. */
export function entitiesOf(entities: ContractEntities, list: EntityList): Entity[] {
  const [group, name] = list.split('.') as [keyof ContractEntities, string | undefined]
  const found = name === undefined ? entities[group] : (entities[group] as Record<string, unknown>)[name]
  return found as Entity[]
}

export function rootValue({ contractTerms }: ContractEntities, field: RootField): string | null {
  if (field === 'contractTerms.signedDate') return contractTerms.signedDate
  if (field === 'contractTerms.executionStatus') return contractTerms.executionStatus
  return field === 'contractTerms.effectivePeriod.start'
    ? contractTerms.effectivePeriod.start
    : contractTerms.effectivePeriod.end
}

/** What an entity is called on the page. */
export function entityTitle(entity: Entity): string {
  const { name, value, rawText, address, city, state, postalCode } = entity
  const place = [address, city, state, postalCode].filter(Boolean).join(', ')
  return valueText(name ?? value ?? rawText ?? (place || entity.id))
}

/** A value as people read it. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `payment_timing` as words. */
export const words = (name: string) => name.replaceAll('_', ' ')

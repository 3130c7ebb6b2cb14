import { z } from 'zod'
import { type EntityKind, type EntityList, entityLists } from '../operations/contract-edits.ts'
import {
  ContractClause,
  IsoDate,
  NamedParty,
  PaymentPolicy,
  ProviderLocation,
  ScopeValue,
} from '../operations/contract-entities.ts'
import { pathText } from '../operations/parse.ts'
import { State } from '../vocabulary/enums.ts'
import { Ccn, npiCheckDigitHolds, npiFromText } from '../vocabulary/identifiers.ts'
import { taxonomyOf } from '../vocabulary/taxonomy.ts'
import { type EditBasis, EditRefusal, type Entity } from './edit-refusal.ts'
import { isNestedTooDeeply, isPricingType, pricingIn } from './pricing-words.ts'

const schemas = {
  party: NamedParty,
  scope: ScopeValue,
  location: ProviderLocation,
  clause: ContractClause,
  policy: PaymentPolicy,
} as const satisfies Record<EntityKind, z.ZodObject>

/** The value that a field of an entity takes, checked; a refusal otherwise. */
export function fieldValue(
  kind: EntityKind,
  list: EntityList,
  field: string,
  value: unknown,
  basis: EditBasis,
): unknown {
  const schema = (schemas[kind].shape as Record<string, z.ZodType>)[field]!
  const checked = valueOf(schema, value, field)
  checkMeaning(list, { id: '', [field]: checked }, basis)
  return checked
}

const ExecutionStatus = z.string().trim().min(1).max(100)

/** The value that a field of the contract itself takes. */
export function rootValue(path: string, value: unknown): string {
  return valueOf(path === 'contractTerms.executionStatus' ? ExecutionStatus : IsoDate, value, path)
}

function valueOf<Value>(schema: z.ZodType<Value>, value: unknown, field: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new EditRefusal('invalid_value', `${field}: ${messageOf(parsed.error.issues[0]!)}`)
}

/** The entity that an append brings, whole and of its list's kind; a refusal otherwise. */
export function appendedEntity(list: EntityList, value: unknown, basis: EditBasis): Entity {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EditRefusal('invalid_value', 'append_entity takes an object.')
  const kind = entityLists[list]
  refusePricing(kind, value as Record<string, unknown>)
  const parsed = schemas[kind].safeParse(value)
  if (!parsed.success) {
    const missing = parsed.error.issues.find((issue) => isMissing(issue, value))
    const issue = missing ?? parsed.error.issues[0]!
    throw new EditRefusal(
      missing ? 'required_value' : 'invalid_value',
      `${pathText(issue.path) || 'value'}: ${missing ? 'required' : messageOf(issue)}`,
    )
  }
  const entity = parsed.data as Entity
  refuseDepth(entity)
  checkMeaning(list, entity, basis)
  return entity
}

const messageOf = (issue: z.core.$ZodIssue) => issue.message.replace(/^Invalid input: /, '')

const isMissing = (issue: z.core.$ZodIssue, value: object) =>
  issue.path.length === 1 && (value as Record<PropertyKey, unknown>)[issue.path[0]!] === undefined

/** Pricing is refused by what it is, before anything else about its shape. */
function refusePricing(kind: EntityKind, value: Record<string, unknown>): void {
  if (kind === 'clause' && typeof value['clauseType'] === 'string' && isPricingType(value['clauseType']))
    throw new EditRefusal('pricing_not_editable', `A clause of type "${value['clauseType']}" sets prices.`)
  if (kind !== 'policy') return
  if (value['category'] === 'pricing_adjustment')
    throw new EditRefusal('pricing_not_editable', 'A policy of category pricing_adjustment sets prices.')
  if (typeof value['policyType'] === 'string' && isPricingType(value['policyType']))
    throw new EditRefusal('pricing_not_editable', `A policy of type "${value['policyType']}" sets prices.`)
  if (pricingIn(value['effect']))
    throw new EditRefusal('pricing_not_editable', 'The effect of the policy contains pricing.')
}

function refuseDepth(entity: Entity): void {
  for (const [field, value] of Object.entries(entity))
    if (isNestedTooDeeply(value)) throw new EditRefusal('invalid_value', `${field}: nested too deeply`)
}

/** What a shape cannot say: the payer is known, the evidence exists, an identifier is one. */
function checkMeaning(list: EntityList, entity: Entity, basis: EditBasis): void {
  const { payerpricePayer, evidenceIds, normalizedValue, state } = entity
  if (typeof payerpricePayer === 'string' && !basis.isPayer(payerpricePayer))
    throw new EditRefusal(
      'invalid_value',
      `payerpricePayer: "${payerpricePayer}" is no payer of the registry`,
    )
  for (const id of (evidenceIds ?? []) as string[])
    if (!basis.evidenceIds.has(id))
      throw new EditRefusal('invalid_value', `evidenceIds: the contract has no evidence "${id}"`)
  if (typeof state === 'string' && !State.safeParse(state).success)
    throw new EditRefusal('invalid_value', `state: "${state}" is no state`)
  const wrong = typeof normalizedValue === 'string' && identifierChecks[list]?.(normalizedValue)
  if (typeof wrong === 'string') throw new EditRefusal('invalid_value', `normalizedValue: ${wrong}`)
}

type Check = (value: string) => string | false

const identifierChecks: Partial<Record<EntityList, Check>> = {
  'contractScope.states': (value) => !State.safeParse(value).success && 'a state has two letters, such as TX',
  'providerContext.tins': (value) => !/^(?!0{9})\d{9}$/.test(value) && 'a TIN has nine digits',
  'providerContext.npis': (value) =>
    !npiCheckDigitHolds(npiFromText(value) ?? 0) &&
    'an NPI has ten digits, the last of which checks the others',
  'providerContext.ccns': (value) =>
    !Ccn.safeParse(value).success && 'a CCN has six characters, such as 050454',
  'providerContext.taxonomies': (value) =>
    taxonomyOf(value) === undefined && 'a taxonomy code is one of the NUCC list, such as 207RC0000X',
}

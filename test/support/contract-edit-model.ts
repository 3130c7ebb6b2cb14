import { entityLists, type EditOperation, type EntityList } from '../../src/operations/contract-edits.ts'
import type { ContractEntities } from '../../src/operations/contract-entities.ts'
import { entitiesOf } from '../../src/contracts/edits.ts'

/** A contract as the simplest thing that can be edited: one flat list of records, and four texts. */
export interface ModelContract {
  records: { list: string; fields: Record<string, unknown> }[]
  root: Record<string, string | null>
}

const rootPaths = new Set([
  'contractTerms.signedDate',
  'contractTerms.effectivePeriod.start',
  'contractTerms.effectivePeriod.end',
  'contractTerms.executionStatus',
])

export function modelOf(entities: ContractEntities): ModelContract {
  const lists = [...(Object.keys(entityLists) as EntityList[]), 'pricingTerms']
  const { signedDate, effectivePeriod, executionStatus } = entities.contractTerms
  return {
    records: lists.flatMap((list) =>
      entitiesOf(entities, list as EntityList).map((fields) => ({ list, fields: { ...fields } })),
    ),
    root: {
      'contractTerms.signedDate': signedDate,
      'contractTerms.effectivePeriod.start': effectivePeriod.start,
      'contractTerms.effectivePeriod.end': effectivePeriod.end,
      'contractTerms.executionStatus': executionStatus,
    },
  }
}

const settable: Record<string, string[]> = {
  party: ['name', 'payerpricePayer'],
  scope: ['value', 'normalizedValue'],
  location: ['address', 'city', 'state', 'postalCode'],
  clause: ['value', 'normalizedValue'],
  policy: ['rawText'],
  pricing: [],
}
const needed: Record<string, string[]> = {
  party: ['id', 'name'],
  scope: ['id', 'value'],
  location: ['id'],
  clause: ['id', 'clauseType', 'category', 'value', 'evidenceIds'],
  policy: ['id', 'category', 'policyType', 'applicability', 'rawText', 'evidenceIds'],
}
const kindOf = (list: string) =>
  list === 'pricingTerms'
    ? 'pricing'
    : list === 'paymentPolicies'
      ? 'policy'
      : list.startsWith('parties')
        ? 'party'
        : list.endsWith('clauses')
          ? 'clause'
          : list.endsWith('locations')
            ? 'location'
            : 'scope'

/** What the model says of one value for an entity of a list; the generator of the test only makes values of which this is all there is to say. */
export type ValueJudge = (list: string, field: string, value: unknown) => boolean

/** The model after a batch, or the code and the place of the first operation that is wrong. */
export function modelEdited(
  before: ModelContract,
  operations: readonly EditOperation[],
  isGood: ValueJudge,
): ModelContract | { code: string; operationIndex: number } {
  const model = structuredClone(before)
  let lastPeriod = 0
  for (const [operationIndex, operation] of operations.entries()) {
    const code = step(model, operation, isGood)
    if (code !== undefined) return { code, operationIndex }
    if (operation.fieldPath.includes('effectivePeriod')) lastPeriod = operationIndex
  }
  const start = model.root['contractTerms.effectivePeriod.start']
  const end = model.root['contractTerms.effectivePeriod.end']
  if (start && end && end < start) return { code: 'invalid_value', operationIndex: lastPeriod }
  return model
}

function step(model: ModelContract, operation: EditOperation, isGood: ValueJudge): string | undefined {
  const { operation: name, entityId, fieldPath, value } = operation
  const found = model.records.find(({ fields }) => fields['id'] === entityId)
  if (name === 'append_entity') {
    if (entityId !== 'root') return 'invalid_operation'
    if (fieldPath === 'pricingTerms') return 'pricing_not_editable'
    if (!(fieldPath in entityLists)) return 'unsupported_target'
    if (value === undefined) return 'required_value'
    if (typeof value !== 'object') return 'invalid_value'
    const fields = value as Record<string, unknown>
    if (fields['category'] === 'pricing_adjustment' || fields['clauseType'] === 'lesser_of')
      return 'pricing_not_editable'
    if (needed[kindOf(fieldPath)]!.some((field) => !(field in fields))) return 'required_value'
    if (Object.entries(fields).some(([field, inner]) => !isGood(fieldPath, field, inner)))
      return 'invalid_value'
    if (model.records.some((record) => record.fields['id'] === fields['id'])) return 'entity_id_conflict'
    model.records.push({ list: fieldPath, fields: { ...fields } })
    return undefined
  }
  if (name === 'remove_entity') {
    if (entityId === 'root' || fieldPath !== '' || value !== undefined) return 'invalid_operation'
    if (!found) return 'entity_not_found'
    if (found.list === 'pricingTerms') return 'pricing_not_editable'
    model.records.splice(model.records.indexOf(found), 1)
    return undefined
  }
  if (name !== 'set' && name !== 'delete') return 'invalid_operation'
  if (fieldPath === 'pricingTerms') return 'pricing_not_editable'
  if (entityId === 'root') {
    if (!rootPaths.has(fieldPath)) return 'unsupported_target'
  } else {
    if (!found) return 'entity_not_found'
    if (found.list === 'pricingTerms') return 'pricing_not_editable'
    if (!settable[kindOf(found.list)]!.includes(fieldPath)) return 'unsupported_target'
  }
  if (name === 'delete') {
    if (value !== undefined) return 'invalid_operation'
    if (['name', 'value', 'rawText'].includes(fieldPath)) return 'required_value'
    if (found) delete found.fields[fieldPath]
    else model.root[fieldPath] = null
    return undefined
  }
  if (value === undefined) return 'required_value'
  if (!isGood(found?.list ?? 'root', fieldPath, value)) return 'invalid_value'
  if (found) found.fields[fieldPath] = value
  else model.root[fieldPath] = value as string
  return undefined
}

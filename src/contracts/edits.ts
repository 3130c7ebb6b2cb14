import {
  editOperationNames,
  type EditOperation,
  entityFields,
  type EntityKind,
  type EntityList,
  entityLists,
  fieldPaths,
} from '../operations/contract-edits.ts'
import { type ContractEntities, type RootField, rootFields } from '../operations/contract-entities.ts'
import { type EditBasis, EditRefusal, type Entity } from './edit-refusal.ts'
import { appendedEntity, fieldValue, rootValue } from './edit-values.ts'
import { normalizedPartyName } from './party-names.ts'

/** How many entities one list may hold; far more than any contract names. */
export const listMost = 2_000

/**
 * The entities after a batch of operations, applied in order, all or none. The given entities are left alone.
 * A wrong operation is a Failure whose `more.operationIndex` says which.
 */
export function editedEntities(
  entities: ContractEntities,
  operations: readonly EditOperation[],
  basis: EditBasis,
): ContractEntities {
  const edited = structuredClone(entities)
  let periodSetAt = 0
  for (const [index, operation] of operations.entries()) {
    try {
      apply(edited, operation, basis)
    } catch (error) {
      throw error instanceof EditRefusal ? error.at(index) : error
    }
    if (operation.fieldPath.startsWith('contractTerms.effectivePeriod.')) periodSetAt = index
  }
  const { start, end } = edited.contractTerms.effectivePeriod
  if (start !== null && end !== null && end < start)
    throw new EditRefusal('invalid_value', 'The effective period would end before it starts.').at(periodSetAt)
  return edited
}

function apply(edited: ContractEntities, operation: EditOperation, basis: EditBasis): void {
  switch (operation.operation) {
    case 'set':
      return setField(edited, operation, basis)
    case 'delete':
      return deleteField(edited, operation)
    case 'remove_entity':
      return removeEntity(edited, operation)
    case 'append_entity':
      return appendEntity(edited, operation, basis)
    default:
      throw new EditRefusal(
        'invalid_operation',
        `There is no operation "${operation.operation}"; there are ${editOperationNames.join(', ')}.`,
      )
  }
}

function setField(edited: ContractEntities, operation: EditOperation, basis: EditBasis): void {
  const target = targetOf(edited, operation)
  const { value } = operation
  if (value === undefined || value === null)
    throw new EditRefusal('required_value', `set needs a value for ${operation.fieldPath}.`)
  if (target === 'root')
    return writeRoot(edited, operation.fieldPath as RootField, rootValue(operation.fieldPath, value))
  const { entity, list, kind } = target
  const checked = fieldValue(kind, list, operation.fieldPath, value, basis)
  entity[operation.fieldPath] = checked
  // A caller cannot set the normalised name, so it follows the name.
  if (operation.fieldPath === 'name' && entity['normalizedName'] !== undefined)
    entity['normalizedName'] = normalizedPartyName(checked as string)
}

function deleteField(edited: ContractEntities, operation: EditOperation): void {
  const target = targetOf(edited, operation)
  if (operation.value !== undefined) throw new EditRefusal('invalid_operation', 'delete takes no value.')
  if (target === 'root') return writeRoot(edited, operation.fieldPath as RootField, null)
  const { entity, kind } = target
  if ((entityFields[kind] as Record<string, string>)[operation.fieldPath] === 'required')
    throw new EditRefusal(
      'required_value',
      `${operation.fieldPath} is required; set another value or remove the entity.`,
    )
  delete entity[operation.fieldPath]
}

function removeEntity(edited: ContractEntities, operation: EditOperation): void {
  if (operation.entityId === 'root')
    throw new EditRefusal('invalid_operation', 'The contract itself cannot be removed; name an entity.')
  if (operation.fieldPath !== '')
    throw new EditRefusal('invalid_operation', 'remove_entity takes an empty fieldPath.')
  if (operation.value !== undefined)
    throw new EditRefusal('invalid_operation', 'remove_entity takes no value.')
  const { entity, list } = entityWith(edited, operation.entityId)
  const entities = entitiesOf(edited, list)
  entities.splice(entities.indexOf(entity), 1)
}

function appendEntity(edited: ContractEntities, operation: EditOperation, basis: EditBasis): void {
  if (operation.entityId !== 'root')
    throw new EditRefusal('invalid_operation', 'append_entity takes root as its entityId.')
  refusePricingPath(operation.fieldPath)
  if (!Object.hasOwn(entityLists, operation.fieldPath))
    throw new EditRefusal('unsupported_target', `"${operation.fieldPath}" is not a list to append to.`)
  const list = operation.fieldPath as EntityList
  if (operation.value === undefined || operation.value === null)
    throw new EditRefusal('required_value', 'append_entity needs the entity as its value.')
  const entity = appendedEntity(list, operation.value, basis)
  if (hasId(edited, entity.id))
    throw new EditRefusal('entity_id_conflict', `There is an entity "${entity.id}" already.`)
  const entities = entitiesOf(edited, list)
  if (entities.length >= listMost)
    throw new EditRefusal('invalid_operation', `${list} holds ${listMost} entities, the most it can.`)
  entities.push(entity)
}

type Target = { entity: Entity; list: EntityList; kind: EntityKind }

/** What a set or delete reaches: a field of the contract itself, or one of an entity. */
function targetOf(edited: ContractEntities, { entityId, fieldPath }: EditOperation): 'root' | Target {
  refusePricingPath(fieldPath)
  const isRootField = rootFields.some((path) => path === fieldPath)
  if (entityId === 'root') {
    if (isRootField) return 'root'
    throw new EditRefusal(
      'unsupported_target',
      `root has no field "${fieldPath}"; it has ${rootFields.join(', ')}.`,
    )
  }
  const found = entityWith(edited, entityId)
  const fields = Object.keys(entityFields[found.kind])
  if (!fieldPaths.some((path) => path === fieldPath) || !fields.includes(fieldPath))
    throw new EditRefusal(
      'unsupported_target',
      `"${fieldPath}" is not a field of an entity in ${found.list}; there are ${fields.join(', ')}.`,
    )
  return found
}

function refusePricingPath(fieldPath: string): void {
  if (/^pricingTerms(\.|$)/.test(fieldPath))
    throw new EditRefusal('pricing_not_editable', 'Pricing terms cannot be edited.')
}

/** An entity of a non-pricing list. */
function entityWith(edited: ContractEntities, id: string): Target {
  for (const list of Object.keys(entityLists) as EntityList[]) {
    const entity = entitiesOf(edited, list).find((candidate) => candidate.id === id)
    if (entity) return { entity, list, kind: entityLists[list] }
  }
  if (edited.pricingTerms.some((term) => term.id === id))
    throw new EditRefusal('pricing_not_editable', `"${id}" is a pricing term, which cannot be edited.`)
  throw new EditRefusal('entity_not_found', `There is no entity "${id}".`)
}

const hasId = (edited: ContractEntities, id: string) =>
  edited.pricingTerms.some((term) => term.id === id) ||
  (Object.keys(entityLists) as EntityList[]).some((list) =>
    entitiesOf(edited, list).some((entity) => entity.id === id),
  )

/** The entities of one list, by its path. */
export function entitiesOf(entities: ContractEntities, list: EntityList): Entity[] {
  const [group, name] = list.split('.') as [keyof ContractEntities, string | undefined]
  const found = name === undefined ? entities[group] : (entities[group] as Record<string, unknown>)[name]
  return found as Entity[]
}

function writeRoot(edited: ContractEntities, path: RootField, value: string | null): void {
  const terms = edited.contractTerms
  if (path === 'contractTerms.signedDate') terms.signedDate = value
  else if (path === 'contractTerms.executionStatus') terms.executionStatus = value
  else if (path === 'contractTerms.effectivePeriod.start') terms.effectivePeriod.start = value
  else terms.effectivePeriod.end = value
}

import { freshId } from '../fresh-id.ts'
import { useState } from 'react'
import type { EditOperation, EntityList } from '../../src/operations/contract-edits.ts'
import type { ContractEntities, RootField } from '../../src/operations/contract-entities.ts'
import { entitiesOf, type Entity, lists } from './entity-words.ts'

/** Corrections that are not saved yet. */
export interface PendingEdits {
  readonly operations: readonly EditOperation[]
  /** Names this batch, so that sending it again after a lost answer applies it once. */
  readonly requestId: string
  add(...operations: EditOperation[]): void
  undo(at: number): void
  discard(): void
}

export function usePendingEdits(): PendingEdits {
  const [{ operations, requestId }, keep] = useState(() => batch([]))
  return {
    operations,
    requestId,
    add: (...added) => keep((before) => batch(added.reduce(withOperation, before.operations))),
    undo: (at) => keep((before) => batch(without(before.operations, at))),
    discard: () => keep(batch([])),
  }
}

const batch = (operations: readonly EditOperation[]) => ({ operations, requestId: freshId() })

const isFieldEdit = ({ operation }: EditOperation) => operation === 'set' || operation === 'delete'

/** A later correction of the same field takes the place of an earlier one; a removal, of all to its entity. */
function withOperation(before: readonly EditOperation[], added: EditOperation): readonly EditOperation[] {
  if (isFieldEdit(added))
    return [
      ...before.filter(
        (one) => !(isFieldEdit(one) && one.entityId === added.entityId && one.fieldPath === added.fieldPath),
      ),
      added,
    ]
  if (added.operation !== 'remove_entity') return [...before, added]
  const appended = before.findIndex((one) => appendedId(one) === added.entityId)
  if (appended >= 0) return without(before, appended)
  return [...before.filter(({ entityId }) => entityId !== added.entityId), added]
}

/** Without one operation, and without those that need it. */
function without(operations: readonly EditOperation[], at: number): readonly EditOperation[] {
  const id = appendedId(operations[at]!)
  return operations.filter((one, index) => index !== at && (id === undefined || one.entityId !== id))
}

const appendedId = ({ operation, value }: EditOperation) =>
  operation === 'append_entity' ? (value as Entity).id : undefined

/** The entities as they would look with the corrections; the server judges them when they are saved. */
export function withPending(
  entities: ContractEntities,
  operations: readonly EditOperation[],
): ContractEntities {
  const edited = structuredClone(entities)
  for (const { operation, entityId, fieldPath, value } of operations) {
    if (operation === 'append_entity') entitiesOf(edited, fieldPath as EntityList).push(value as Entity)
    else if (entityId === 'root')
      writeRoot(edited, fieldPath as RootField, operation === 'delete' ? null : (value as string))
    else
      for (const list of lists) {
        const among = entitiesOf(edited, list)
        const at = among.findIndex(({ id }) => id === entityId)
        if (at < 0) continue
        if (operation === 'remove_entity') among.splice(at, 1)
        else if (operation === 'delete') delete among[at]![fieldPath]
        else among[at]![fieldPath] = value
      }
  }
  return edited
}

function writeRoot({ contractTerms }: ContractEntities, field: RootField, value: string | null): void {
  if (field === 'contractTerms.signedDate') contractTerms.signedDate = value
  else if (field === 'contractTerms.executionStatus') contractTerms.executionStatus = value
  else if (field === 'contractTerms.effectivePeriod.start') contractTerms.effectivePeriod.start = value
  else contractTerms.effectivePeriod.end = value
}

import type { EditOperation, EntityList } from '../../src/operations/contract-edits.ts'
import type { ContractEntities, RootField } from '../../src/operations/contract-entities.ts'
import { ApiFailure } from '../api.ts'
import { manyText } from '../parts/format.ts'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import {
  entitiesOf,
  type Entity,
  entityTitle,
  fieldNames,
  listNames,
  lists,
  rootNames,
  valueText,
} from './entity-words.ts'
import type { PendingEdits } from './pending-edits.ts'

/** Corrections that wait to be saved: each can be undone, and each shows what is wrong with it. */
export function PendingBar({
  pending,
  saved,
  failure,
  isSaving,
  save,
  reload,
}: {
  pending: PendingEdits
  /** The entities that the corrections are made to. */
  saved: ContractEntities
  failure: unknown
  isSaving: boolean
  save: () => void
  reload: () => void
}) {
  const { operations } = pending
  if (operations.length === 0) return null
  const known = failure instanceof ApiFailure ? failure : undefined
  const wrongAt = known?.operationIndex
  return (
    <section className="card pending" aria-label="Corrections to save">
      <ol className="plain small">
        {operations.map((operation, at) => (
          <li key={`${operation.operation} ${operation.entityId} ${operation.fieldPath} ${at}`}>
            <div className="row between">
              <span>{operationText(operation, saved, operations)}</span>
              <button
                type="button"
                className="link"
                aria-label={`Undo correction ${at + 1}`}
                onClick={() => pending.undo(at)}
              >
                Undo
              </button>
            </div>
            {wrongAt === at && (
              <Notice kind="bad" title="This correction was refused; nothing was saved">
                {known?.message}
              </Notice>
            )}
          </li>
        ))}
      </ol>
      {known?.code === 'stale_revision' ? (
        <Notice kind="warn" title="Somebody else saved meanwhile">
          <div className="row">
            <span>Reload what they saved; your corrections stay here to be looked at again.</span>
            <button type="button" className="button" onClick={reload}>
              Reload
            </button>
          </div>
        </Notice>
      ) : (
        failure !== undefined &&
        failure !== null &&
        wrongAt === undefined && <FailureNotice failure={failure} />
      )}
      <div className="row">
        <button type="button" className="button primary" disabled={isSaving} onClick={save}>
          {isSaving ? 'Saving…' : `Save ${manyText(operations.length, 'correction')}`}
        </button>
        <button type="button" className="button quiet" onClick={() => pending.discard()}>
          Discard all
        </button>
      </div>
    </section>
  )
}

function operationText(
  { operation, entityId, fieldPath, value }: EditOperation,
  saved: ContractEntities,
  operations: readonly EditOperation[],
): string {
  if (operation === 'append_entity')
    return `Add to ${listNames[fieldPath as EntityList].toLowerCase()}: ${entityTitle(value as Entity)}`
  const entity =
    lists.flatMap((list) => entitiesOf(saved, list)).find(({ id }) => id === entityId) ??
    (operations.find((one) => (one.value as Entity | undefined)?.id === entityId)?.value as
      | Entity
      | undefined)
  const title = entity ? entityTitle(entity) : entityId
  if (operation === 'remove_entity') return `Remove ${title}`
  const name =
    entityId === 'root'
      ? rootNames[fieldPath as RootField]
      : `${title}: ${fieldNames[fieldPath]!.toLowerCase()}`
  return operation === 'delete' ? `${name}: delete` : `${name} → ${valueText(value)}`
}

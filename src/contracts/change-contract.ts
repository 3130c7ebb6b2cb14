import { createHash } from 'node:crypto'
import { Failure } from '../errors.ts'
import type { EditAnswer, EditOperation, EditRequest } from '../operations/contract-edits.ts'
import type { ContractEntities, Evidence } from '../operations/contract-entities.ts'
import type { Records, Row, Statements } from '../records/records.ts'
import { payerOf } from '../vocabulary/payers.ts'
import { editedEntities } from './edits.ts'
import { type Owner, refuseUnread } from './store.ts'

export interface RevertRequest {
  readonly requestId: string
  readonly baseRevision: number
  readonly revision: number
}

interface Change {
  readonly requestId: string
  readonly baseRevision: number
  readonly kind: 'edit' | 'revert'
  /** What makes two requests the same. */
  readonly content: unknown
  readonly operations: readonly EditOperation[] | null
  readonly revertedTo: number | null
  readonly make: (statements: Statements, contract: Row, now: ContractEntities) => Promise<ContractEntities>
}

/** Corrects a contract's entities: all operations or none, on the revision that the caller has read. */
export const editContract = (records: Records, owner: Owner, id: string, request: EditRequest, now: number) =>
  changeContract(records, owner, id, now, {
    ...request,
    kind: 'edit',
    content: [request.baseRevision, request.operations],
    revertedTo: null,
    make: async (_, contract, entities) => {
      const evidence = JSON.parse(String(contract['evidence'])) as Evidence[]
      return editedEntities(entities, request.operations, {
        evidenceIds: new Set(evidence.map((one) => one.id)),
        isPayer: (payer) => payerOf(payer) !== undefined,
      })
    },
  })

/** Makes a new revision that is equal to an earlier one. */
export const revertContract = (
  records: Records,
  owner: Owner,
  id: string,
  request: RevertRequest,
  now: number,
) =>
  changeContract(records, owner, id, now, {
    ...request,
    kind: 'revert',
    content: [request.baseRevision, 'revert', request.revision],
    operations: null,
    revertedTo: request.revision,
    make: async (statements) => {
      const [row] = await statements.all(
        'select resolved from contract_revisions where contract_id = $1 and revision = $2',
        [id, request.revision],
      )
      if (!row) throw new Failure('entity_not_found', `The contract has no revision ${request.revision}.`)
      return JSON.parse(String(row['resolved'])) as ContractEntities
    },
  })

function changeContract(
  records: Records,
  owner: Owner,
  id: string,
  now: number,
  change: Change,
): Promise<EditAnswer> {
  const digest = createHash('sha256').update(canonical(change.content)).digest('hex')
  // The lock on the contract's row makes editors take turns; SQLite's transaction is such a lock by itself.
  const locking = records.kind === 'postgres' ? ' for update' : ''
  return records.transaction(async (statements) => {
    const [contract] = await statements.all(
      `select revision, status, error, evidence from contracts
       where id = $1 and organization_id = $2 and deleted_at is null${locking}`,
      [id, owner.organizationId],
    )
    if (!contract) throw new Failure('entity_not_found', 'There is no such contract.')
    const { status, error } = contract as { status: 'queued'; error: string | null }
    refuseUnread({
      status,
      error: error === null ? null : { code: 'extraction_unavailable', message: error },
    })
    const newest = Number(contract['revision'])
    const [before] = await statements.all(
      'select revision, request_digest, resolved from contract_revisions where contract_id = $1 and request_id = $2',
      [id, change.requestId],
    )
    if (before) {
      if (before['request_digest'] !== digest) throw new Failure('request_id_reused')
      if (Number(before['revision']) !== newest) throw new Failure('edit_already_applied')
      return {
        id,
        revision: newest,
        resolvedEntities: JSON.parse(String(before['resolved'])) as ContractEntities,
      }
    }
    if (change.baseRevision !== newest)
      throw new Failure(
        'stale_revision',
        `The newest revision is ${newest}, not ${change.baseRevision}. Read it again.`,
      )
    const [current] = await statements.all(
      'select resolved from contract_revisions where contract_id = $1 and revision = $2',
      [id, newest],
    )
    const resolvedEntities = await change.make(
      statements,
      contract,
      JSON.parse(String(current!['resolved'])) as ContractEntities,
    )
    const revision = newest + 1
    await statements.insert(
      'contract_revisions',
      [
        'contract_id',
        'revision',
        'kind',
        'resolved',
        'operations',
        'reverted_to',
        'request_id',
        'request_digest',
        'user_id',
        'key_id',
        'at',
      ],
      [
        [
          id,
          revision,
          change.kind,
          JSON.stringify(resolvedEntities),
          change.operations && JSON.stringify(change.operations),
          change.revertedTo,
          change.requestId,
          digest,
          owner.userId,
          owner.keyId,
          now,
        ],
      ],
    )
    await statements.run('update contracts set revision = $2 where id = $1', [id, revision])
    return { id, revision, resolvedEntities }
  })
}

/** JSON in which the order of properties says nothing. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

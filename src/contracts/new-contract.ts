import { randomUUID } from 'node:crypto'
import { Failure } from '../errors.ts'
import { cancel, enqueue } from '../jobs/queue.ts'
import type { Contract } from '../operations/contracts.ts'
import type { Records } from '../records/records.ts'
import { documentFolder, forgetFolder, keepDocument } from './document-folder.ts'
import { extractionJob } from './extraction-job.ts'
import { contract, type Owner } from './store.ts'
import { type Sent, type Uploaded, uploaded } from './uploaded.ts'

/** Receives a document, keeps it and queues its reading. Once it returns, neither can be lost; where it fails, nothing stays. */
export async function newContract(
  records: Records,
  dataFolder: string,
  owner: Owner,
  sent: Sent,
  now: () => number,
): Promise<Contract> {
  const id = randomUUID()
  const folder = documentFolder(dataFolder, owner.organizationId, id)
  const { name, fileName, type, bytes, sha256 } = await received(sent, folder)
  const at = now()
  // A store that fails here may have kept the row all the same: the sweep tells later whether the folder is anybody's.
  await records.transaction(async (statements) => {
    await statements.insert(
      'contracts',
      [
        'id',
        'organization_id',
        'name',
        'file_name',
        'document_type',
        'bytes',
        'digest',
        'status',
        'revision',
        'created_by',
        'created_key',
        'created_at',
      ],
      [
        [
          id,
          owner.organizationId,
          name,
          fileName,
          type,
          bytes,
          sha256,
          'queued',
          0,
          owner.userId,
          owner.keyId,
          at,
        ],
      ],
    )
    await enqueue(statements, { kind: extractionJob, subject: id, organizationId: owner.organizationId }, at)
  })
  return contract(records, owner, id)
}

async function received(sent: Sent, folder: string): Promise<Uploaded> {
  try {
    return await uploaded(sent, (pieces) => keepDocument(folder, pieces))
  } catch (error) {
    await forgetFolder(folder)
    throw error
  }
}

/** Deletes a contract softly: it is in no answer any more, and nobody goes on reading it. */
export async function deleteContract(records: Records, owner: Owner, id: string, now: number): Promise<void> {
  await records.transaction(async (statements) => {
    const rows = await statements.all(
      'update contracts set deleted_at = $3 where id = $1 and organization_id = $2 and deleted_at is null returning id',
      [id, owner.organizationId, now],
    )
    if (rows.length === 0) throw new Failure('not_found', 'There is no such contract.')
    await cancel(statements, extractionJob, id, now)
  })
}

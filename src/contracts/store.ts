import { Failure } from '../errors.ts'
import type { Contract, ContractRevision } from '../operations/contracts.ts'
import type { ContractEntities, Evidence, ExtractedEntities } from '../operations/contract-entities.ts'
import type { EditOperation } from '../operations/contract-edits.ts'
import type { Records, Row, Value } from '../records/records.ts'

/** Whose contracts are asked for. */
export interface Owner {
  readonly organizationId: string
  readonly userId: string | null
  readonly keyId: string | null
}

const contractColumns = `
  c.id, c.name, c.file_name, c.document_type, c.bytes, c.digest, c.status, c.error, c.pages, c.revision, c.created_at,
  c.extracted_at, coalesce(u.email, k.name) as created_by`
const contractTables = `
  contracts c left join users u on u.id = c.created_by left join api_keys k on k.id = c.created_key`

const contractOf = (row: Row): Contract => ({
  id: String(row['id']),
  name: String(row['name']),
  fileName: String(row['file_name']),
  documentType: row['document_type'] as Contract['documentType'],
  bytes: Number(row['bytes']),
  sha256: String(row['digest']),
  status: row['status'] as Contract['status'],
  error: row['error'] === null ? null : { code: 'extraction_unavailable', message: String(row['error']) },
  pages: row['pages'] === null ? null : Number(row['pages']),
  revision: Number(row['revision']),
  createdAt: isoTime(row['created_at']),
  createdBy: row['created_by'] as string | null,
  extractedAt: row['extracted_at'] === null ? null : isoTime(row['extracted_at']),
})

const isoTime = (at: Value | undefined) => new Date(Number(at)).toISOString()

/** A contract of the organisation; `not_found` for those of others and for deleted ones. */
export async function contract(records: Records, owner: Owner, id: string): Promise<Contract> {
  const [row] = await records.read(
    `select ${contractColumns} from ${contractTables} where c.id = $1 and c.organization_id = $2 and c.deleted_at is null`,
    [id, owner.organizationId],
  )
  if (!row) throw new Failure('not_found', 'There is no such contract.')
  return contractOf(row)
}

/** A page of the organisation's contracts, newest first. */
export async function contracts(
  records: Records,
  owner: Owner,
  { search, limit, cursor }: { search?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ contracts: Contract[]; nextCursor: string | null }> {
  const [at, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : cursorOf(cursor)
  const like = `%${(search ?? '').toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const rows = await records.read(
    `select ${contractColumns} from ${contractTables}
     where c.organization_id = $1 and c.deleted_at is null and lower(c.name) like $2 escape '\\'
       and (c.created_at < $3 or (c.created_at = $3 and c.id < $4))
     order by c.created_at desc, c.id desc limit $5`,
    [owner.organizationId, like, at, id, limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    contracts: page.map(contractOf),
    nextCursor: last ? `${Number(last['created_at'])}.${String(last['id'])}` : null,
  }
}

function cursorOf(cursor: string): [number, string] {
  const [, at, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw new Failure('invalid_cursor')
  return [Number(at), id]
}

/** Fails while a contract is being read, or when it could not be. */
export function refuseUnread({ status, error }: Pick<Contract, 'status' | 'error'>): void {
  if (status === 'queued' || status === 'extracting') throw new Failure('extraction_in_progress')
  if (status === 'failed') throw new Failure('extraction_unavailable', error?.message)
}

/** Everything that is known of a contract that has been read. */
export async function entities(records: Records, owner: Owner, id: string) {
  refuseUnread(await contract(records, owner, id))
  const [row] = await records.read(
    `select c.revision, c.extracted, c.evidence, r.resolved from contracts c
     join contract_revisions r on r.contract_id = c.id and r.revision = c.revision
     where c.id = $1 and c.organization_id = $2 and c.deleted_at is null`,
    [id, owner.organizationId],
  )
  if (!row) throw new Failure('not_found', 'There is no such contract.')
  return {
    id,
    revision: Number(row['revision']),
    extractedEntities: JSON.parse(String(row['extracted'])) as ExtractedEntities,
    resolvedEntities: JSON.parse(String(row['resolved'])) as ContractEntities,
    evidence: JSON.parse(String(row['evidence'])) as Evidence[],
  }
}

const revisionColumns = `
  r.revision, r.kind, r.at, r.operations, r.reverted_to, coalesce(u.email, k.name) as made_by`
const revisionTables = `
  contract_revisions r left join users u on u.id = r.user_id left join api_keys k on k.id = r.key_id`

const revisionOf = (row: Row): ContractRevision => ({
  revision: Number(row['revision']),
  kind: row['kind'] as ContractRevision['kind'],
  at: isoTime(row['at']),
  by: row['made_by'] as string | null,
  operations: row['operations'] === null ? [] : (JSON.parse(String(row['operations'])) as EditOperation[]),
  revertedTo: row['reverted_to'] === null ? null : Number(row['reverted_to']),
})

/** Who changed what, when: newest first. */
export async function revisions(
  records: Records,
  owner: Owner,
  { id, limit, before }: { id: string; limit: number; before?: number | undefined },
): Promise<{ revisions: ContractRevision[]; nextBefore: number | null }> {
  await contract(records, owner, id)
  const rows = await records.read(
    `select ${revisionColumns} from ${revisionTables} where r.contract_id = $1 and r.revision < $2
     order by r.revision desc limit $3`,
    [id, before ?? 2_147_483_647, limit + 1],
  )
  const page = rows.slice(0, limit).map(revisionOf)
  return { revisions: page, nextBefore: rows.length > limit ? page.at(-1)!.revision : null }
}

/** A contract's entities as they were. */
export async function revision(records: Records, owner: Owner, id: string, number: number) {
  await contract(records, owner, id)
  const [row] = await records.read(
    `select ${revisionColumns}, r.resolved from ${revisionTables} where r.contract_id = $1 and r.revision = $2`,
    [id, number],
  )
  if (!row) throw new Failure('not_found', 'The contract has no such revision.')
  return { id, ...revisionOf(row), resolvedEntities: JSON.parse(String(row['resolved'])) as ContractEntities }
}

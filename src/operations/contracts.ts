import { z } from 'zod'
import type { Failure } from '../errors.ts'
import {
  EditAnswer,
  type EditError,
  editErrorCodes,
  type EditErrorCode,
  EditOperation,
  EditRequest,
} from './contract-edits.ts'
import { ContractEntities, Evidence, ExtractedEntities, noEntities } from './contract-entities.ts'
import { operation } from './operation.ts'

export const contractBytesMost = 25 * 1024 * 1024
/** As many characters as are read of a document. */
export const contractTextMost = 5_000_000

const exampleId = '5b2f6c1e-8d0a-4a57-9c3e-2f4b7d1a6e90'
const contractParams = z.strictObject({
  id: z.uuid('expected the id of a contract').describe('Contract id'),
})
const exampleParams = { id: exampleId }

export const ContractStatus = z.enum(['queued', 'extracting', 'ready', 'failed'])

/** A contract of the organisation, without its entities. */
export const Contract = z
  .object({
    id: z.uuid(),
    name: z.string(),
    fileName: z.string(),
    documentType: z.enum(['pdf', 'docx', 'html', 'txt']),
    bytes: z.int(),
    sha256: z.string(),
    status: ContractStatus,
    error: z
      .object({ code: z.literal('extraction_unavailable'), message: z.string() })
      .nullable()
      .describe('Why it failed and what to do'),
    pages: z.int().nullable(),
    revision: z.int().min(0).describe('The newest revision of its entities; 0 is what was extracted'),
    createdAt: z.iso.datetime(),
    createdBy: z.string().nullable().describe('E-mail address of the user, or name of the key'),
    extractedAt: z.iso.datetime().nullable(),
  })
  .describe('A contract')
export type Contract = z.infer<typeof Contract>

const example: Contract = {
  id: exampleId,
  name: 'Northwind Health 2024',
  fileName: 'northwind-2024.pdf',
  documentType: 'pdf',
  bytes: 182_404,
  sha256: 'a3f5c0de11b24c5f9f1e7d0b8a6c4e2f00112233445566778899aabbccddeeff',
  status: 'ready',
  error: null,
  pages: 18,
  revision: 3,
  createdAt: '2026-05-04T09:30:00.000Z',
  createdBy: 'ann@example.com',
  extractedAt: '2026-05-04T09:30:04.000Z',
}
const exampleEntities: ContractEntities = {
  ...noEntities(),
  parties: {
    ...noEntities().parties,
    payers: [
      {
        id: 'payer-1',
        name: 'Aetna Health Inc.',
        normalizedName: 'Aetna Health',
        payerpricePayer: 'Aetna',
        evidenceIds: ['evidence-1'],
      },
    ],
  },
}

/** A contract that is sent as text. */
export const ContractAsText = z.strictObject({
  name: z.string().trim().min(1).max(200),
  text: z.string().min(1).max(contractTextMost),
})

export const createContract = operation({
  name: 'createContract',
  method: 'POST',
  path: '/api/v1/contracts',
  group: 'Contracts',
  credits: 0,
  role: 'admin',
  status: 202,
  summary: 'Upload a contract',
  description: [
    'Send the document as `multipart/form-data` with a part `file` (PDF, Word .docx, HTML or plain text, at most 25 MB, judged by its content) and optionally a part `name`; or send `application/json` with `name` and `text`.',
    'The document is read in the background: follow `GET /api/v1/contracts/{id}` until `status` is `ready`, or `failed` with `error`.',
  ].join('\n\n'),
  upload: { bytesMost: contractBytesMost, types: ['multipart/form-data', 'application/json'] },
  request: ContractAsText,
  response: Contract,
  example: {
    request: { name: 'Sample agreement', text: 'This Agreement is effective January 1, 2026.' },
    response: { ...example, status: 'queued', pages: null, revision: 0, extractedAt: null },
  },
  failures: ['admin_required', 'too_large', 'unsupported_media_type'],
})

export const listContracts = operation({
  name: 'listContracts',
  method: 'GET',
  path: '/api/v1/contracts',
  group: 'Contracts',
  credits: 0,
  summary: 'Contracts of your organisation, newest first',
  description: 'Deleted contracts are left out. Pages follow `nextCursor` until it is null.',
  request: z.strictObject({
    search: z.string().trim().max(200).optional().describe('Keep contracts whose name holds this text'),
    limit: z.coerce.number().int().min(1).max(200).default(50).describe('Contracts per page, 1 to 200'),
    cursor: z.string().min(1).max(200).optional().describe('nextCursor of the page before'),
  }),
  response: z.object({ contracts: z.array(Contract), nextCursor: z.string().nullable() }),
  example: { response: { contracts: [example], nextCursor: null } },
  failures: ['invalid_cursor'],
})

export const readContract = operation({
  name: 'readContract',
  method: 'GET',
  path: '/api/v1/contracts/{id}',
  group: 'Contracts',
  credits: 0,
  summary: 'A contract',
  description: 'The record of a contract: how far it is, and which revision its entities have.',
  params: contractParams,
  request: z.strictObject({}),
  response: Contract,
  example: { params: exampleParams, response: example },
  failures: ['not_found'],
})

export const contractDocument = operation({
  name: 'contractDocument',
  method: 'GET',
  path: '/api/v1/contracts/{id}/document',
  group: 'Contracts',
  credits: 0,
  summary: 'The document of a contract, as it was uploaded',
  description: 'Sent as a file to save, never as a page: a script inside a document does not run.',
  params: contractParams,
  request: z.strictObject({}),
  response: z.string(),
  download: [
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'text/html',
    'text/plain',
  ],
  example: { params: exampleParams, request: undefined, response: undefined },
  failures: ['not_found'],
})

export const contractText = operation({
  name: 'contractText',
  method: 'GET',
  path: '/api/v1/contracts/{id}/text',
  group: 'Contracts',
  credits: 0,
  summary: 'The text of a contract, page by page',
  description:
    'What the extractor read. `start` and `end` of evidence count UTF-16 units in the text of its page.',
  params: contractParams,
  request: z.strictObject({}),
  response: z.object({ id: z.uuid(), pages: z.array(z.object({ page: z.int(), text: z.string() })) }),
  example: {
    params: exampleParams,
    response: {
      id: exampleId,
      pages: [{ page: 1, text: 'PROVIDER AGREEMENT\n\nThis Agreement is made between …' }],
    },
  },
  failures: ['not_found', 'extraction_in_progress', 'extraction_unavailable'],
})

export const deleteContract = operation({
  name: 'deleteContract',
  method: 'DELETE',
  path: '/api/v1/contracts/{id}',
  group: 'Contracts',
  credits: 0,
  role: 'admin',
  status: 204,
  summary: 'Delete a contract',
  description:
    'The contract disappears from every answer. Its document and revisions are kept for the operator.',
  params: contractParams,
  request: z.strictObject({}),
  response: z.null(),
  example: { params: exampleParams, request: undefined, response: undefined },
  failures: ['admin_required', 'not_found'],
})

export const contractEntities = operation({
  name: 'contractEntities',
  method: 'GET',
  path: '/api/v1/contracts/{id}/entities',
  group: 'Contracts',
  credits: 0,
  summary: 'What a contract says: extracted, corrected, and where it stands',
  description:
    '`extractedEntities` is what was read, with confidence by entity in `sources`; `resolvedEntities` is that with every correction applied; `evidence` quotes the document. `pricingTerms` are read-only.',
  params: contractParams,
  request: z.strictObject({}),
  response: z.object({
    id: z.uuid(),
    revision: z.int().min(0),
    extractedEntities: ExtractedEntities,
    resolvedEntities: ContractEntities,
    evidence: z.array(Evidence),
  }),
  example: {
    params: exampleParams,
    response: {
      id: exampleId,
      revision: 3,
      extractedEntities: {
        ...exampleEntities,
        sources: { 'payer-1': { confidence: 0.98, evidenceIds: ['evidence-1'] } },
      },
      resolvedEntities: exampleEntities,
      evidence: [
        {
          id: 'evidence-1',
          page: 1,
          start: 20,
          end: 83,
          text: 'This Agreement is made between Aetna Health Inc. and …',
        },
      ],
    },
  },
  failures: ['not_found', 'extraction_in_progress', 'extraction_unavailable'],
})

/** A range of characters in the text of one page. */
export const QuoteRequest = z
  .strictObject({
    page: z.int().min(1),
    start: z.int().min(0),
    end: z.int().min(1),
  })
  .refine(({ start, end }) => end > start && end - start <= 10_000, {
    path: ['end'],
    error: 'end comes after start, by at most 10,000 characters',
  })
export type QuoteRequest = z.infer<typeof QuoteRequest>

export const quoteContract = operation({
  name: 'quoteContract',
  method: 'POST',
  path: '/api/v1/contracts/{id}/evidence',
  group: 'Contracts',
  credits: 0,
  role: 'admin',
  summary: 'Quote a contract, for entities that you add',
  description:
    'Makes evidence of a range of characters in the text of a page (`GET …/text`), for the `evidenceIds` of an entity that you append. The same range is always the same evidence.',
  params: contractParams,
  request: QuoteRequest,
  response: Evidence,
  example: {
    params: exampleParams,
    request: { page: 2, start: 120, end: 158 },
    response: {
      id: 'quote-2-120-158',
      page: 2,
      start: 120,
      end: 158,
      text: 'Notices shall be in writing and signed.',
    },
  },
  failures: ['admin_required', 'not_found', 'conflict', 'extraction_in_progress', 'extraction_unavailable'],
})

const isEditCode = (code: string): code is EditErrorCode => editErrorCodes.some((known) => known === code)

/** The body that a failed edit answers with. */
export function editErrorOf(failure: Failure): EditError | undefined {
  const code = failure.code === 'malformed_json' ? 'invalid_request' : failure.code
  if (!isEditCode(code)) return undefined
  const operationIndex = failure.details.more?.['operationIndex']
  const problems = failure.details.problems ?? []
  const message =
    problems.length > 1
      ? problems
          .map(({ path, message }) => `${path || 'body'}: ${message}`)
          .join('; ')
          .slice(0, 2_000)
      : failure.message
  return { code, message, ...(typeof operationIndex === 'number' && { operationIndex }) }
}

const editFailures = [
  'admin_required',
  'entity_not_found',
  'stale_revision',
  'request_id_reused',
  'edit_already_applied',
  'extraction_in_progress',
  'extraction_unavailable',
] as const

export const editContract = operation({
  name: 'editContract',
  method: 'POST',
  path: '/api/v1/contracts/{id}/edits',
  group: 'Contracts',
  credits: 0,
  role: 'admin',
  summary: 'Correct the entities of a contract',
  description: [
    'Applies up to 200 operations in order, all or none, to the revision that you read, and makes a new revision.',
    '| operation | entityId | fieldPath | value |\n|---|---|---|---|\n| `set` | an entity’s id, or `root` | a field: `name`, `payerpricePayer`, `value`, `normalizedValue`, `address`, `city`, `state`, `postalCode`, `rawText`; with `root` `contractTerms.signedDate`, `contractTerms.effectivePeriod.start`, `contractTerms.effectivePeriod.end`, `contractTerms.executionStatus` | text, number or boolean |\n| `delete` | as above | as above | none |\n| `remove_entity` | an entity’s id | empty | none |\n| `append_entity` | `root` | a list, such as `parties.payers` | the entity, with an `id` of its own |',
    'Errors are `{ code, message, operationIndex? }`. A repeat of the same request while its revision is the newest returns the first answer. Pricing terms cannot be edited.',
  ].join('\n\n'),
  params: contractParams,
  request: EditRequest,
  response: EditAnswer,
  failureBody: editErrorOf,
  example: {
    params: exampleParams,
    request: {
      requestId: 'c0a8-17',
      baseRevision: 2,
      operations: [{ operation: 'set', entityId: 'payer-1', fieldPath: 'payerpricePayer', value: 'Aetna' }],
    },
    response: { id: exampleId, revision: 3, resolvedEntities: exampleEntities },
  },
  failures: [
    ...editFailures,
    'entity_id_conflict',
    'invalid_operation',
    'invalid_value',
    'required_value',
    'pricing_not_editable',
    'unsupported_target',
  ],
})

export const revertContract = operation({
  name: 'revertContract',
  method: 'POST',
  path: '/api/v1/contracts/{id}/revert',
  group: 'Contracts',
  credits: 0,
  role: 'admin',
  summary: 'Take the entities of a contract back to an earlier revision',
  description:
    'Makes a new revision that is equal to an earlier one; nothing is lost. Errors are those of an edit.',
  params: contractParams,
  request: z.strictObject({
    requestId: EditRequest.shape.requestId,
    baseRevision: EditRequest.shape.baseRevision,
    revision: z.int().min(0).describe('The revision to return to'),
  }),
  response: EditAnswer,
  failureBody: editErrorOf,
  example: {
    params: exampleParams,
    request: { requestId: 'c0a8-18', baseRevision: 2, revision: 0 },
    response: { id: exampleId, revision: 3, resolvedEntities: exampleEntities },
  },
  failures: editFailures,
})

/** Who changed what, when. */
export const ContractRevision = z.object({
  revision: z.int().min(0),
  kind: z.enum(['extraction', 'edit', 'revert']),
  at: z.iso.datetime(),
  by: z
    .string()
    .nullable()
    .describe('E-mail address of the user, or name of the key; null for the extractor'),
  operations: z.array(EditOperation).describe('What an edit did'),
  revertedTo: z.int().nullable(),
})
export type ContractRevision = z.infer<typeof ContractRevision>

const exampleRevision: ContractRevision = {
  revision: 3,
  kind: 'edit',
  at: '2026-05-06T14:02:11.000Z',
  by: 'ann@example.com',
  operations: [{ operation: 'set', entityId: 'payer-1', fieldPath: 'payerpricePayer', value: 'Aetna' }],
  revertedTo: null,
}

export const contractRevisions = operation({
  name: 'contractRevisions',
  method: 'GET',
  path: '/api/v1/contracts/{id}/revisions',
  group: 'Contracts',
  credits: 0,
  summary: 'Who changed what, when',
  description: 'Revisions of a contract’s entities, newest first. `before` continues a list.',
  params: contractParams,
  request: z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: z.coerce.number().int().min(0).optional().describe('Only revisions below this one'),
  }),
  response: z.object({ revisions: z.array(ContractRevision), nextBefore: z.int().nullable() }),
  example: { params: exampleParams, response: { revisions: [exampleRevision], nextBefore: null } },
  failures: ['not_found'],
})

export const contractRevision = operation({
  name: 'contractRevision',
  method: 'GET',
  path: '/api/v1/contracts/{id}/revisions/{revision}',
  group: 'Contracts',
  credits: 0,
  summary: 'A contract’s entities as they were',
  description:
    'The entities of any revision, whole: revision 0 is what was extracted, each later one what an edit or a revert left.',
  params: contractParams.extend({ revision: z.coerce.number().int().min(0).describe('Revision') }),
  request: z.strictObject({}),
  response: ContractRevision.extend({ id: z.uuid(), resolvedEntities: ContractEntities }),
  example: {
    params: { id: exampleId, revision: 3 },
    response: { ...exampleRevision, id: exampleId, resolvedEntities: exampleEntities },
  },
  failures: ['not_found'],
})

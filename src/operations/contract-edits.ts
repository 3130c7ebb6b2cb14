import { z } from 'zod'
import { ContractEntities, rootFields } from './contract-entities.ts'

/** The lists of a contract to which an entity can be added, with the kind of entity each holds. */
export const entityLists = {
  'parties.payers': 'party',
  'parties.administrators': 'party',
  'parties.providers': 'party',
  'parties.contractingEntities': 'party',
  'contractScope.linesOfBusiness': 'scope',
  'contractScope.plans': 'scope',
  'contractScope.products': 'scope',
  'contractScope.networks': 'scope',
  'contractScope.states': 'scope',
  'contractScope.benefitChannels': 'scope',
  'providerContext.specialties': 'scope',
  'providerContext.taxonomies': 'scope',
  'providerContext.tins': 'scope',
  'providerContext.npis': 'scope',
  'providerContext.ccns': 'scope',
  'providerContext.locations': 'location',
  'contractTerms.clauses': 'clause',
  paymentPolicies: 'policy',
} as const
export type EntityList = keyof typeof entityLists
export type EntityKind = (typeof entityLists)[EntityList]

/** The fields that `set` and `delete` reach on each kind of entity; `required` ones cannot be deleted. */
export const entityFields = {
  party: { name: 'required', payerpricePayer: 'optional' },
  scope: { value: 'required', normalizedValue: 'optional' },
  location: { address: 'optional', city: 'optional', state: 'optional', postalCode: 'optional' },
  clause: { value: 'required', normalizedValue: 'optional' },
  policy: { rawText: 'required' },
} as const satisfies Record<EntityKind, Record<string, 'required' | 'optional'>>

/** Every field path of `set` and `delete`. */
export const fieldPaths = [
  'payerpricePayer',
  'name',
  'value',
  'address',
  'city',
  'state',
  'postalCode',
  'normalizedValue',
  'rawText',
  ...rootFields,
] as const

export const editOperationNames = ['set', 'delete', 'remove_entity', 'append_entity'] as const

/** One correction. What it may name and which value it needs depends on `operation`; the reference has the table. */
export const EditOperation = z
  .strictObject({
    operation: z.string().max(50).describe('set, delete, remove_entity or append_entity'),
    entityId: z.string().max(100).describe('The id of an entity, or root'),
    fieldPath: z.string().max(100).describe('A field, a list, or the empty string'),
    value: z.unknown().optional(),
  })
  .meta({ id: 'ContractEditOperation' })
export type EditOperation = z.infer<typeof EditOperation>

export const operationsMost = 200

export const EditRequest = z.strictObject({
  requestId: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'Made by the caller, one for each batch: a repeat of the same batch is answered, not applied again',
    ),
  baseRevision: z.int().min(0).describe('The revision that the caller has read'),
  operations: z.array(EditOperation).min(1).max(operationsMost).describe('Applied in order, all or none'),
})
export type EditRequest = z.infer<typeof EditRequest>

export const EditAnswer = z.strictObject({
  id: z.uuid(),
  revision: z.int().min(1),
  resolvedEntities: ContractEntities,
})
export type EditAnswer = z.infer<typeof EditAnswer>

/** Every code that an edit can fail with. */
export const editErrorCodes = [
  'admin_required',
  'edit_already_applied',
  'entity_id_conflict',
  'entity_not_found',
  'extraction_in_progress',
  'extraction_unavailable',
  'invalid_operation',
  'invalid_request',
  'invalid_value',
  'pricing_not_editable',
  'request_id_reused',
  'required_value',
  'stale_revision',
  'unsupported_target',
] as const
export type EditErrorCode = (typeof editErrorCodes)[number]

export const EditError = z.strictObject({
  code: z.enum(editErrorCodes),
  message: z.string(),
  operationIndex: z.int().min(0).optional().describe('Which operation is wrong, from 0'),
})
export type EditError = z.infer<typeof EditError>

import type { z } from 'zod'
import { choice } from './choice.ts'

const marketFields = [
  'payer',
  'npiState',
  'taxonomyCode',
  'entityType',
  'negotiatedType',
  'billingClass',
  'billingCodeType',
  'billingCode',
  'billingCodeGroup',
  'billingCodeSubgroup',
  'serviceCode',
  'billingCodeModifier',
  'network',
] as const

export const GroupByField = choice('group-by field', marketFields).describe(
  'A field that splits the answer into groups. Each row then carries it. An entry with several service codes, modifiers or networks counts in each of their groups',
)
export type GroupByField = z.infer<typeof GroupByField>

export const ProviderGroupByField = choice('group-by field', [...marketFields, 'planName']).describe(
  'A field that each row carries. network and planName do not split rows: they come back as deduplicated, sorted arrays',
)
export type ProviderGroupByField = z.infer<typeof ProviderGroupByField>

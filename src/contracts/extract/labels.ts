import { z } from 'zod'
import {
  ClauseCategory,
  IsoDate,
  PolicyCategory,
  PricingTermType,
} from '../../operations/contract-entities.ts'

const values = z.array(z.string().min(1)).optional()

/**
 * What a careful reader finds in a contract, to score an extractor with. A list that is left out was not labelled
 * and is not scored; an empty list says that there is nothing to find.
 */
export const ContractLabels = z.strictObject({
  payers: z
    .array(z.strictObject({ name: z.string().min(1), payerpricePayer: z.string().min(1).optional() }))
    .optional(),
  administrators: values,
  providers: values,
  contractingEntities: values,
  linesOfBusiness: values,
  plans: values,
  products: values,
  networks: values,
  states: values,
  benefitChannels: values,
  specialties: values,
  taxonomies: values,
  tins: values,
  npis: values,
  ccns: values,
  locations: z
    .array(z.strictObject({ address: z.string().min(1), postalCode: z.string().min(5) }))
    .optional(),
  signedDate: IsoDate.nullable().optional(),
  effectivePeriod: z.strictObject({ start: IsoDate.nullable(), end: IsoDate.nullable() }).optional(),
  executionStatus: z.enum(['executed', 'partially_executed', 'unsigned']).nullable().optional(),
  clauses: z.array(z.strictObject({ category: ClauseCategory, text: z.string().min(1) })).optional(),
  paymentPolicies: z.array(z.strictObject({ category: PolicyCategory, text: z.string().min(1) })).optional(),
  pricingTerms: z
    .array(
      z.strictObject({
        termType: PricingTermType,
        percent: z.number().optional(),
        amount: z.number().optional(),
        reference: z.string().min(1).optional(),
      }),
    )
    .optional(),
})
export type ContractLabels = z.infer<typeof ContractLabels>

import { z } from 'zod'
import { choice, notAllowed } from './choice.ts'
import { placeOfServiceNames } from './place-of-service-list.ts'
import { negotiatedTypes, serviceCodes } from './published-words.ts'

export {
  negotiatedTypes,
  publishedCodeTypes,
  serviceCodes,
  type PublishedCodeType,
} from './published-words.ts'

/** The fifty states, the District of Columbia, and the territories that NPPES and payer files hold. */
export const states = [
  'AL',
  'AK',
  'AZ',
  'AR',
  'CA',
  'CO',
  'CT',
  'DE',
  'FL',
  'GA',
  'HI',
  'ID',
  'IL',
  'IN',
  'IA',
  'KS',
  'KY',
  'LA',
  'ME',
  'MD',
  'MA',
  'MI',
  'MN',
  'MS',
  'MO',
  'MT',
  'NE',
  'NV',
  'NH',
  'NJ',
  'NM',
  'NY',
  'NC',
  'ND',
  'OH',
  'OK',
  'OR',
  'PA',
  'RI',
  'SC',
  'SD',
  'TN',
  'TX',
  'UT',
  'VT',
  'VA',
  'WA',
  'WV',
  'WI',
  'WY',
  'DC',
  'AS',
  'GU',
  'MP',
  'PR',
  'VI',
] as const
export const State = choice('state', states).describe(
  'Two-letter state code: the fifty states, DC, and the territories AS, GU, MP, PR, VI',
)
export type State = z.infer<typeof State>

export const EntityType = choice('entity type', ['individual', 'group']).describe(
  'Whether the NPI belongs to a person (individual) or an organisation (group)',
)
export type EntityType = z.infer<typeof EntityType>

/** The directory's search writes the same two words with a capital letter. */
export const DirectoryEntityType = choice('entity type', ['Individual', 'Group']).describe(
  'Whether the NPI belongs to a person or an organisation (capitalised in provider search)',
)
export type DirectoryEntityType = z.infer<typeof DirectoryEntityType>

export const BillingClass = choice('billing class', ['professional', 'institutional']).describe(
  'Which claim form the rate is billed on. A rate published for both belongs to each',
)
export type BillingClass = z.infer<typeof BillingClass>

export const BillingCodeType = choice('billing code type', [
  'CPT',
  'HCPCS',
  'RC',
  'MS-DRG',
  'APR-DRG',
  'LOCAL',
  'CSTM-ALL',
]).describe('Code system. RC = revenue code; LOCAL = payer-specific; CSTM-ALL = custom, all codes')
export type BillingCodeType = z.infer<typeof BillingCodeType>

export const NegotiatedType = choice('negotiated type', negotiatedTypes).describe(
  'How the payer arrived at the rate. percentage is a percent of billed charges, per diem is dollars a day: neither is pooled with dollar rates unless asked for by name',
)
export type NegotiatedType = z.infer<typeof NegotiatedType>

export type ServiceCode = string

/** Two-digit text from what people send: `"2"` and `2` mean `"02"`. */
export function serviceCodeFrom(sent: unknown): unknown {
  const text = typeof sent === 'number' ? String(sent) : sent
  return typeof text === 'string' && /^\d$/.test(text) ? `0${text}` : text
}

export const ServiceCode = z
  .preprocess(
    serviceCodeFrom,
    z.enum(serviceCodes, { error: (issue) => notAllowed('service code', issue.input, serviceCodes) }),
  )
  .describe(
    'Place of service, two-digit text such as "11" (office); "CSTM-00" = published for all places; "none" = none named',
  )
  .meta({ jsonSchema: { type: 'string', enum: serviceCodes } })

/** What a service code means, in words. */
export function serviceCodeName(code: string): string {
  if (code === 'CSTM-00') return 'All places of service'
  if (code === 'none') return 'No place of service given'
  return placeOfServiceNames[code] ?? `Place of service ${code}`
}

export const BillingCodeModifier = choice('billing code modifier', ['none', 'TC', '26']).describe(
  'TC = technical component, 26 = professional component, none = published without a modifier',
)
export type BillingCodeModifier = z.infer<typeof BillingCodeModifier>

/** The tool server takes any two-character modifier, or `none`. */
export const AnyModifier = z
  .string()
  .regex(/^([A-Z0-9]{2}|none)$/, 'expected a two-character modifier such as "25" or "LT", or "none"')
  .describe('Two-character modifier such as 25, 59, LT, TC, 26; none = published without a modifier')

import { z } from 'zod'
import {
  ContractClause,
  IsoDate,
  NamedParty,
  PaymentPolicy,
  PricingTerm,
  ProviderLocation,
  ScopeValue,
} from '../../operations/contract-entities.ts'

const listMost = 500
const quote = z.string().min(1).max(10_000).describe('The sentence it stands in, word for word')
const confidence = z.number().min(0).max(1).nullish().describe('How sure you are, from 0 to 1')

/** A list of entities as the service gives them: without our ids, each with its quotation. */
const list = <Shape extends z.ZodRawShape>(entity: z.ZodObject<Shape>) =>
  z.array(entity.extend({ quote, confidence })).max(listMost)
const root = (value: z.ZodType<string>) => z.strictObject({ value, quote, confidence }).nullish()

const party = list(NamedParty.pick({ name: true }))
const scope = list(
  ScopeValue.pick({ value: true }).extend({ normalizedValue: z.string().max(500).nullish() }),
)
const { address, city, state, postalCode } = ProviderLocation.shape

/** What a service answers about a part of a contract: our entities, with the words they rest on instead of ids. */
export const ServiceAnswer = z.strictObject({
  parties: z.strictObject({
    payers: party.describe('Insurers, health plans and self-funded employers that are party to the contract'),
    administrators: party.describe('Third-party administrators of claims or benefits'),
    providers: party.describe('Hospitals, groups, clinics and suppliers that are paid'),
    contractingEntities: party.describe('IPA, PHO, ACO or network that contracts for providers'),
  }),
  contractScope: z.strictObject({
    linesOfBusiness: scope.describe(
      'normalizedValue: commercial, medicare_advantage, medicaid, exchange, workers_compensation, tricare, medicare_supplement, dual_special_needs, chip, federal_employees',
    ),
    plans: scope.describe('Benefit plans by name'),
    products: scope.describe('normalizedValue: HMO, PPO, EPO, POS, HDHP, Indemnity'),
    networks: scope.describe('Networks by name'),
    states: scope.describe('States in which the contract holds, not the law that governs it'),
    benefitChannels: scope.describe(
      'normalizedValue: fully_insured, self_funded, individual, small_group, large_group',
    ),
  }),
  providerContext: z.strictObject({
    specialties: scope,
    taxonomies: scope.describe('Taxonomy codes of ten characters that stand in the text'),
    tins: scope,
    npis: scope,
    ccns: scope,
    locations: list(
      z.strictObject({
        address: address.nullable(),
        city: city.nullable(),
        state: state.nullable(),
        postalCode: postalCode.nullable(),
      }),
    ).describe('Addresses of providers only'),
  }),
  contractTerms: z.strictObject({
    signedDate: root(IsoDate).describe('When the last party signed'),
    effectivePeriod: z.strictObject({
      start: root(IsoDate),
      end: root(IsoDate).describe('The stated last day, or that of the initial term'),
    }),
    executionStatus: root(z.enum(['executed', 'partially_executed', 'unsigned'])),
    clauses: list(ContractClause.pick({ category: true, clauseType: true })).describe(
      'Rules that set no price; the quote is the whole paragraph',
    ),
  }),
  paymentPolicies: list(PaymentPolicy.pick({ category: true, policyType: true })).describe(
    'Which services are paid and how they are billed, without a price; the quote is the whole paragraph',
  ),
  pricingTerms: list(
    PricingTerm.pick({ termType: true }).extend({
      percent: z.number().nullish(),
      amount: z.number().nullish(),
      reference: z.string().max(300).nullish(),
    }),
  ),
})
export type ServiceAnswer = z.infer<typeof ServiceAnswer>

// Services differ in which words of JSON Schema they know; these all of them do.
const known = new Set(['type', 'properties', 'items', 'enum', 'anyOf', 'description', 'additionalProperties'])

/** The answer's JSON schema in the words that every service knows: each property required, what may be missing null. */
export const answerSchema = (): unknown => plain(z.toJSONSchema(ServiceAnswer, { io: 'input' }))

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties } = schema as { properties?: Record<string, unknown> }
  const kept = Object.entries(schema)
    .filter(([key]) => known.has(key) && key !== 'properties')
    .map(([key, value]): [string, unknown] => [key, key === 'enum' ? value : plain(value)])
  if (!properties) return Object.fromEntries(kept)
  return {
    ...Object.fromEntries(kept),
    properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, plain(of)])),
    required: Object.keys(properties),
  }
}

import { z } from 'zod'

/** What a clause of a contract is about. */
export const clauseCategories = [
  'renewal',
  'termination',
  'claims_submission',
  'payment_timing',
  'appeal',
  'recoupment',
  'audit',
  'authorization',
  'referral',
  'confidentiality',
  'privacy',
  'insurance',
  'assignment',
  'participation',
  'network',
  'policy',
  'payment_responsibility',
  'patient_protection',
  'continuity_of_care',
  'delegation',
  'other',
] as const
export const ClauseCategory = z.enum(clauseCategories)
export type ClauseCategory = z.infer<typeof ClauseCategory>

/** What a payment policy that sets no price is about. */
export const policyCategories = [
  'authorization',
  'billing',
  'claims_administration',
  'coverage',
  'other',
] as const
export const PolicyCategory = z.enum(policyCategories)
export type PolicyCategory = z.infer<typeof PolicyCategory>

/** The ways of pricing that a contract is read for. They are shown and never edited. */
export const pricingTermTypes = [
  'fee_schedule',
  'percent_of_medicare',
  'percent_of_charges',
  'per_diem',
  'case_rate',
  'lesser_of',
] as const
export const PricingTermType = z.enum(pricingTermTypes)
export type PricingTermType = z.infer<typeof PricingTermType>

const text = (most: number) => z.string().trim().min(1).max(most)
const EntityId = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, 'an id has 1 to 100 letters, digits, ".", ":", "_" or "-"')
  .refine((id) => id !== 'root', 'root names the contract itself')
const EvidenceIds = z.array(text(100)).max(100).describe('The evidence it rests on')
const Details = z.record(z.string().max(200), z.unknown())

export const IsoDate = z.iso.date().describe('A day, YYYY-MM-DD')

/** A party to the contract, or another that it names. */
export const NamedParty = z.strictObject({
  id: EntityId,
  name: text(300),
  normalizedName: text(300).optional(),
  payerpricePayer: text(100).optional().describe('The payer of the registry, as GET /api/v1/payers lists it'),
  evidenceIds: EvidenceIds.optional(),
})
export type NamedParty = z.infer<typeof NamedParty>

/** A value of the contract's scope, or of who its providers are. */
export const ScopeValue = z.strictObject({
  id: EntityId,
  value: text(500),
  normalizedValue: text(500).optional(),
  evidenceIds: EvidenceIds.optional(),
})
export type ScopeValue = z.infer<typeof ScopeValue>

/** A place where the contract's providers work. */
export const ProviderLocation = z.strictObject({
  id: EntityId,
  address: text(300).optional(),
  city: text(100).optional(),
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a state has two capital letters')
    .optional(),
  postalCode: z
    .string()
    .regex(/^\d{5}(-\d{4})?$/, 'a postal code has five digits, or nine with a hyphen')
    .optional(),
  evidenceIds: EvidenceIds.optional(),
})
export type ProviderLocation = z.infer<typeof ProviderLocation>

/** A rule of the contract that sets no price. */
export const ContractClause = z.strictObject({
  id: EntityId,
  clauseType: text(100),
  category: ClauseCategory,
  value: text(10_000),
  evidenceIds: EvidenceIds,
  normalizedValue: z.union([text(500), z.number(), z.boolean()]).optional(),
  applicability: Details.optional(),
  effectivePeriod: Details.optional(),
})
export type ContractClause = z.infer<typeof ContractClause>

/** A policy about payment that sets no price. */
export const PaymentPolicy = z.strictObject({
  id: EntityId,
  category: PolicyCategory,
  policyType: text(100),
  applicability: Details,
  rawText: text(10_000),
  evidenceIds: EvidenceIds,
  condition: Details.optional(),
  effect: Details.optional(),
  effectivePeriod: Details.optional(),
  sequence: z.int().optional(),
  stacksWithPolicyIds: z.array(text(100)).max(100).optional(),
})
export type PaymentPolicy = z.infer<typeof PaymentPolicy>

/** A way of pricing that the contract names. Read-only. */
export const PricingTerm = z.strictObject({
  id: EntityId,
  termType: PricingTermType,
  value: text(10_000).describe('The words of the contract'),
  percent: z.number().optional().describe('Of Medicare or of charges'),
  amount: z.number().optional().describe('Dollars a day, or a case'),
  reference: text(300).optional().describe('The fee schedule, year or method that is referred to'),
  evidenceIds: EvidenceIds,
})
export type PricingTerm = z.infer<typeof PricingTerm>

/** Where a text stands in the document: a range of characters (UTF-16 units) in the text of one page. */
export const Evidence = z.strictObject({
  id: text(100),
  page: z.int().min(1),
  start: z.int().min(0),
  end: z.int().min(1),
  text: z.string().min(1).max(10_000),
})
export type Evidence = z.infer<typeof Evidence>

const scopeLists = {
  linesOfBusiness: z.array(ScopeValue),
  plans: z.array(ScopeValue),
  products: z.array(ScopeValue),
  networks: z.array(ScopeValue),
  states: z.array(ScopeValue),
  benefitChannels: z.array(ScopeValue),
}

/** A contract as people read it: what was extracted, with every correction applied. */
export const ContractEntities = z.strictObject({
  parties: z.strictObject({
    payers: z.array(NamedParty),
    administrators: z.array(NamedParty),
    providers: z.array(NamedParty),
    contractingEntities: z.array(NamedParty),
  }),
  contractScope: z.strictObject(scopeLists),
  providerContext: z.strictObject({
    specialties: z.array(ScopeValue),
    taxonomies: z.array(ScopeValue),
    tins: z.array(ScopeValue),
    npis: z.array(ScopeValue),
    ccns: z.array(ScopeValue),
    locations: z.array(ProviderLocation),
  }),
  contractTerms: z.strictObject({
    signedDate: IsoDate.nullable(),
    effectivePeriod: z.strictObject({ start: IsoDate.nullable(), end: IsoDate.nullable() }),
    executionStatus: text(100).nullable().describe('executed, partially_executed or unsigned, as extracted'),
    clauses: z.array(ContractClause),
  }),
  paymentPolicies: z.array(PaymentPolicy),
  pricingTerms: z.array(PricingTerm).describe('Read-only'),
})
export type ContractEntities = z.infer<typeof ContractEntities>

/** The fields of a contract that belong to no entity. */
export const rootFields = [
  'contractTerms.signedDate',
  'contractTerms.effectivePeriod.start',
  'contractTerms.effectivePeriod.end',
  'contractTerms.executionStatus',
] as const
export type RootField = (typeof rootFields)[number]

/** How sure the extractor is of an entity (by id) or of a root field (by path), and what it rests on. */
export const ExtractedSource = z.strictObject({
  confidence: z.number().min(0).max(1),
  evidenceIds: EvidenceIds,
})
export type ExtractedSource = z.infer<typeof ExtractedSource>

/** What the extractor found: the entities, and for each entity or root field its confidence. */
export const ExtractedEntities = ContractEntities.extend({
  sources: z
    .record(z.string(), ExtractedSource)
    .describe('By entity id, or by path for a field of the contract itself: confidence and evidence'),
})
export type ExtractedEntities = z.infer<typeof ExtractedEntities>

/** A contract of which nothing is known yet. */
export const noEntities = (): ContractEntities => ({
  parties: { payers: [], administrators: [], providers: [], contractingEntities: [] },
  contractScope: {
    linesOfBusiness: [],
    plans: [],
    products: [],
    networks: [],
    states: [],
    benefitChannels: [],
  },
  providerContext: { specialties: [], taxonomies: [], tins: [], npis: [], ccns: [], locations: [] },
  contractTerms: {
    signedDate: null,
    effectivePeriod: { start: null, end: null },
    executionStatus: null,
    clauses: [],
  },
  paymentPolicies: [],
  pricingTerms: [],
})

import {
  type ContractEntities,
  type Evidence,
  type ExtractedEntities,
  type ExtractedSource,
  noEntities,
  type ScopeValue,
} from '../../operations/contract-entities.ts'
import { clauses } from './clauses.ts'
import { ContractView, type Range } from './contract-view.ts'
import type { Found } from './found.ts'
import { ccns, npis, tins } from './identifiers.ts'
import { locations } from './locations.ts'
import { parties } from './parties.ts'
import { passages } from './passages.ts'
import { paymentPolicies } from './policies.ts'
import { pricingTerms } from './pricing-terms.ts'
import { confidenceOf } from './rule-precision.ts'
import { benefitChannels, linesOfBusiness, networks, plans, products } from './scope.ts'
import { states } from './states.ts'
import { specialties, taxonomyCodes } from './specialties.ts'
import { terms } from './terms.ts'

/** What was read from a document: the entities, and the words they rest on. */
export interface Extraction {
  readonly entities: ExtractedEntities
  readonly evidence: readonly Evidence[]
  /** Which rule found an entity (by id) or a field of the contract itself (by path). */
  readonly rules?: Readonly<Record<string, string>>
}

const listMost = 500

/** Extracts by rules: the same document always gives the same entities. */
export function extractByRules(pages: readonly string[]): Extraction {
  const view = new ContractView(pages)
  const entities: ContractEntities = noEntities()
  const sources: Record<string, ExtractedSource> = {}
  const rules: Record<string, string> = {}
  const counts = new Map<string, number>()

  /** Gives a found thing its id and its evidence. */
  const sourced = (kind: string, found: Found, whole?: Range) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const id = `${kind}-${count}`
    const evidenceIds = [whole ? view.quote(whole) : view.quoteAround(found)]
    sources[id] = { confidence: confidenceOf(found.rule), evidenceIds }
    rules[id] = found.rule
    return { id, evidenceIds }
  }
  const scopeValues = (kind: string, found: readonly Found[]): ScopeValue[] =>
    found.slice(0, listMost).map((one) => ({
      ...sourced(kind, one),
      value: one.value.slice(0, 500),
      ...(one.normalized !== undefined && { normalizedValue: one.normalized.slice(0, 500) }),
    }))

  const partyKinds = {
    payers: 'payer',
    administrators: 'administrator',
    providers: 'provider',
    contractingEntities: 'contracting-entity',
  } as const
  const signers = parties(view)
  const said = passages(view)
  for (const party of signers.slice(0, listMost))
    entities.parties[party.role].push({
      ...sourced(partyKinds[party.role], party),
      name: party.value.slice(0, 300),
      normalizedName: party.normalized!.slice(0, 300),
      ...(party.payer !== undefined && { payerpricePayer: party.payer }),
    })
  const covered = { view, parties: signers, passages: said }
  const scope = entities.contractScope
  scope.linesOfBusiness = scopeValues('line-of-business', linesOfBusiness(covered))
  scope.plans = scopeValues('plan', plans(view))
  scope.products = scopeValues('product', products(covered))
  scope.networks = scopeValues('network', networks(view))
  scope.states = scopeValues('state', states(covered))
  scope.benefitChannels = scopeValues('benefit-channel', benefitChannels(covered))
  const context = entities.providerContext
  const named = specialties(view)
  context.specialties = scopeValues('specialty', named)
  context.taxonomies = scopeValues('taxonomy', taxonomyCodes(view, named))
  context.tins = scopeValues('tin', tins(view))
  context.npis = scopeValues('npi', npis(view))
  context.ccns = scopeValues('ccn', ccns(view))
  context.locations = locations(view, signers)
    .slice(0, listMost)
    .map((one) => {
      const { address, city, state, postalCode } = one
      return { ...sourced('location', one), address, city, state, postalCode }
    })
  const { signedDate, start, end, executionStatus } = terms(view)
  const rooted = {
    'contractTerms.signedDate': signedDate,
    'contractTerms.effectivePeriod.start': start,
    'contractTerms.effectivePeriod.end': end,
    'contractTerms.executionStatus': executionStatus,
  }
  for (const [path, found] of Object.entries(rooted))
    if (found) {
      sources[path] = { confidence: confidenceOf(found.rule), evidenceIds: [view.quoteAround(found)] }
      rules[path] = found.rule
    }
  entities.contractTerms = {
    signedDate: signedDate?.normalized ?? null,
    effectivePeriod: { start: start?.normalized ?? null, end: end?.normalized ?? null },
    executionStatus: executionStatus?.normalized ?? null,
    clauses: clauses(said)
      .slice(0, listMost)
      .map((one) => ({
        ...sourced('clause', one, one),
        clauseType: one.clauseType,
        category: one.category,
        value: one.value,
      })),
  }
  entities.paymentPolicies = paymentPolicies(said)
    .slice(0, listMost)
    .map((one, at) => ({
      ...sourced('policy', one, one),
      category: one.category,
      policyType: one.policyType,
      applicability: {},
      rawText: one.value,
      sequence: at + 1,
    }))
  entities.pricingTerms = pricingTerms(view).map((one) => ({
    ...sourced('pricing', one),
    termType: one.termType,
    value: one.value,
    ...(one.percent !== undefined && { percent: one.percent }),
    ...(one.amount !== undefined && { amount: one.amount }),
    ...(one.reference !== undefined && { reference: one.reference.slice(0, 300) }),
  }))
  return { entities: { ...entities, sources }, evidence: view.evidence, rules }
}

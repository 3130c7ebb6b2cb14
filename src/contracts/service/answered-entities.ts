import {
  type ContractEntities,
  ExtractedEntities,
  type ExtractedSource,
  noEntities,
  type RootField,
} from '../../operations/contract-entities.ts'
import { Ccn, npiCheckDigitHolds, npiFromText } from '../../vocabulary/identifiers.ts'
import { taxonomyOf } from '../../vocabulary/taxonomy.ts'
import type { Extraction } from '../extract/rules.ts'
import { registered } from '../extract/parties.ts'
import { normalizedPartyName } from '../party-names.ts'
import { stateNames } from '../state-names.ts'
import type { ServiceAnswer } from './answer.ts'
import { Quotations } from './quotations.ts'

type Quoted = { readonly quote: string; readonly confidence?: number | null | undefined }
type ScopeAnswer = Quoted & { readonly value: string; readonly normalizedValue?: string | null | undefined }

// Nothing was measured about a service that does not say how sure it is.
const unmeasured = 0.5

/** What a service answered, as our entities: with evidence found in the document, and without what the document does not say. */
export class AnsweredEntities {
  readonly #quotations: Quotations
  readonly #entities: ContractEntities = noEntities()
  readonly #sources: Record<string, ExtractedSource> = {}
  readonly #counts = new Map<string, number>()
  readonly #seen = new Set<string>()
  /** How many entities rested on words that are not in the document, or were no such number. */
  dropped = 0

  constructor(pages: readonly string[]) {
    this.#quotations = new Quotations(pages)
  }

  add({
    parties,
    contractScope,
    providerContext,
    contractTerms,
    paymentPolicies,
    pricingTerms,
  }: ServiceAnswer): void {
    const { parties: ours, contractScope: scope, providerContext: context } = this.#entities
    for (const role of ['payers', 'administrators', 'providers', 'contractingEntities'] as const)
      for (const party of parties[role]) {
        const normalizedName = normalizedPartyName(party.name)
        if (!this.#quotations.has(party.name)) this.dropped++
        else
          this.#take(role, normalizedName.toLowerCase(), party, (made) => {
            const payer = role === 'payers' || role === 'administrators' ? registered(party.name) : undefined
            ours[role].push({
              ...made,
              name: party.name,
              normalizedName,
              ...(payer !== undefined && { payerpricePayer: payer }),
            })
          })
      }
    for (const kind of ['linesOfBusiness', 'products', 'benefitChannels', 'plans', 'networks'] as const)
      this.#addScope(kind, contractScope[kind], scope[kind], (one) =>
        kind === 'plans' || kind === 'networks'
          ? one.value.toLowerCase()
          : (one.normalizedValue ?? one.value),
      )
    this.#addScope('states', contractScope.states, scope.states, ({ value }) => stateOf(value))
    this.#addScope('specialties', providerContext.specialties, context.specialties, ({ value }) =>
      value.toLowerCase(),
    )
    this.#addScope(
      'taxonomies',
      providerContext.taxonomies,
      context.taxonomies,
      ({ value }) => taxonomyOf(value)?.code,
    )
    this.#addScope('tins', providerContext.tins, context.tins, ({ value }) =>
      /^(\d{2})-?(\d{7})$/.exec(value)?.slice(1).join(''),
    )
    this.#addScope('npis', providerContext.npis, context.npis, ({ value }) =>
      npiCheckDigitHolds(npiFromText(value) ?? 0) ? value : undefined,
    )
    this.#addScope('ccns', providerContext.ccns, context.ccns, ({ value }) => {
      const ccn = Ccn.safeParse(value.replace('-', ''))
      return ccn.success ? value.replace('-', '') : undefined
    })
    for (const { quote, confidence, ...place } of providerContext.locations) {
      const said = Object.fromEntries(Object.entries(place).filter(([, part]) => part))
      this.#take('locations', JSON.stringify(said).toLowerCase(), { quote, confidence }, (made) =>
        context.locations.push({ ...made, ...said }),
      )
    }
    this.#addTerms(contractTerms)
    for (const { category, clauseType, ...quoted } of contractTerms.clauses)
      this.#take('clauses', `${category} ${quoted.quote}`, quoted, (made, text) =>
        this.#entities.contractTerms.clauses.push({ ...made, category, clauseType, value: text }),
      )
    for (const { category, policyType, ...quoted } of paymentPolicies)
      this.#take('paymentPolicies', `${category} ${quoted.quote}`, quoted, (made, text) =>
        this.#entities.paymentPolicies.push({
          ...made,
          category,
          policyType,
          applicability: {},
          rawText: text,
          sequence: this.#entities.paymentPolicies.length + 1,
        }),
      )
    for (const { termType, percent, amount, reference, ...quoted } of pricingTerms)
      this.#take(
        'pricingTerms',
        `${termType} ${percent ?? amount ?? reference ?? quoted.quote}`,
        quoted,
        (made, text) =>
          this.#entities.pricingTerms.push({
            ...made,
            termType,
            value: text,
            ...(percent != null && { percent }),
            ...(amount != null && { amount }),
            ...(reference && { reference }),
          }),
      )
  }

  /** Everything that was taken, checked by the schema that every extraction has. */
  extraction(): Extraction {
    const { effectivePeriod } = this.#entities.contractTerms
    if (
      effectivePeriod.start !== null &&
      effectivePeriod.end !== null &&
      effectivePeriod.end < effectivePeriod.start
    ) {
      effectivePeriod.end = null
      delete this.#sources['contractTerms.effectivePeriod.end']
      this.dropped++
    }
    return {
      entities: ExtractedEntities.parse({ ...this.#entities, sources: this.#sources }),
      evidence: this.#quotations.evidence,
    }
  }

  #addScope(
    kind: string,
    answers: readonly ScopeAnswer[],
    list: ContractEntities['contractScope']['plans'],
    normalizedOf: (one: ScopeAnswer) => string | undefined,
  ): void {
    for (const one of answers) {
      const normalizedValue = normalizedOf(one)
      if (normalizedValue === undefined || !this.#quotations.has(one.value)) this.dropped++
      else
        this.#take(kind, normalizedValue.toLowerCase(), one, (made) =>
          list.push({ ...made, value: one.value, normalizedValue }),
        )
    }
  }

  #addTerms({ signedDate, effectivePeriod, executionStatus }: ServiceAnswer['contractTerms']): void {
    const terms = this.#entities.contractTerms
    // The last to sign makes it signed; what comes first in the document says when it begins and ends.
    if (signedDate && (terms.signedDate === null || signedDate.value > terms.signedDate))
      if (this.#root('contractTerms.signedDate', signedDate)) terms.signedDate = signedDate.value
    for (const edge of ['start', 'end'] as const) {
      const said = effectivePeriod[edge]
      if (
        said &&
        terms.effectivePeriod[edge] === null &&
        this.#root(`contractTerms.effectivePeriod.${edge}`, said)
      )
        terms.effectivePeriod[edge] = said.value
    }
    if (executionStatus && this.#root('contractTerms.executionStatus', executionStatus))
      terms.executionStatus = executionStatus.value
  }

  #root(path: RootField, { quote, confidence }: Quoted): boolean {
    const found = this.#quotations.find(quote)
    if (!found) {
      this.dropped++
      return false
    }
    this.#sources[path] = { confidence: confidence ?? unmeasured, evidenceIds: [found.evidenceId] }
    return true
  }

  /** Gives an entity its id and evidence; what was taken before is not taken twice. */
  #take(
    kind: string,
    key: string,
    { quote, confidence }: Quoted,
    put: (made: { id: string; evidenceIds: string[] }, text: string) => void,
  ): void {
    const found = this.#quotations.find(quote)
    if (!found) {
      this.dropped++
      return
    }
    const count = this.#counts.get(kind) ?? 0
    if (this.#seen.has(`${kind} ${key}`) || count >= listMost) return
    this.#seen.add(`${kind} ${key}`)
    this.#counts.set(kind, count + 1)
    const id = `${kind}-${count + 1}`
    const evidenceIds = [found.evidenceId]
    this.#sources[id] = { confidence: confidence ?? unmeasured, evidenceIds }
    put({ id, evidenceIds }, found.text.slice(0, 10_000))
  }
}

const listMost = 500
const codes = new Set(stateNames.values())
const stateOf = (value: string) => stateNames.get(value) ?? (codes.has(value) ? value : undefined)

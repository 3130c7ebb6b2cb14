import type { ContractEntities } from '../../operations/contract-entities.ts'
import { normalizedPartyName } from '../party-names.ts'
import type { ContractLabels } from './labels.ts'

/** The kinds of things that a contract is read for, each scored by itself. */
export const scoredKinds = [
  'payers',
  'payerpricePayer',
  'administrators',
  'providers',
  'contractingEntities',
  'linesOfBusiness',
  'plans',
  'products',
  'networks',
  'states',
  'benefitChannels',
  'specialties',
  'taxonomies',
  'tins',
  'npis',
  'ccns',
  'locations',
  'signedDate',
  'effectivePeriod.start',
  'effectivePeriod.end',
  'executionStatus',
  'clauses',
  'paymentPolicies',
  'pricingTerms',
] as const
export type ScoredKind = (typeof scoredKinds)[number]

/** Something labelled or found: what must be equal, and for a passage the words that must be the same. */
interface Item {
  readonly key: string
  readonly text?: string
  /** The entity's id, or the path of a field of the contract itself. */
  readonly source?: string
}
type Items = Partial<Record<ScoredKind, readonly Item[]>>

export interface Score {
  readonly kind: ScoredKind
  readonly right: number
  /** Found, but not labelled. */
  readonly wrong: readonly Item[]
  /** Labelled, but not found. */
  readonly missed: readonly Item[]
  /** The sources of what was found and labelled. */
  readonly rightSources: readonly string[]
  readonly rightKeys: readonly string[]
}

/** Compares what was found in a document with what a careful reader labelled, kind by kind. */
export function scores(labels: ContractLabels, entities: ContractEntities): Score[] {
  const labelled = labelledItems(labels)
  const found = foundItems(entities)
  return scoredKinds.flatMap((kind) => {
    const expected = labelled[kind]
    return expected === undefined ? [] : [scoreOf(kind, expected, found[kind] ?? [])]
  })
}

function scoreOf(kind: ScoredKind, expected: readonly Item[], found: readonly Item[]): Score {
  const missed = [...expected]
  const wrong: Item[] = []
  const rightSources: string[] = []
  const rightKeys: string[] = []
  for (const item of found) {
    const at = missed.findIndex((one) => same(one, item))
    if (at < 0) wrong.push(item)
    else {
      missed.splice(at, 1)
      rightSources.push(item.source ?? '')
      rightKeys.push(item.key)
    }
  }
  return { kind, right: rightSources.length, wrong, missed, rightSources, rightKeys }
}

/** The same thing; a passage is the same when one holds the other and is at most twice as long. */
function same(one: Item, other: Item): boolean {
  if (one.key !== other.key) return false
  if (one.text === undefined || other.text === undefined) return one.text === other.text
  const [short = '', long = ''] = [letters(one.text), letters(other.text)].sort((a, b) => a.length - b.length)
  return long.includes(short) && short.length * 2 >= long.length
}

/** A text's letters and digits: line breaks, hyphens and quotation marks do not count. */
const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const folded = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const partyKey = (name: string) => folded(normalizedPartyName(name))
const scheduleWords = /\b(the|a|an|then|current|applicable|prevailing|payers?|plans?|s)\b/g

const pricingItem = (
  term: {
    termType: string
    percent?: number | undefined
    amount?: number | undefined
    reference?: string | undefined
  },
  source?: string,
): Item => {
  const number = term.percent ?? term.amount
  const isSchedule = term.termType === 'fee_schedule'
  return {
    key: `${term.termType}${number !== undefined && !isSchedule ? ` ${number}` : ''}`,
    ...(isSchedule && { text: folded(term.reference ?? '').replaceAll(scheduleWords, '') }),
    ...(source !== undefined && { source }),
  }
}

function labelledItems(labels: ContractLabels): Items {
  const keys = (values: readonly string[] | undefined, fold: (value: string) => string) =>
    values?.map((value) => ({ key: fold(value) }))
  const root = (value: string | null | undefined) =>
    value === undefined ? undefined : value === null ? [] : [{ key: value }]
  const digits = (value: string) => folded(value.replaceAll('-', ''))
  const items = {
    payers: labels.payers?.map(({ name }) => ({ key: partyKey(name) })),
    payerpricePayer: labels.payers?.flatMap(({ payerpricePayer }) =>
      payerpricePayer === undefined ? [] : [{ key: payerpricePayer }],
    ),
    administrators: keys(labels.administrators, partyKey),
    providers: keys(labels.providers, partyKey),
    contractingEntities: keys(labels.contractingEntities, partyKey),
    linesOfBusiness: keys(labels.linesOfBusiness, folded),
    plans: keys(labels.plans, folded),
    products: keys(labels.products, folded),
    networks: keys(labels.networks, folded),
    states: keys(labels.states, folded),
    benefitChannels: keys(labels.benefitChannels, folded),
    specialties: keys(labels.specialties, folded),
    taxonomies: keys(labels.taxonomies, folded),
    tins: keys(labels.tins, digits),
    npis: keys(labels.npis, digits),
    ccns: keys(labels.ccns, digits),
    locations: labels.locations?.map(({ address, postalCode }) => ({
      key: `${folded(address)} ${postalCode.slice(0, 5)}`,
    })),
    signedDate: root(labels.signedDate),
    'effectivePeriod.start': root(labels.effectivePeriod?.start),
    'effectivePeriod.end': root(labels.effectivePeriod?.end),
    executionStatus: root(labels.executionStatus),
    clauses: labels.clauses?.map(({ category, text }) => ({ key: category, text })),
    paymentPolicies: labels.paymentPolicies?.map(({ category, text }) => ({ key: category, text })),
    pricingTerms: labels.pricingTerms?.map((term) => pricingItem(term)),
  }
  return Object.fromEntries(Object.entries(items).filter(([, list]) => list !== undefined)) as Items
}

function foundItems({
  parties,
  contractScope,
  providerContext,
  contractTerms,
  paymentPolicies,
  pricingTerms,
}: ContractEntities): Items {
  const named = (list: ContractEntities['parties']['payers']) =>
    list.map(({ id, name }) => ({ key: partyKey(name), source: id }))
  const spoken = (list: ContractEntities['contractScope']['plans']) =>
    list.map(({ id, value }) => ({ key: folded(value), source: id }))
  const normalized = (list: ContractEntities['contractScope']['plans']) =>
    list.map(({ id, value, normalizedValue }) => ({ key: folded(normalizedValue ?? value), source: id }))
  const root = (value: string | null, source: string) =>
    value === null ? [] : [{ key: value, source: `contractTerms.${source}` }]
  return {
    payers: named(parties.payers),
    payerpricePayer: parties.payers.flatMap(({ id, payerpricePayer }) =>
      payerpricePayer === undefined ? [] : [{ key: payerpricePayer, source: id }],
    ),
    administrators: named(parties.administrators),
    providers: named(parties.providers),
    contractingEntities: named(parties.contractingEntities),
    linesOfBusiness: normalized(contractScope.linesOfBusiness),
    plans: spoken(contractScope.plans),
    products: normalized(contractScope.products),
    networks: spoken(contractScope.networks),
    states: normalized(contractScope.states),
    benefitChannels: normalized(contractScope.benefitChannels),
    specialties: spoken(providerContext.specialties),
    taxonomies: normalized(providerContext.taxonomies),
    tins: normalized(providerContext.tins),
    npis: normalized(providerContext.npis),
    ccns: normalized(providerContext.ccns),
    locations: providerContext.locations.map(({ id, address = '', postalCode = '' }) => ({
      key: `${folded(address)} ${postalCode.slice(0, 5)}`,
      source: id,
    })),
    signedDate: root(contractTerms.signedDate, 'signedDate'),
    'effectivePeriod.start': root(contractTerms.effectivePeriod.start, 'effectivePeriod.start'),
    'effectivePeriod.end': root(contractTerms.effectivePeriod.end, 'effectivePeriod.end'),
    executionStatus: root(contractTerms.executionStatus, 'executionStatus'),
    clauses: contractTerms.clauses.map(({ id, category, value }) => ({
      key: category,
      text: value,
      source: id,
    })),
    paymentPolicies: paymentPolicies.map(({ id, category, rawText }) => ({
      key: category,
      text: rawText,
      source: id,
    })),
    pricingTerms: pricingTerms.map((term) => pricingItem(term, term.id)),
  }
}

/** Scores of many documents added up, with precision and recall; null where there was nothing to find. */
export interface Total {
  readonly kind: string
  readonly labelled: number
  readonly found: number
  readonly right: number
  readonly precision: number | null
  readonly recall: number | null
}

export function totals(all: readonly Score[]): Total[] {
  return scoredKinds.flatMap((kind) => {
    const some = all.filter((score) => score.kind === kind)
    return some.length === 0 ? [] : [total(kind, some)]
  })
}

/** The clauses' scores apart, category by category. */
export function clauseTotals(all: readonly Score[], categories: readonly string[]): Total[] {
  const clauses = all.filter(({ kind }) => kind === 'clauses')
  return categories.map((category) => {
    const of = (items: readonly Item[]) => items.filter(({ key }) => key === category)
    return total(
      category,
      clauses.map((score) => ({
        right: score.rightKeys.filter((key) => key === category).length,
        wrong: of(score.wrong),
        missed: of(score.missed),
      })),
    )
  })
}

function total(kind: string, some: readonly Pick<Score, 'right' | 'wrong' | 'missed'>[]): Total {
  const sum = (count: (score: Pick<Score, 'right' | 'wrong' | 'missed'>) => number) =>
    some.reduce((so, score) => so + count(score), 0)
  const right = sum((score) => score.right)
  const labelled = right + sum((score) => score.missed.length)
  const found = right + sum((score) => score.wrong.length)
  return {
    kind,
    labelled,
    found,
    right,
    precision: found === 0 ? null : right / found,
    recall: labelled === 0 ? null : right / labelled,
  }
}

import type { PricingTermType } from '../../operations/contract-entities.ts'
import type { ContractView } from './contract-view.ts'
import { flat, type Found } from './found.ts'

export interface FoundPricing extends Found {
  readonly termType: PricingTermType
  readonly percent?: number | undefined
  readonly amount?: number | undefined
  readonly reference?: string | undefined
}

const percentNumber = String.raw`(\d{1,3}(?:\.\d{1,2})?)\s*(?:%|percent)`
const money = String.raw`\$\s*(\d{1,3}(?:,\d{3})*(?:\.\d{2})?|\d+(?:\.\d{2})?)`
const moneyEach = String.raw`\$\s*\d[\d,]*(?:\.\d{2})?\s*(?:\)\s*)?(?:per|a|an|each|for\s+each|/)\s*(?:[\w-]+\s+)?(?:day|diem|case|visit|unit|hour|admission|discharge|treatment|episode|mile|procedure)`

const patterns: readonly (readonly [PricingTermType, RegExp])[] = [
  ['lesser_of', /\b(?:lesser|lower)\s+of\b|\bwhichever\s+is\s+(?:less|lower)\b/gi],
  [
    'percent_of_medicare',
    new RegExp(
      String.raw`${percentNumber}\)?\s+of\s+(?:the\s+)?(?:then[\s-])?(?:current\s+|prevailing\s+|applicable\s+|published\s+|allowable\s+|\d{4}\s+)*(?:locality[\s-]adjusted\s+|local\s+|national\s+)?(?:Medicare|CMS|RBRVS)(?:['’]s)?(?:\s+(?:[A-Z][\w-]*\s+){0,4}Fee\s+Schedule)?`,
      'gi',
    ),
  ],
  [
    'percent_of_charges',
    new RegExp(
      String.raw`${percentNumber}\)?\s+of\s+(?:[\w-]+(?:\s[\w-]+)?['’]s?\s+|the\s+|its\s+)*(?:(?:billed|eligible|usual|covered|customary|allowable|allowed|total|gross|retail|submitted|and)\s+)*charges`,
      'gi',
    ),
  ],
  [
    'per_diem',
    new RegExp(
      String.raw`(?:per\s+diem[^.\n$]{0,80}?${money}|${money}\s+(?:per|a|each)\s+(?:inpatient\s+|acute\s+|covered\s+)?(?:diem|day))`,
      'gi',
    ),
  ],
  [
    'case_rate',
    new RegExp(
      String.raw`(?:(?:case|episode|bundled|global)\s+rates?[^.\n$]{0,100}?${money}|${money}\s+per\s+(?:case|episode|admission|discharge))`,
      'gi',
    ),
  ],
  [
    'fee_schedule',
    /(?<=\b(?:the|a|an|its|our|under|from)\s+|['’]s\s+)((?:[A-Z][\w’'&-]*\s+){1,7}(?:fee\s+schedule|Fee\s+Schedule))(?:\s+\d{4})?\b|(?<=\b(?:the|an?|Payer[’']s|Plan[’']s|its|our)\s+)((?:(?:current|standard|applicable|prevailing|[\w’'-]+)\s+){1,4}fee\s+schedule)\b/g,
  ],
]

const paidBySchedule =
  /\b(?:pay|pays|paid|payment|reimburs\w+|compensat\w+|accepts?|allowance|defaults?)\b[^.]{0,160}\bfee\s+schedule\b|\bfee\s+schedule\b[^.]{0,80}\b(?:shall\s+be|is|are)\s+paid/i
const percentOf = /\d\s*(?:%|percent)\)?\s+of\s+[^.]{0,60}(?:Medicare|CMS|charges|RBRVS)/i
const priced = new RegExp(moneyEach, 'i')
const namedRate = new RegExp(
  String.raw`\b(?:per\s+diem|case\s+rates?|flat\s+rate|conversion\s+factor)\b[^.\n]{0,100}?\$\s*\d`,
  'i',
)
const lesser = /\b(?:lesser|lower)\s+of\b[^.]{0,120}\b(?:charges?|fees?|rates?|amounts?|%)/i

/** Whether a text sets what is paid, rather than how. */
export const setsPrice = (text: string) =>
  percentOf.test(text) ||
  priced.test(text) ||
  namedRate.test(text) ||
  lesser.test(text) ||
  paidBySchedule.test(text)

/** The ways of pricing that the contract names, with their numbers. Read for people; never computed with here. */
export function pricingTerms(view: ContractView): FoundPricing[] {
  const found = new Map<string, FoundPricing>()
  const medicare: { start: number; end: number }[] = []
  for (const [termType, pattern] of patterns)
    for (const match of view.text.matchAll(pattern)) {
      const range = { start: match.index, end: match.index + match[0].length }
      const number = match
        .slice(1)
        .find((part) => part !== undefined)
        ?.replaceAll(',', '')
      const isPercent = termType === 'percent_of_medicare' || termType === 'percent_of_charges'
      const isAmount = termType === 'per_diem' || termType === 'case_rate'
      const reference = termType === 'fee_schedule' ? scheduleName(match[0]) : undefined
      if (termType === 'percent_of_medicare') medicare.push(range)
      // Medicare's own schedule is what a percentage is taken of, and no schedule of this contract.
      if (
        termType === 'fee_schedule' &&
        medicare.some((one) => range.start < one.end && range.end > one.start)
      )
        continue
      if (termType === 'fee_schedule' && reference === undefined) continue
      const sentence = view.sentenceAround(range)
      const key = `${termType} ${isPercent || isAmount ? number : (reference?.toLowerCase() ?? sentence.start)}`
      if (found.has(key)) continue
      found.set(key, {
        termType,
        value: flat(view.text.slice(sentence.start, sentence.end)).slice(0, 10_000),
        ...range,
        rule: `pricingTerms.${termType}`,
        ...(isPercent && { percent: Number(number) }),
        ...(isAmount && { amount: Number(number) }),
        ...(reference !== undefined && { reference }),
      })
    }
  return [...found.values()].sort((a, b) => a.start - b.start).slice(0, 200)
}

/** A schedule's name; undefined where the words name none (`this fee schedule`). */
function scheduleName(words: string): string | undefined {
  const name = flat(words).replace(/^(?:(?:the|a|an|current|applicable|prevailing)\s+)+/i, '')
  return /^(?:this|such|that|any|each|fee\s+schedule)\b/i.test(name) ? undefined : name
}

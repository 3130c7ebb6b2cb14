import type { PricingTermType } from '../../operations/contract-entities.ts'
import type { ContractView } from './contract-view.ts'
import { flat, type Found } from './found.ts'

export interface FoundPricing extends Found {
  readonly termType: PricingTermType
  readonly percent?: number | undefined
  readonly amount?: number | undefined
  readonly reference?: string | undefined
}

const percentNumber = `(\\d{1,3}(?:\\.\\d{1,2})?)\\s*(?:%|percent)`
const money = `\\$\\s*(\\d{1,3}(?:,\\d{3})*(?:\\.\\d{2})?|\\d+(?:\\.\\d{2})?)`

const patterns: readonly (readonly [PricingTermType, RegExp])[] = [
  ['lesser_of', /\blesser\s+of\b/gi],
  [
    'percent_of_medicare',
    new RegExp(
      `${percentNumber}\\)?\\s+of\\s+(?:the\\s+)?(?:then[\\s-])?(?:current\\s+|prevailing\\s+|applicable\\s+|\\d{4}\\s+)*(?:locality[\\s-]adjusted\\s+|local\\s+)?(?:Medicare|CMS|RBRVS)`,
      'gi',
    ),
  ],
  [
    'percent_of_charges',
    new RegExp(
      `${percentNumber}\\)?\\s+of\\s+(?:\\w+[’']s?\\s+|the\\s+|its\\s+)*(?:(?:billed|eligible|usual|covered|customary|allowable|total|and)\\s+)*charges`,
      'gi',
    ),
  ],
  [
    'per_diem',
    new RegExp(
      `(?:per\\s+diem[^.\\n$]{0,80}?${money}|${money}\\s+(?:per|a|each)\\s+(?:inpatient\\s+)?(?:diem|day))`,
      'gi',
    ),
  ],
  [
    'case_rate',
    new RegExp(
      `(?:(?:case|episode|bundled|global)\\s+rates?[^.\\n$]{0,100}?${money}|${money}\\s+per\\s+(?:case|episode|admission|discharge))`,
      'gi',
    ),
  ],
  [
    'fee_schedule',
    /(?<=\b(?:the|a|current|applicable|Payer[’']s|Plan[’']s|its|our|standard)\s+)((?:[\w’'&-]+\s+){0,5}fee\s+schedule)\b|\b((?:[A-Z][\w’'&-]*\s+){1,5}Fee\s+Schedule(?:\s+\d{4})?)/g,
  ],
]

/** Whether a text is about what is paid rather than how. */
export const isPricing = (text: string) =>
  /\blesser\s+of\b|\bper\s+diem\b|\bcase\s+rates?\b|\bfee\s+schedule\b/i.test(text) ||
  /\d\s*(?:%|percent)\)?\s+of\s+[^.]{0,60}(?:Medicare|CMS|charges|RBRVS)/i.test(text)

/** The ways of pricing that the contract names, with their numbers. Read for people; never computed with here. */
export function pricingTerms(view: ContractView): FoundPricing[] {
  const found = new Map<string, FoundPricing>()
  for (const [termType, pattern] of patterns)
    for (const match of view.text.matchAll(pattern)) {
      const range = { start: match.index, end: match.index + match[0].length }
      const sentence = view.sentenceAround(range)
      const value = flat(view.text.slice(sentence.start, sentence.end)).slice(0, 10_000)
      const number = match
        .slice(1)
        .find((part) => part !== undefined)
        ?.replaceAll(',', '')
      const isPercent = termType === 'percent_of_medicare' || termType === 'percent_of_charges'
      const isAmount = termType === 'per_diem' || termType === 'case_rate'
      const reference = termType === 'fee_schedule' ? flat(match[0]) : undefined
      if (reference !== undefined && /^(?:this|such|that)\b/i.test(reference)) continue
      const key = `${termType} ${isPercent || isAmount ? number : (reference?.toLowerCase() ?? sentence.start)}`
      if (found.has(key)) continue
      found.set(key, {
        termType,
        value,
        ...range,
        confidence: 0.88,
        ...(isPercent && { percent: Number(number) }),
        ...(isAmount && { amount: Number(number) }),
        ...(reference !== undefined && { reference }),
      })
    }
  return [...found.values()].sort((a, b) => a.start - b.start).slice(0, 200)
}

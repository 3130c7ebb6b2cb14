import type { ClauseCategory } from '../../operations/contract-entities.ts'
import type { Found } from './found.ts'
import type { FoundPassage } from './passages.ts'

export interface FoundClause extends Found {
  readonly category: ClauseCategory
  readonly clauseType: string
}

/** The rules of the contract that set no price, one for each paragraph that states one. */
export const clauses = (passages: readonly FoundPassage[]): FoundClause[] =>
  passages.flatMap(({ subject, ...found }): FoundClause[] =>
    subject.is === 'clause'
      ? [
          {
            ...found,
            category: subject.category,
            clauseType: typeOf(subject.category, found.value) ?? subject.type,
          },
        ]
      : [],
  )

type Types = readonly (readonly [string, RegExp])[]

const types: Partial<Record<ClauseCategory, Types>> = {
  termination: [
    ['without_cause', /without\s+cause|for\s+any\s+reason|no\s+cause|for\s+convenience/i],
    ['for_cause', /breach|for\s+cause|default/i],
    ['immediate', /immediate/i],
  ],
  other: [
    ['governing_law', /governed\s+by|governing\s+law|law\s+(?:governs|controls|applies)/i],
    ['independent_contractors', /independent\s+contractor/i],
    ['indemnification', /indemnif/i],
    ['notices', /^\W*(?:[\d.]+\s+)?notices?\b/i],
    ['amendment', /amend/i],
    ['entire_agreement', /entire\s+agreement|supersedes/i],
    ['force_majeure', /force\s+majeure/i],
  ],
  patient_protection: [['non_discrimination', /discriminat/i]],
}

const typeOf = (category: ClauseCategory, text: string) =>
  types[category]?.find(([, words]) => words.test(text))?.[0]

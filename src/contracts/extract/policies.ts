import type { PolicyCategory } from '../../operations/contract-entities.ts'
import type { Found } from './found.ts'
import type { FoundPassage } from './passages.ts'

export interface FoundPolicy extends Found {
  readonly category: PolicyCategory
  readonly policyType: string
}

/** Policies about payment that set no price. */
export const paymentPolicies = (passages: readonly FoundPassage[]): FoundPolicy[] =>
  passages.flatMap(({ subject, ...found }): FoundPolicy[] =>
    subject.is === 'policy'
      ? [
          {
            ...found,
            category: subject.category,
            policyType: types.find(([, words]) => words.test(found.value))?.[0] ?? subject.type,
          },
        ]
      : [],
  )

const types: readonly (readonly [string, RegExp])[] = [
  ['unbundling', /\bunbundl|\bupcod/i],
  ['never_events', /\bnever\s+events?\b|\bhospital[\s-]acquired/i],
  ['emergency_authorization', /\bemergency\b[^.]{0,80}\bauthorization\b/i],
  ['experimental_services', /\bexperimental\b|\binvestigational\b/i],
  ['telehealth', /\btele(?:health|medicine)\b/i],
  ['observation', /\bobservation\s+(?:status|services|stays?)\b/i],
  ['non_covered_services', /\bnon-?covered\b|\bnot\s+covered\b/i],
]

import type { PolicyCategory } from '../../operations/contract-entities.ts'
import type { ContractView, Paragraph } from './contract-view.ts'
import { flat, type Found } from './found.ts'
import { isPricing } from './pricing-terms.ts'

export interface FoundPolicy extends Found {
  readonly category: PolicyCategory
  readonly policyType: string
}

const policies: readonly (readonly [PolicyCategory, string, RegExp])[] = [
  [
    'claims_administration',
    'coordination_of_benefits',
    /\bcoordination\s+of\s+benefits\b|\bother\s+(?:insurance|coverage)\s+is\s+primary|\bsecondary\s+payer\b/i,
  ],
  [
    'claims_administration',
    'claim_editing',
    /\bclaims?\s+edit(?:s|ing)?\b|\bNCCI\b|\bcode\s+edit(?:s|ing)\b|\bcorrect\s+coding\b/i,
  ],
  [
    'claims_administration',
    'late_claims',
    /\bclaims\b[^.]{0,120}\b(?:later|after\s+that|beyond\s+that|not\s+(?:submitted|received))\b[^.]{0,80}\b(?:denied|not\s+be\s+paid|waived)/i,
  ],
  [
    'authorization',
    'unauthorized_services',
    /\b(?:without|lack\s+of|fail\w*\s+to\s+obtain)\b[^.]{0,60}\b(?:authorization|precertification)\b[^.]{0,120}\b(?:den(?:y|ied)|no\s+payment|not\s+be\s+paid|not\s+payable|payment\s+may\s+be)/i,
  ],
  [
    'authorization',
    'emergency_authorization',
    /\bemergency\b[^.]{0,80}\b(?:no|not\s+require|without)\b[^.]{0,30}\bauthorization\b/i,
  ],
  ['billing', 'balance_billing', /\bbalance[\s-]bill/i],
  ['billing', 'unbundling', /\bunbundl|\bupcod/i],
  [
    'billing',
    'coding_standards',
    /\b(?:bill|billed|report|code|coded)\b[^.]{0,80}\b(?:current\s+)?(?:CPT|ICD-10|HCPCS|UB-04|CMS-1500)\b/i,
  ],
  ['billing', 'never_events', /\bnever\s+events?\b|\bhospital[\s-]acquired\s+conditions?\b/i],
  [
    'coverage',
    'medical_necessity',
    /\bmedically\s+necessary\b[^.]{0,120}\b(?:paid|payment|cover|payable|determin)|\bmedical\s+necessity\b/i,
  ],
  ['coverage', 'experimental_services', /\bexperimental\b|\binvestigational\b/i],
  ['coverage', 'telehealth', /\btele(?:health|medicine)\b/i],
  ['coverage', 'non_covered_services', /\bnon-?covered\s+services?\b/i],
  ['other', 'readmission', /\breadmission\b/i],
  ['other', 'observation', /\bobservation\s+(?:status|services|stays?)\b/i],
]

const policyOf = ({ text }: Pick<Paragraph, 'text'>) =>
  text.length >= 40 && !isPricing(text) ? policies.find(([, , words]) => words.test(text)) : undefined

/** Whether a paragraph states a policy of payment, which is then no clause. */
export const isPolicy = (paragraph: Pick<Paragraph, 'text'>) => policyOf(paragraph) !== undefined

/** Policies about payment that set no price. */
export const paymentPolicies = (view: ContractView): FoundPolicy[] =>
  view.paragraphs.flatMap((paragraph): FoundPolicy[] => {
    const policy = /[.;]["”)]?$/.test(paragraph.text) ? policyOf(paragraph) : undefined
    if (!policy) return []
    const [category, policyType] = policy
    const { start, end } = paragraph
    return [
      { category, policyType, value: flat(paragraph.text).slice(0, 10_000), start, end, confidence: 0.8 },
    ]
  })

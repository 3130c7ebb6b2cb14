import type { ClauseCategory } from '../../operations/contract-entities.ts'
import type { ContractView, Paragraph } from './contract-view.ts'
import { flat, type Found } from './found.ts'
import { isPolicy } from './policies.ts'
import { isPricing } from './pricing-terms.ts'

export interface FoundClause extends Found {
  readonly category: ClauseCategory
  readonly clauseType: string
}

interface Subject {
  readonly category: ClauseCategory
  readonly clauseType: string
  /** What its headings say. */
  readonly heading: RegExp
  /** What its sentences say, where the heading does not. */
  readonly body: RegExp
}

const subjects: readonly Subject[] = [
  {
    category: 'renewal',
    clauseType: 'automatic_renewal',
    heading: /\brenew(?:al|s)?\b/i,
    body: /\b(?:automatically\s+)?renew(?:s|ed)?\s+(?:automatically|for\s+(?:successive|additional|further))|\bsuccessive\s+(?:\w+\s+)?(?:\(\d+\)\s+)?(?:one[\s-])?(?:year|month|twelve)/i,
  },
  {
    category: 'continuity_of_care',
    clauseType: 'continuity_of_care',
    heading:
      /\bcontinu(?:ity|ation|ing)\s+(?:of\s+)?(?:care|services|treatment)|\btransition(?:al)?\s+(?:of\s+)?care|\bpost[\s-]termination\s+(?:care|services)/i,
    body: /\b(?:active\s+course\s+of\s+treatment|continue\s+(?:to\s+)?(?:provide|treat|furnish)\w*\b[^.]{0,120}\b(?:after|following)\b[^.]{0,40}\bterminat)/i,
  },
  {
    category: 'termination',
    clauseType: 'termination',
    heading: /\bterminat(?:ion|e)|\bcancel(?:l)?ation\b/i,
    body: /\bmay\s+(?:\w+\s+){0,3}?terminate\b|\bterminate\s+this\s+(?:agreement|contract)|\bmay\s+end\s+this\s+(?:agreement|contract)/i,
  },
  {
    category: 'claims_submission',
    clauseType: 'timely_filing',
    heading:
      /\bclaims?\s+(?:submission|filing)|\bsubmission\s+of\s+claims|\btimely\s+filing|\bbilling\s+(?:and\s+claims|procedures?|timeframes?)|\bfiling\s+of\s+claims/i,
    body: /\bsubmit\w*\b[^.]{0,120}\bclaims?\b[^.]{0,160}\bwithin\b|\bclaims?\b[^.]{0,100}\bsubmitted\b[^.]{0,100}\bwithin\b|\bfile\s+(?:all\s+)?claims\b[^.]{0,80}\bwithin\b/i,
  },
  {
    category: 'payment_timing',
    clauseType: 'prompt_payment',
    heading:
      /\bprompt\s+pay|\btim(?:e|ing|eliness)\s+(?:of|for)\s+payment|\bpayment\s+(?:timing|timeframes?|terms|of\s+claims)|\btimely\s+payment/i,
    body: /\b(?:pay|adjudicate|process)\w*\b[^.]{0,80}\bclean\s+claims?\b[^.]{0,120}\b(?:within|days)|\bclean\s+claims?\b[^.]{0,80}\b(?:be\s+paid|paid)\b[^.]{0,60}\bwithin\b/i,
  },
  {
    category: 'appeal',
    clauseType: 'claims_dispute',
    heading: /\bappeals?\b|\bdisputes?\b|\bgrievances?\b|\breconsideration\b|\barbitration\b/i,
    body: /\bappeal\b[^.]{0,120}\bwithin\b|\brequest\s+(?:a\s+)?reconsideration|\bbinding\s+arbitration/i,
  },
  {
    category: 'recoupment',
    clauseType: 'overpayment_recovery',
    heading: /\brecoup|\boverpayments?\b|\boffsets?\b|\brefunds?\b|\brecovery\s+of/i,
    body: /\b(?:recoup|offset|recover)\b[^.]{0,120}\b(?:overpa|erroneous|paid\s+in\s+error)|\boverpayments?\b[^.]{0,160}\b(?:recoup|offset|recover|refund|deduct)/i,
  },
  {
    category: 'audit',
    clauseType: 'records_audit',
    heading:
      /\baudits?\b|\binspection\b|\baccess\s+to\s+(?:books|records)|\brecords\s+review|\bbooks\s+and\s+records/i,
    body: /\b(?:audit|inspect)\b[^.]{0,100}\b(?:records|books|claims|charts)/i,
  },
  {
    category: 'authorization',
    clauseType: 'prior_authorization',
    heading: /\b(?:prior\s+|pre[\s-]?)?authoriz|\bprecertif|\butilization\s+(?:management|review)/i,
    body: /\b(?:obtain|secure|request)\w*\b[^.]{0,60}\b(?:prior\s+authorization|preauthorization|precertification|advance\s+approval)/i,
  },
  {
    category: 'referral',
    clauseType: 'referral',
    heading: /\breferrals?\b/i,
    body: /\brefer\s+(?:members?|covered\s+persons?|enrollees?|patients?)\b|\breferrals?\b[^.]{0,60}\bparticipating\b/i,
  },
  {
    category: 'confidentiality',
    clauseType: 'confidentiality',
    heading: /\bconfidential|\bnon[\s-]?disclosure|\bproprietary\s+information/i,
    body: /\b(?:confidential|proprietary)\b[^.]{0,160}\b(?:disclose|disclosed|disclosure)\b|\bkeep\b[^.]{0,60}\bconfidential/i,
  },
  {
    category: 'privacy',
    clauseType: 'hipaa',
    heading: /\bprivacy\b|\bHIPAA\b|\bprotected\s+health\s+information|\bdata\s+security/i,
    body: /\bHIPAA\b|\bprotected\s+health\s+information\b|\bHealth\s+Insurance\s+Portability/i,
  },
  {
    category: 'insurance',
    clauseType: 'professional_liability',
    heading:
      /\b(?:malpractice|liability|professional)\s+insurance|\binsurance(?:\s+(?:requirements?|coverage))?$|\bliability\s+coverage/i,
    body: /\bmaintain\b[^.]{0,120}\b(?:professional|malpractice|general|medical)\b[^.]{0,40}\b(?:liability|malpractice)\b|\bmalpractice\s+(?:insurance|coverage)\b[^.]{0,100}\b(?:occurrence|aggregate)/i,
  },
  {
    category: 'delegation',
    clauseType: 'delegated_functions',
    heading: /\bdelegat|\bsubcontract/i,
    body: /\bdelegat(?:e|es|ed|ion)\b[^.]{0,100}\b(?:credentialing|functions?|activities|utilization)|\bsubcontract\w*\b[^.]{0,80}\b(?:consent|approval|obligations)/i,
  },
  {
    category: 'assignment',
    clauseType: 'assignment',
    heading: /\bassignments?\b|\bassignability\b|\bsuccessors\s+and\s+assigns|\bchange\s+of\s+control/i,
    body: /\b(?:assign|transfer)(?:ed)?\b[^.]{0,100}\bwithout\b[^.]{0,80}\bconsent/i,
  },
  {
    category: 'patient_protection',
    clauseType: 'member_hold_harmless',
    heading:
      /\bhold\s+harmless\b|\b(?:member|patient|enrollee)\s+(?:protections?|non[\s-]?liability)|\bnon[\s-]?discrimination|\bpatient\s+rights/i,
    body: /\bin\s+no\s+event\b[^.]{0,300}\b(?:bill|charge|collect|seek)\b[^.]{0,200}\b(?:members?|enrollees?|covered\s+persons?|patients?)|\bhold\s+(?:members?|enrollees?|covered\s+persons?)\s+harmless|\bnot\s+discriminate\b/i,
  },
  {
    category: 'payment_responsibility',
    clauseType: 'financial_responsibility',
    heading:
      /\bpayment\s+responsib|\bfinancial\s+responsib|\b(?:member|patient)\s+(?:cost[\s-]shar|expenses|payments)|\bcopayments?\b|\bobligation\s+to\s+pay|\bresponsibility\s+for\s+payment/i,
    body: /\b(?:solely|financially|sole)\s+(?:\w+\s+)?responsib\w+\b[^.]{0,80}\bpay|\bcollect\b[^.]{0,80}\b(?:copayments?|coinsurance|deductibles?)/i,
  },
  {
    category: 'participation',
    clauseType: 'participation_requirements',
    heading: /\bparticipation\b|\bcredentialing\b|\bprovider\s+qualifications|\blicensure\b/i,
    body: /\bcredential(?:ed|ing)\b|\bagrees?\s+to\s+participate\b|\bmaintain\b[^.]{0,60}\b(?:licenses?|licensure)\b/i,
  },
  {
    category: 'network',
    clauseType: 'network_terms',
    heading: /\bnetworks?\b|\bdirectory\b|\bnetwork\s+(?:access|adequacy|participation)/i,
    body: /\bprovider\s+director(?:y|ies)\b|\b(?:tiered|narrow)\s+networks?\b|\bnetwork\s+adequacy/i,
  },
  {
    category: 'policy',
    clauseType: 'policies_and_procedures',
    heading: /\bpolic(?:y|ies)\b|\bprovider\s+manual\b|\bprotocols?\b|\brules\s+and\s+regulations/i,
    body: /\bprovider\s+manual\b|\bcomply\s+with\b[^.]{0,60}\bpolicies\b|\bpolicies\s+and\s+procedures\b/i,
  },
  {
    category: 'other',
    clauseType: 'general_provision',
    heading:
      /\bgoverning\s+law\b|\bnotices?\b|\bindependent\s+contractors?\b|\bindemnif|\bforce\s+majeure\b|\bentire\s+agreement\b|\bamendments?\b(?!\s+(?:no|number|\d))|\bseverab|\bwaivers?\b|\bmost[\s-]favored|\bexclusivity\b|\bcounterparts\b|\bsurvival\b|\bdefinitions\b/i,
    body: /\bgoverned\s+by\b[^.]{0,40}\blaws?\b|\bindependent\s+contractors\b|\bindemnify\b|\bforce\s+majeure\b|\bsupersedes\s+all\b|\b(?:may\s+be\s+)?amended\s+only\b|\bnotices?\b[^.]{0,80}\bin\s+writing\b/i,
  },
]

const skipped = /^(?:recitals?|whereas|signatures?|witness|background|preamble)/i

/** The rules of the contract that set no price, one for each paragraph that states one. */
export function clauses(view: ContractView): FoundClause[] {
  return view.paragraphs.flatMap((paragraph): FoundClause[] => {
    const { text, heading, start, end } = paragraph
    if (text.length < 40 || !/[.;]["”)]?$/.test(text) || isPricing(text) || isPolicy(paragraph)) return []
    if (skipped.test(text) || (skipped.test(heading) && !isOwn(paragraph)) || isPreamble(text)) return []
    const subject = subjectOf(paragraph)
    if (!subject) return []
    return [
      {
        category: subject.category,
        clauseType: typeOf(subject, text),
        value: flat(text).slice(0, 10_000),
        start,
        end,
        confidence: isOwn(paragraph) && subject.heading.test(heading) ? 0.92 : 0.75,
      },
    ]
  })
}

/** Whether the heading is the paragraph's own, not one it stands under with others. */
const isOwn = ({ text, heading }: Paragraph) =>
  heading !== '' && text.slice(0, heading.length + 20).includes(heading)

const isPreamble = (text: string) =>
  /\b(?:made|entered\s+into)\b[^.]{0,200}\b(?:by\s+and\s+)?(?:between|among)\b/i.test(text.slice(0, 400))

function subjectOf(paragraph: Paragraph): Subject | undefined {
  const { text, heading } = paragraph
  if (isOwn(paragraph)) {
    const own = subjects.find((subject) => subject.heading.test(heading))
    if (own) return own
  }
  const said = subjects
    .map((subject) => ({ subject, at: subject.body.exec(text)?.index }))
    .filter((one) => one.at !== undefined)
    .sort((a, b) => a.at! - b.at!)[0]?.subject
  return said ?? (text.length > 80 ? subjects.find((subject) => subject.heading.test(heading)) : undefined)
}

function typeOf({ clauseType, category }: Subject, text: string): string {
  if (category === 'termination')
    return /without\s+cause|for\s+any\s+reason|no\s+cause|for\s+convenience/i.test(text)
      ? 'without_cause'
      : /material(?:ly)?\s+breach|for\s+cause|default/i.test(text)
        ? 'for_cause'
        : /immediate/i.test(text)
          ? 'immediate'
          : clauseType
  if (category === 'other') {
    const types: readonly (readonly [string, RegExp])[] = [
      ['governing_law', /governed\s+by|governing\s+law/i],
      ['independent_contractors', /independent\s+contractor/i],
      ['indemnification', /indemnif/i],
      ['notices', /notices?\b/i],
      ['amendment', /amend/i],
      ['entire_agreement', /entire\s+agreement|supersedes/i],
      ['force_majeure', /force\s+majeure/i],
    ]
    return types.find(([, words]) => words.test(text))?.[0] ?? clauseType
  }
  return clauseType
}

import type { PassageSubject } from './passage-subject.ts'

/** Policies about payment that set no price: which services are paid, and how they are billed and edited. */
export const policySubjects: readonly PassageSubject[] = [
  {
    is: 'policy',
    category: 'claims_administration',
    type: 'coordination_of_benefits',
    words: [
      [
        /\bcoordinat(?:ion\s+of|es?)\s+benefits\b|\bbenefits\s+are\s+coordinated\b|\bsecondary\s+payer\b|\bpayer\s+of\s+last\s+resort\b|\bbirthday\s+rule\b/i,
        6,
      ],
      [
        /\bother\s+(?:insurance|coverage)\b[^.]{0,40}\bprimary\b|\bis\s+secondary\b|\bprimary\s+(?:payer|plan)\s+first\b/i,
        5,
      ],
    ],
  },
  {
    is: 'policy',
    category: 'claims_administration',
    type: 'claim_editing',
    words: [[/\b(?:claims?|code|coding)\s+edit(?:s|ing)?\b|\bNCCI\b|\bcorrect\s+coding\b/i, 6]],
  },
  {
    is: 'policy',
    category: 'authorization',
    type: 'unauthorized_services',
    words: [
      [
        /\b(?:without|lack\s+of|fail\w*\s+to\s+obtain|not)\b[^.]{0,60}\b(?:authoriz(?:ation|ed)|precertif\w+)\b[^.]{0,120}\b(?:den(?:y|ied)|no\s+payment|not\s+(?:be\s+)?(?:paid|payable)|not\s+payable)|\b(?:no\s+payment|not\s+pay|not\s+be\s+paid)\b[^.]{0,100}\b(?:without|not)\b[^.]{0,40}\bauthoriz/i,
        8,
      ],
      [/\bemergency\b[^.]{0,80}\b(?:no|not\s+require|without)\b[^.]{0,30}\bauthorization\b/i, 7],
    ],
  },
  {
    is: 'policy',
    category: 'billing',
    type: 'coding_standards',
    words: [
      [/\bunbundl\w*|\bupcod\w*/i, 6],
      [/\bnever\s+events?\b|\bhospital[\s-]acquired\s+conditions?\b|\bpreventable\s+errors\b/i, 6],
      [
        /\b(?:bill(?:s|ed)?|cod(?:e|ed)|reported)\b[^.]{0,80}\b(?:with|using|under|on|as|according\s+to|from|in\s+units)\b[^.]{0,60}\b(?:CPT|ICD-10|HCPCS|UB-04|CMS-1500|modifiers?)\b/i,
        4.5,
      ],
      [/\bmay\s+not\s+be\s+billed\b|\binterim\s+bills?\b|\brevenue\s+codes?\b/i, 4],
    ],
  },
  {
    is: 'policy',
    category: 'coverage',
    type: 'medical_necessity',
    words: [
      [/\bmedical\s+necessity\b/i, 5],
      [/\bmedically\s+necessary\b/i, 4],
      [/\bexperimental\b|\binvestigational\b/i, 6],
      [/\btele(?:health|medicine)\b/i, 4.5],
      [/\bnon-?covered\s+(?:services?|items)\b/i, 2.5],
      [/\b(?:not|only|is|are)\s+(?:a\s+)?covered\b(?!\s+(?:by|under|person|services))/i, 4],
    ],
  },
  {
    is: 'policy',
    category: 'other',
    type: 'readmission',
    words: [
      [/\breadmissions?\b/i, 5.5],
      [/\bobservation\s+(?:status|services|stays?)\b/i, 5.5],
    ],
  },
]

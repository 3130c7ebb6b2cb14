import { type PassageSubject, patient } from './passage-subject.ts'

/** Clauses about care, patients, and what the provider must be and do. */
export const careClauses: readonly PassageSubject[] = [
  {
    is: 'clause',
    category: 'authorization',
    type: 'prior_authorization',
    heading:
      /\b(?:prior\s+|pre[\s-]?)?authoriz|\bprecertif|\butilization\s+(?:management|review)|\bmedical\s+management|\bapprovals?\b|\bpreadmission/i,
    words: [
      [/\b(?:prior|advance)\s+(?:authorization|approval)\b|\bpre-?authoriz\w+\b|\bpre-?certif\w+\b/i, 4],
      [/\bauthoriz(?:e|es|ed|ation|ations)\b(?!\s+(?:represent|person|officer|signat))/i, 2.5],
      [
        /\bapprov(?:al|ed|es?)\b[^.]{0,50}\b(?:before|in\s+advance|prior\s+to|ahead|continued\s+stays?|each\s+course)\b/i,
        3,
      ],
      [/\b(?:utilization|medical|case)\s+(?:management|review)\b/i, 1.5],
      [/\bnotif\w+\b[^.]{0,40}\badmissions?\b/i, 2],
    ],
  },
  {
    is: 'clause',
    category: 'referral',
    type: 'referral',
    heading: /\breferrals?\b|\btransfers?$|\breferral\s+to\b/i,
    words: [
      [/\breferrals?\b/i, 4],
      [
        /\brefer(?:s|red)?\b(?!\s+to\s+(?:as|this|the\s+(?:agreement|contract)|herein))(?!red\s+to\s+as)[^.]{0,60}\b(?:to|back)\b/i,
        3.5,
      ],
      [
        new RegExp(
          String.raw`\b(?:directs?|sends?)\b[^.]{0,30}\b${patient}\b[^.]{0,60}\b(?:network|participating|speciali(?:st|ty)|one\s+in)`,
          'i',
        ),
        4,
      ],
    ],
  },
  {
    is: 'clause',
    category: 'confidentiality',
    type: 'confidentiality',
    heading: /\bconfidential|\bnon[\s-]?disclosure|\bproprietary|\btrade\s+secrets|^secrets$/i,
    words: [
      [/\bconfidential\b|\bin\s+confidence\b/i, 3],
      [/\bproprietary\b|\btrade\s+secrets?\b/i, 3],
      [
        /\b(?:not|nor|neither|except)\b[^.]{0,60}\b(?:disclos\w+|reveal|tell\s+others|shares?)\b|\bkeep\b[^.]{0,60}\b(?:secret|to\s+ourselves|confidential)\b/i,
        3,
      ],
      [/\bdisclos(?:e|es|ed)\b/i, 1],
    ],
  },
  {
    is: 'clause',
    category: 'privacy',
    type: 'hipaa',
    heading: /\bprivacy\b|\bHIPAA\b|\bhealth\s+information|\bdata\s+security/i,
    words: [
      [/\bHIPAA\b(?!\s+standard)|\bHealth\s+Insurance\s+Portability/i, 3.5],
      [/\bprotected\s+health\s+information\b|\bPHI\b/, 4],
      [/\bhealth\s+information\b/i, 3],
      [/\bprivacy\b|\bbusiness\s+associate\b|\bpsychotherapy\s+notes\b/i, 3.5],
      [/\b42\s+C\.?F\.?R\.?\s+Part\s+2\b/i, 3.5],
      [/\bconfidentiality\s+of\b[^.]{0,30}\b(?:records|health|information)\b/i, 3],
    ],
  },
  {
    is: 'clause',
    category: 'insurance',
    type: 'professional_liability',
    heading:
      /\b(?:malpractice|liability|professional)\s+(?:insurance|coverage)|^insurance(?:\s+(?:requirements?|coverage))?$|^liability(?:\s+coverage)?$/i,
    words: [
      [
        /\b(?:liability|malpractice|stop-?loss|officers['’]?)\s+(?:and\s+[\w\s]{3,40}\s+)?(?:insurance|coverage|cover|limits|policy)\b/i,
        5,
      ],
      [/\bmalpractice\b/i, 2.5],
      [/\b(?:per|each|an?)\s+(?:occurrence|incident)\b|\baggregate\b/i, 2],
      [/\b(?:maintain|carr(?:y|ies)|keeps?|have)\b[^.]{0,60}\binsurance\b/i, 2.5],
    ],
  },
  {
    is: 'clause',
    category: 'patient_protection',
    type: 'member_hold_harmless',
    heading:
      /\bhold\s+harmless\b|\bheld\s+harmless\b|\b(?:member|patient|enrollee)\s+(?:protections?|rights|non[\s-]?liability)|\bnon[\s-]?discrimination|\bpatient\s+rights|\bno\s+recourse\b|\bbalance\s+billing\b/i,
    words: [
      [/\b(?:hold|held|holds)\b[^.]{0,60}\bharmless\b/i, 5],
      [/\bdiscriminat(?:e|es|ion)\b/i, 4.5],
      [/\bbalance[\s-]+bill(?:ing)?\b/i, 5],
      [
        new RegExp(
          String.raw`\b(?:not|no|nor|never|neither)\b[^.]{0,80}\b(?:bill|charge|collect|seek|ask|pursue)\b[^.]{0,120}\b${patient}\b`,
          'i',
        ),
        4,
      ],
      [
        /\b(?:no|any)\s+recourse\b|\blooks?\s+(?:solely|only|alone)\b|\bpayment\s+in\s+full\b|\bheld\s+liable\b/i,
        3.5,
      ],
      [
        new RegExp(
          String.raw`\brights\s+of\s+(?:\w+\s+)?${patient}|\b${patient}['’]?\s+rights\b|\btreats?\b[^.]{0,40}\b(?:as|like|than|from)\b[^.]{0,20}\bother\s+patients|\bas\s+you\s+treat\b`,
          'i',
        ),
        4,
      ],
      [/\bin\s+no\s+event\b/i, 1.5],
    ],
  },
  {
    is: 'clause',
    category: 'participation',
    type: 'participation_requirements',
    heading:
      /\bparticipation$|\bcredential|\bqualifications\b|\blicensure\b|\baccreditation\b|\bcertification\b|\bstandards\b/i,
    words: [
      [/\b(?:re)?credential(?:s|ed|ing)?\b/i, 3.5],
      [/\blicens(?:e|es|ed|ure)\b/i, 2.5],
      [/\baccredit(?:ed|ation)\b|\bCLIA\b/i, 2.5],
      [/\bcertified\b|\bcertification\b|\bexclusion\s+list\b/i, 2],
      [/\bagrees?\s+to\s+participate\b/i, 4],
      [/\benrolled\s+in\b[^.]{0,40}\bMedicaid\b/i, 1.5],
    ],
  },
  {
    is: 'clause',
    category: 'network',
    type: 'network_terms',
    heading:
      /^networks?\b|\bnetwork\s+(?:access|adequacy|participation|services|terms)|\bdirectory\b|\bpanel\b|\btier\b|\blisting\b/i,
    words: [
      [/\bdirector(?:y|ies)\b/i, 3.5],
      [/\broster\b|\btier(?:-one|\s+\d)\b/i, 3.5],
      [
        /\b(?:joins?|participates?|included|added|listed|places?|takes?\s+part|participating\s+provider|participating\s+facility|access)\b[^.]{0,80}\b[A-Z]\w+\s+Networks?\b/,
        4,
      ],
      [/\bnetworks?\b[^.]{0,60}\b(?:adequate|adequacy|balance)\b|\bmaintain\s+a\s+network\b/i, 4],
      [/\bnetworks?\b/i, 1],
    ],
  },
  {
    is: 'clause',
    category: 'policy',
    type: 'policies_and_procedures',
    heading:
      /\bpolic(?:y|ies)\b|\bmanual\b|\brules\b|\badministrative\s+requirements|\bquality\s+program|\bcompliance\b/i,
    words: [
      [
        /\b(?:provider|operations|administrative|network|MMO\s+Provider)\s+(?:operations\s+)?(?:manual|handbook|guide)\b|\bmanual\b|\bhandbook\b|\bProvider\s+Guide\b/i,
        2.5,
      ],
      [
        /\b(?:compl(?:y|ies)|abides?|adheres?|follows?|bound|cooperates?)\b[^.]{0,100}\b(?:polic(?:y|ies)|manual|handbook|guide(?:lines)?|procedures|program|bulletins|rules)\b/i,
        3,
      ],
      [/\bpolicies\b/i, 1.5],
    ],
  },
]

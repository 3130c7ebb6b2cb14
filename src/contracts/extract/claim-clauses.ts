import type { PassageSubject } from './passage-subject.ts'

/** Clauses about claims and their payment. */
export const claimClauses: readonly PassageSubject[] = [
  {
    is: 'clause',
    category: 'claims_submission',
    type: 'timely_filing',
    heading:
      /\bclaims?\s+(?:submission|filing|deadlines?)|\bsubmission\b|\btimely\s+filing|^billing(?:\s+(?:procedures?|timeframes?|and\s+claims))?$|\bfiling\s+(?:of\s+claims|limit)|^(?:claims?|bills)$|\bsending\s+claims/i,
    words: [
      [
        /\b(?:submit|file|send|present|bill)(?:s|ted|d)?\b[^.]{0,120}\b(?:claims?|bills?|encounters?)?\b[^.]{0,120}\b(?:within|no\s+later\s+than|not\s+later\s+than|in\s+one)\b[^.]{0,60}\b(?:days?|months?|year)\b/i,
        4,
      ],
      [
        /\b(?:claims?|bills?)\b[^.]{0,100}\b(?:submitted|filed|sent|received|reach|presented|due)\b[^.]{0,120}\b(?:within|no\s+later|not\s+later|in\s+one|once\s+a\s+month)\b/i,
        4,
      ],
      [/\b(?:days|months|year)\s+to\s+(?:send|submit|file|bill)\b/i, 5],
      [/\b(?:submit|file|send)(?:s|ted|d)?\b[^.]{0,60}\b(?:claims?|bills?)\b/i, 2],
      [/\bclearinghouse\b|\belectronically\b|\bpayer\s+ID\b/i, 1],
      [
        /\bclaims?\b[^.]{0,80}\bwithin\b[^.]{0,40}\b(?:days|months)\s+(?:of|after|from)\b[^.]{0,40}\b(?:service|discharge|visit|delivery|collection)/i,
        2,
      ],
    ],
  },
  {
    is: 'clause',
    category: 'payment_timing',
    type: 'prompt_payment',
    heading:
      /\bprompt\s+pay|\btim(?:e|ing|eliness)\s+(?:of|for)\s+payment|\bpayment\s+(?:timing|timeframes?|terms|of\s+(?:clean\s+)?claims)|\btimely\s+payment|\bremittance\b|\bwhen\s+we\s+pay/i,
    words: [
      [
        /\b(?:pay|pays|paid|remit|adjudicate|process|decides?)\w*\b[^.]{0,140}\b(?:within|no\s+(?:later|more)\s+than|in)\b[^.]{0,40}\b(?:\d+|days|months)\b[^.]{0,20}\b(?:days?|business|working|calendar|\))/i,
        3.5,
      ],
      [/\bclean\s+(?:claims?|bills?)\b|\bundisputed\s+bills\b/i, 2.5],
      [/\binterest\b/i, 1],
      [/\bdays\s+(?:of|after|from)\s+(?:its\s+|their\s+)?receipt\b|\bafter\s+we\s+receive/i, 2],
      [/\bprompt\s+pay/i, 2],
    ],
  },
  {
    is: 'clause',
    category: 'appeal',
    type: 'claims_dispute',
    heading:
      /\bappeals?\b|\bdisputes?\b|\bgrievances?\b|\breconsideration\b|\barbitration\b|\bdisagreements\b|\bcomplaints\b/i,
    words: [
      [/\bappeal(?:s|ed)?\b/i, 3],
      [/\bdisput(?:e|es|ed)\b/i, 2.5],
      [/\breconsider(?:ation)?\b|\bgrievances?\b/i, 3.5],
      [/\barbitrat(?:e|ed|ion|or)\b/i, 3.5],
      [
        /\bmediat(?:e|ed|ion)\b|\bask\s+for\s+(?:a\s+)?(?:hearing|review)|\blook\s+at\s+it\s+again\b|\bwrong\s+amount\b/i,
        4,
      ],
      [/\bdisagree(?:s|ment)?\b|\bchallenge\b[^.]{0,40}\b(?:denial|payment|decision)/i, 2.5],
    ],
  },
  {
    is: 'clause',
    category: 'recoupment',
    type: 'overpayment_recovery',
    heading:
      /\brecoup|\boverpayments?\b|\boffsets?\b|\brefunds?\b|\brecovery\s+of|\bcorrection\s+of\s+payments|^adjustments$/i,
    words: [
      [/\brecoup\w*\b/i, 4],
      [/\boverpa(?:id|yments?|ys?)\b|\bimproper\s+payments?\b/i, 4],
      [
        /\b(?:paid|payments?(?:\s+that\s+was)?\s+made|pays?)\b[^.]{0,20}\b(?:in\s+error|by\s+mistake|too\s+much|more\s+than\s+it\s+owes)/i,
        4,
      ],
      [/\boffset\b|\bset(?:ting)?\s+(?:it\s+)?off\b|\bretract\b/i, 2],
      [/\btakes?\s+(?:the\s+money\s+)?back\b|\bdeduct(?:s|ed|ion)?\b|\bwithh(?:o|e)ld\s+from\b|\brefund/i, 2],
    ],
  },
  {
    is: 'clause',
    category: 'audit',
    type: 'records_audit',
    heading:
      /\baudits?\b|\binspection\b|\baccess\s+to\s+(?:books|records)|\brecords\s+review|\bbooks\s+and\s+records|\breview\b(?!\s+of\s+claim)/i,
    words: [
      [/\baudit(?:s|ed|ors?)?\b/i, 3],
      [/\binspect(?:s|ed|ion)?\b/i, 3.5],
      [
        /\b(?:examine|review|copy|see|look\s+(?:at|into)|visit|have\s+access)\b[^.]{0,80}\b(?:records?|books|charts?|bills|itemi[sz]ed|logs|notes|statements)\b/i,
        3.5,
      ],
      [
        /\bbooks\s+and\s+records\b|\brecords\b[^.]{0,60}\b(?:available|opens?)\b|\b(?:retain|keeps?)\b[^.]{0,40}\brecords\b/i,
        3,
      ],
      [/\bComptroller\b|\bInspector\s+General\b/i, 1.5],
    ],
  },
  {
    is: 'clause',
    category: 'payment_responsibility',
    type: 'financial_responsibility',
    heading:
      /\bpayment\s+responsib|\bfinancial\s+responsib|\bcost[\s-]sharing\b|\b(?:member|patient)\s+(?:cost|expenses|payments)|\bcopayments?\b|\bresponsibility\s+for\s+payment|\bwho\s+pays\b/i,
    words: [
      [
        /\b(?:solely\s+|financially\s+|alone\s+is\s+)?responsib(?:le|ility)\s+(?:for|to)\s+(?:pay|fund|collect)\w*/i,
        4,
      ],
      [/\bfinancial(?:ly)?\s+(?:responsib|risk|liab)/i, 3.5],
      [/\bcollects?\b[^.]{0,100}\b(?:copay\w*|coinsurance|deductibles?|cost\s+shar)/i, 3.5],
      [/\b(?:pay|owes?)\b[^.]{0,60}\b(?:copay\w*|deductibles?)\b/i, 3],
      [
        /\b(?:no|not|bears\s+no|never)\b[^.]{0,30}\b(?:liab(?:le|ility)\s+for\s+(?:payment|claims)|obliged\s+to\s+pay|financial\s+risk)|\bfunds\s+the\s+payments\b/i,
        3.5,
      ],
      [
        /\bpays\s+(?:participants|providers)\s+directly\b|\bduty\s+to\s+pay\b|\bresponsible\s+for\b[^.]{0,40}\brate\b/i,
        3,
      ],
    ],
  },
]

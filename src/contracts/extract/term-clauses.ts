import type { PassageSubject } from './passage-subject.ts'

const agreement = String.raw`(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|amendment|addendum|terms)`

/** Clauses about the agreement itself: how long it lasts, how it ends, and the law around it. */
export const termClauses: readonly PassageSubject[] = [
  {
    is: 'clause',
    category: 'renewal',
    type: 'automatic_renewal',
    heading: /\brenew|\bevergreen\b|\bextensions?\b/i,
    words: [
      [/\brenew(?:s|ed|ing|al)?\b/i, 3],
      [/\bautomatic(?:ally)?\s+(?:renew|extend)|\brenews?\s+(?:itself|automatically)/i, 2],
      [
        /\b(?:successive|additional|further)\s+(?:[\w()-]+\s+){0,2}(?:terms?|years?|periods?\s+of\s+(?:[\w()-]+\s+)?(?:year|month))/i,
        3,
      ],
      [/\byear\s+(?:by|to)\s+year\b|\brolls?\s+over\b|\bnon-?renewal\b/i, 4],
      [/\bextend(?:s|ed)?\b[^.]{0,60}\b(?:year|term|period)s?\b/i, 3],
      [/\bcontinues?\b[^.]{0,40}\b(?:year|periods?|terms?)\b/i, 2],
    ],
  },
  {
    is: 'clause',
    category: 'termination',
    type: 'termination',
    heading: /\bterminat|\bcancel(?:l)?ation\b|\bexit\b|\bending\b|\bwithdrawal\b/i,
    words: [
      [
        new RegExp(
          String.raw`\b(?:may|can|might)\s+(?:\w+\s+){0,4}?(?:be\s+)?(?:terminate|cancel|end)(?:ed|led)?\b`,
          'i',
        ),
        4,
      ],
      [new RegExp(String.raw`\b(?:terminates?|cancels?|ends?|ending)\s+${agreement}`, 'i'), 3],
      [/\bwithdraw\b[^.]{0,60}\bnotice\b|\bagreement\s+ends\s+when\b/i, 4],
      [/\bwithout\s+(?:having\s+to\s+state\s+a\s+)?cause\b|\bfor\s+convenience\b/i, 3],
      [/\b(?:material\s+)?breach(?:es)?\b[^.]{0,80}\b(?:cure|remed)/i, 2],
      [/\bterminat(?:e|ed|ion)\b/i, 1.5],
      [/\b(?:days?|months?)['’]?\s+(?:\w+\s+){0,3}notice\b/i, 1],
    ],
  },
  {
    is: 'clause',
    category: 'continuity_of_care',
    type: 'continuity_of_care',
    heading:
      /\bcontinu(?:ity|ation|ing)\s+(?:of\s+)?(?:care|services|treatment)|^continuity$|\btransition|\bpost[\s-]termination\b|\bcompletion\s+of\s+care|\bat\s+termination/i,
    words: [
      [/\bcontinu(?:e|es|ing|ed)\s+(?:to\s+)?(?:treat|car(?:e|ing)|serv|provid|furnish|see)\w*/i, 3.5],
      [
        /\b(?:active\s+)?course\s+of\s+treatment\b|\b(?:in|under)\s+(?:active\s+)?treatment\b|\btreatment\s+(?:in\s+progress|already\s+begun)/i,
        3.5,
      ],
      [/\b(?:keeps?|goes\s+on|go\s+on)\s+(?:on\s+)?(?:treating|seeing|caring|with\s+treatment)/i, 4],
      [
        /\b(?:hospitali[sz]ed|inpatients?|confined|pregnan\w+|terminally\s+ill|terminal\s+illness|postpartum)\b/i,
        2,
      ],
      [/\buntil\b[^.]{0,60}\b(?:discharged?|moved|transferred|takes?\s+over)\b/i, 2.5],
      [/\b(?:safe\s+)?transition\b/i, 2.5],
      [/\bcompletes?\b[^.]{0,40}\b(?:treatment|episode|care|services)\b/i, 3],
      [
        /\b(?:after|upon|following|when|on\s+the\s+date\s+of|of)\s+(?:the\s+|this\s+)?(?:agreement\s+|contract\s+|it\s+)?(?:(?:has\s+)?(?:end(?:s|ed)|is\s+cancelled)|terminat(?:ion|ed))/i,
        1.5,
      ],
    ],
  },
  {
    is: 'clause',
    category: 'delegation',
    type: 'delegated_functions',
    heading: /\bdelegat|\bsubcontract/i,
    words: [
      [/\bdelegat(?:e|es|ed|ion)\b/i, 4],
      [/\bsubcontract\w*\b/i, 4],
      [/\boversight\b/i, 1],
    ],
  },
  {
    is: 'clause',
    category: 'assignment',
    type: 'assignment',
    heading: /\bassignments?\b|\bassignability\b|\bsuccessors\b|\bchange\s+of\s+control|^transfer$/i,
    words: [
      [/\bassign(?:s|ed|able|ment|ability)?\b(?!\s+(?:to\s+each|by\s+CMS))/i, 3.5],
      [/\b(?:transfer|pass|hand)\b[^.]{0,40}\b(?:agreement|contract|rights|it)\b/i, 3.5],
      [/\bsuccessors\b|\bchange\s+(?:of|in)\s+(?:its\s+)?(?:control|ownership)\b/i, 3],
      [/\bconsent\b/i, 0.5],
    ],
  },
  {
    is: 'clause',
    category: 'other',
    type: 'general_provision',
    heading:
      /\bgoverning\s+law\b|\bchoice\s+of\s+law\b|^law$|\bnotices?$|\bindependent\s+(?:contractors?|status)\b|\bindemni|\bforce\s+majeure\b|\bentire\s+agreement\b|^amendments?$|\bseverab|\bwaivers?\b|\bmost[\s-]favored|\bexclusivity\b|\bcounterparts\b|\bsurvival\b|^changes$/i,
    words: [
      [
        /\bgoverned\s+by\b[^.]{0,40}\blaws?\b|\blaws?\b(?:\s+of\s+[A-Z][\w ]{2,30})?\s+(?:governs?|controls|applies|decides)\b/i,
        4.5,
      ],
      [/\bindependent\s+(?:contractors?|entities)\b/i, 4.5],
      [/\bindemnif(?:y|ies|ication)\b|\bbears\s+the\s+loss\b/i, 4],
      [/\bnotices?\b[^.]{0,60}\b(?:in\s+writing|by\s+mail|mailing|courier|certified\s+mail)\b/i, 4],
      [/\bforce\s+majeure\b|\bcounterparts\b|\bentire\s+agreement\b|\bfull\s+force\b|\bsupersedes?\b/i, 4.5],
      [
        /\bamended\s+only\b|\bno\s+change\b[^.]{0,40}\bwriting\b|\b(?:remains?|terms)\b[^.]{0,40}\b(?:unmodified|unchanged)\b|\bterms\s+(?:stay|that\s+are\s+not\s+changed)/i,
        4,
      ],
      [
        /\b(?:invalid|unenforceable)\b|\bwaiver\b|\bwaives?\b(?!\s+them)|\bsurvives?\b|\bmost\s+favored\b|\bprevails?\b|\bexclusive\b|\bdo(?:es)?\s+not\s+bind\b/i,
        3,
      ],
    ],
  },
]

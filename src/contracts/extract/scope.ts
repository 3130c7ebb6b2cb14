import { stateNames } from '../state-names.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'

type Words = readonly (readonly [string, RegExp])[]

const linesOfBusinessWords: Words = [
  ['medicare_advantage', /\bMedicare\s+Advantage\b|\bMedicare\s+Part\s+C\b|\bMA-?PD\b/],
  [
    'medicaid',
    /\b(?:Managed\s+)?Medicaid(?:\s+Managed\s+Care)?\b(?!\s+(?:fee|rate|allowable|agency|program\s+integrity|and\s+CHIP\s+Services))/,
  ],
  ['commercial', /\bCommercial(?:\s+(?:products?|lines?|health|insurance|business|members?|plans?))?\b/i],
  ['exchange', /\b(?:Health\s+Insurance\s+)?(?:Exchange|Marketplace)\b|\bQualified\s+Health\s+Plans?\b/],
  ['workers_compensation', /\bWorkers[’']?\s+Compensation\b/i],
  ['tricare', /\bTRICARE\b/i],
  ['medicare_supplement', /\bMedicare\s+Supplement\b|\bMedigap\b/i],
  ['dual_special_needs', /\bD-?SNP\b|\bDual[\s-]Eligible\s+Special\s+Needs\b/i],
  ['chip', /\bCHIP\b|\bChildren[’']s\s+Health\s+Insurance\s+Program\b/],
  ['federal_employees', /\bFEHBP?\b|\bFederal\s+Employees?\s+(?:Health\s+Benefits?\s+)?Program\b/i],
]
const productWords: Words = [
  ['HMO', /\bHMO\b|\bHealth\s+Maintenance\s+Organization\s+(?:products?|plans?)/],
  ['PPO', /\bPPO\b|\bPreferred\s+Provider\s+Organization\b/],
  ['EPO', /\bEPO\b|\bExclusive\s+Provider\s+Organization\b/],
  ['POS', /\bPOS\b|\bPoint[\s-]of[\s-]Service\b/],
  ['HDHP', /\bHDHP\b|\bHigh[\s-]Deductible\s+Health\s+Plans?\b/i],
  ['Indemnity', /\bIndemnity\s+(?:products?|plans?|coverage)\b/i],
]
const channelWords: Words = [
  ['fully_insured', /\bfully[\s-]insured\b/i],
  ['self_funded', /\bself[\s-](?:funded|insured)\b|\bASO\b|\badministrative\s+services\s+only\b/i],
  ['individual', /\bindividual\s+(?:market|policies|products?|coverage|plans?)\b/i],
  ['small_group', /\bsmall[\s-](?:group|employer)\b/i],
  ['large_group', /\blarge[\s-](?:group|employer)\b/i],
]

// A sentence that takes something out of the contract does not put it in.
const excluding =
  /\b(?:exclud(?:es?|ed|ing)|does\s+not\s+(?:apply|include|extend)|not\s+applicable\s+to|shall\s+not\s+apply|other\s+than|except\s+for|no\s+participation\s+in)\b/i

function named(view: ContractView, words: Words, confidence: number): Found[] {
  const found: Found[] = []
  for (const [normalized, pattern] of words) {
    const all = new RegExp(pattern.source, `${pattern.flags}g`)
    for (const match of view.text.matchAll(all)) {
      const range = { start: match.index, end: match.index + match[0].length }
      const sentence = view.sentenceAround(range)
      if (excluding.test(view.text.slice(sentence.start, range.start))) continue
      found.push({ value: flat(match[0]), normalized, ...range, confidence })
      break
    }
  }
  return distinct(found)
}

export const linesOfBusiness = (view: ContractView) => named(view, linesOfBusinessWords, 0.88)
export const products = (view: ContractView) => named(view, productWords, 0.9)
export const benefitChannels = (view: ContractView) => named(view, channelWords, 0.88)

const planLabel = /^[ \t]*(?:Benefit\s+)?Plans?(?:\s+Names?)?(?:\s*\(s\))?[ ]*[:\t][ \t]*([^\n]{3,300})/gim
const planCalled =
  /\bplans?\s+(?:\w+\s+){0,3}?(?:known|marketed|offered|branded|sold|named|called|designated)\s+(?:as|under\s+the\s+names?)?\s*((?:["“][^"”]{3,80}["”](?:\s*,\s*|\s*,?\s+and\s+)?)+)/gi

/** Benefit plans that the contract names. */
export function plans(view: ContractView): Found[] {
  const found: Found[] = []
  for (const match of view.text.matchAll(planCalled))
    for (const { index, 1: value = '' } of match[1]!.matchAll(/["“]([^"”]{3,80})["”]/g)) {
      const start = match.index + match[0].length - match[1]!.length + index + 1
      found.push({ value: flat(value).replace(/,$/, ''), start, end: start + value.length, confidence: 0.85 })
    }
  for (const match of view.text.matchAll(planLabel)) {
    let start = match.index + match[0].length - match[1]!.length
    for (const part of match[1]!.split(/(?<=[;\t]|,\s(?=[A-Z]))/)) {
      const value = flat(part.replaceAll(/[;,\t]+\s*$/g, ''))
        .replace(/^and\s+/, '')
        .replace(/\.$/, '')
      // A label with the payer's own name behind it says who the plan is, not which plan.
      if (value.length > 2 && !/\b(Inc|LLC|Company|Corp)\b/.test(value))
        found.push({ value, start, end: start + part.trimEnd().length, confidence: 0.8 })
      start += part.length
    }
  }
  return distinct(found.map((one) => ({ ...one, normalized: one.value.toLowerCase() })))
}

const networkName = /(?<![\w-])((?:[A-Z][\w’'&+-]*\s+){1,5}Networks?)\b/g
const plainNetwork =
  /^(?:(?:The|This|Each|Such|Any|Payer|Plan|Provider|Participating|Company|Health|Preferred|In|Out|Of|Our|Its|All|Covered|Required|And|For|To)\s+)*(?:(?:Provider|Participating|Physician|Hospital|Preferred|Clinically|Integrated|Payer|Plan|Delivery)\s+)*Networks?$/i

/** Networks by name: capitalised words before "Network", with more than the common ones. */
export const networks = (view: ContractView): Found[] =>
  distinct(
    [...view.text.matchAll(networkName)].flatMap(({ index, 1: raw = '' }) => {
      const value = flat(raw).replace(/^(?:The|This|In|For|Provider’s|All|Each|Its)\s+/, '')
      if (plainNetwork.test(value) || /\n\s*\n/.test(raw) || value === value.toUpperCase()) return []
      return [
        {
          value,
          normalized: value.toLowerCase().replace(/s$/, ''),
          start: index,
          end: index + raw.length,
          confidence: 0.8,
        },
      ]
    }),
  )

const stateWord = new RegExp(
  `\\b(${[...stateNames.keys()].sort((a, b) => b.length - a.length).join('|')})\\b`,
  'g',
)
const inScope =
  /\bservice\s+area|\bin\s+the\s+(?:states?|commonwealth)\s+of|\bwithin\s+the\s+(?:states?|commonwealth)\s+of|\bresid(?:e|ents?|ing)\s+in|\bthroughout\b|^\s*(?:States?|Service\s+Area|Geographic\s+Area|Covered\s+States?|Market|Territory)\s*(?:\(s\))?\s*[:\t]|\boffered\s+in|\boperat(?:es|ing)\s+in/im
const outOfScope =
  /\blaws?\s+of|\bgoverned\s+by|\borganized\s+under|\b(?:corporation|company|association|partnership|organization)\b[^.]{0,40}\bof\s+(?:the\s+)?(?:state|commonwealth)|\bcourts?\b|\bvenue\b/i

/** States in which the contract holds: its service area, not the law that governs it. */
export const states = (view: ContractView): Found[] =>
  distinct(
    [...view.text.matchAll(stateWord)].flatMap(({ index: start, 0: value }) => {
      const range = { start, end: start + value.length }
      const sentence = view.sentenceAround(range)
      const text = view.text.slice(sentence.start, sentence.end)
      if (!inScope.test(text) || outOfScope.test(text)) return []
      return [{ value, normalized: stateNames.get(value)!, ...range, confidence: 0.85 }]
    }),
  )

import { payerNamed } from '../../vocabulary/payers.ts'
import type { ContractView, Range } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'
import type { FoundParty } from './parties.ts'
import type { FoundPassage } from './passages.ts'
import { lastNotAfter } from './running-text.ts'

/** What the scope of a contract is read from: its text, with its parties and rules known. */
export interface Covered {
  readonly view: ContractView
  readonly parties: readonly FoundParty[]
  readonly passages: readonly FoundPassage[]
}

type Words = readonly (readonly [string, RegExp])[]

const linesOfBusinessWords: Words = [
  ['medicare_advantage', /\bMedicare\s+Advantage\b|\bMedicare\s+Part\s+C\b|\bMA-?PD\b/],
  [
    'medicaid',
    /\b(?:Managed\s+)?Medicaid(?:\s+Managed\s+Care)?\b(?!\s+(?:(?:Dental\s+)?fee|rate|allowable|agency|program\s+integrity|and\s+CHIP\s+Services|number))/i,
  ],
  [
    'commercial',
    /\bCommercial(?:\s+(?:products?|lines?|health|insurance|business|members?|plans?))?\b(?!\s+general)/i,
  ],
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
  ['self_funded', /\b(?:self|level)[\s-](?:funded|insured)\b|\bASO\b|\badministrative\s+services\s+only\b/i],
  ['individual', /\bindividual\s+(?:market|policies|products?|coverage|plans?)\b/i],
  ['small_group', /\bsmall[\s-](?:groups?|employers?)\b/i],
  ['large_group', /\blarge[\s-](?:groups?|employers?)\b/i],
]

// A sentence that takes something out of the contract does not put it in.
const excludingBefore =
  /\b(?:exclud(?:es?|ed|ing)|does\s+not\s+(?:apply|include|extend)|not\s+(?:applicable|apply|extend)\s+to|other\s+than|except\s+for|no\s+participation\s+in|but\s+not)\b/i
const excludingAfter = /^[^.;,]{0,30}\b(?:is|are)\s+(?:excluded|not\s+(?:included|covered|part))\b/i
// Rules that speak of other things than what the contract covers.
const elsewhere = new Set(['insurance', 'confidentiality', 'privacy', 'assignment', 'other'])

/** What a range of a covered contract stands in: a party's name, or a rule about something else. */
const isBeside = ({ view, parties, passages }: Covered, range: Range): boolean => {
  const passage = passages[lastNotAfter(passages, range.start, ({ start }) => start)]
  if (
    passage &&
    range.start < passage.end &&
    passage.subject.is === 'clause' &&
    elsewhere.has(passage.subject.category)
  )
    return true
  const around = flat(view.text.slice(Math.max(0, range.start - 80), range.end + 80)).toLowerCase()
  const words = flat(view.text.slice(range.start, range.end)).toLowerCase()
  return parties.some(({ value }) => {
    const name = flat(value).toLowerCase()
    return name.includes(words) && around.includes(name)
  })
}

function named(covered: Covered, words: Words, rule: string): Found[] {
  const { view } = covered
  const found: Found[] = []
  for (const [normalized, pattern] of words) {
    for (const match of view.text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))) {
      const range = { start: match.index, end: match.index + match[0].length }
      const sentence = view.sentenceAround(range)
      if (excludingBefore.test(view.text.slice(sentence.start, range.start))) continue
      if (excludingAfter.test(view.text.slice(range.end, sentence.end)) || isBeside(covered, range)) continue
      found.push({ value: flat(match[0]), normalized, ...range, rule })
      break
    }
  }
  return distinct(found)
}

export const linesOfBusiness = (covered: Covered) =>
  named(covered, linesOfBusinessWords, 'linesOfBusiness.named')
export const products = (covered: Covered) => named(covered, productWords, 'products.named')
export const benefitChannels = (covered: Covered) => named(covered, channelWords, 'benefitChannels.named')

const planLabel =
  /(?:^[ \t]*(?:Benefit\s+)?Plans?(?:\s*\(s\))?|\b(?:Participating|Covered|Benefit|Included)\s+Plans?|\bPlan\s+Names?)[ ]*[:\t][ \t]*((?:[^\n.]|\n(?![ ]*\n)(?=[^\n:\t]*\.)){3,300})/gim
const planCalled =
  /\bplans?\s+(?:\w+\s+){0,3}?(?:known|marketed|offered|branded|sold|named|called|designated)\s+(?:as|under\s+the\s+names?)?\s*((?:["“][^"”]{3,80}["”](?:\s*,\s*|\s*,?\s+and\s+)?)+)/gi

/** Benefit plans that the contract names. */
export function plans(view: ContractView): Found[] {
  const found: Found[] = []
  for (const match of view.text.matchAll(planCalled))
    for (const { index, 1: value = '' } of match[1]!.matchAll(/["“]([^"”]{3,80})["”]/g)) {
      const start = match.index + match[0].length - match[1]!.length + index + 1
      const end = start + value.length
      found.push({ value: flat(value).replace(/,$/, ''), start, end, rule: 'plans.called' })
    }
  for (const match of view.text.matchAll(planLabel)) {
    let start = match.index + match[0].length - match[1]!.length
    for (const part of match[1]!.split(/(?<=[;\t]|,\s(?=[A-Z])|\sand\s(?=[A-Z]))/)) {
      const value = flat(part.replace(/(?:[;,\t]|\band)\s*$/, ''))
        .replace(/^and\s+/, '')
        .replace(/\.$/, '')
      // A label with a company's name behind it says who the plan is, not which plan.
      const isCompany = /\b(?:Inc|LLC|Company|Corp)\b/.test(value) || payerNamed(value) !== undefined
      if (value.length > 2 && !isCompany && !/\/s\/|_{2}/.test(value))
        found.push({ value, start, end: start + part.trimEnd().length, rule: 'plans.labelled' })
      start += part.length
    }
  }
  return distinct(found.map((one) => ({ ...one, normalized: one.value.toLowerCase() })))
}

const networkName =
  /(?<![\w-])((?:[A-Z][\w’'&+-]*[ \n]+){1,5}Networks?)\b(?!\s+(?:[A-Z][a-z]+\s+)?(?:Agreement|Participation|Provider|Services|Access|Handbook|Insurance|Health))/g
const plainNetwork =
  /^(?:(?:The|This|Each|Such|Any|Payer|Plan|Provider|Participating|Company|Health|Preferred|In|Out|Of|Our|Its|All|Covered|Required|And|For|To|Within|Narrow|Continuation|Tier)\s+)*(?:(?:Provider|Participating|Physician|Hospital|Preferred|Clinically|Integrated|Payer|Plan|Delivery)\s+)*Networks?$/i

/** Networks by name: capitalised words before "Network", with more than the common ones. */
export const networks = (view: ContractView): Found[] =>
  distinct(
    [...view.text.matchAll(networkName)].flatMap(({ index, 1: raw = '' }) => {
      const value = flat(raw).replace(/^(?:The|This|In|For|Provider[’']s|All|Each|Its)\s+/, '')
      if (plainNetwork.test(value) || /\n\s*\n|\t/.test(raw) || value === value.toUpperCase()) return []
      return [
        {
          value,
          normalized: value.toLowerCase().replace(/s$/, ''),
          start: index,
          end: index + raw.length,
          rule: 'networks.named',
        },
      ]
    }),
  )

import { payerNamed } from '../../vocabulary/payers.ts'
import { normalizedPartyName } from '../party-names.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'

export type PartyRole = 'payers' | 'administrators' | 'providers' | 'contractingEntities'

export interface FoundParty extends Found {
  readonly role: PartyRole
  readonly payer?: string | undefined
}

// Longest first: a "Plan Administrator" is no plan, a "Provider Network" no provider.
const roleWords: readonly (readonly [PartyRole, RegExp])[] = [
  ['administrators', /\b(third[\s-]party\s+administrator|administrator|TPA|claims?\s+administrator)\b/i],
  [
    'contractingEntities',
    /\b(contracting\s+entity|IPA|independent\s+practice\s+association|PHO|physician[\s-]hospital\s+organization|ACO|accountable\s+care\s+organization|clinically\s+integrated\s+network|CIN|MSO|messenger|contractor)\b/i,
  ],
  [
    'providers',
    /\b(participating\s+provider|provider|hospital|facility|group|practice|physicians?|clinic|medical\s+group|laborator(?:y|ies)|surgery\s+center|professional\s+(?:association|corporation)|health\s+system)\b/i,
  ],
  [
    'payers',
    /\b(payer|payor|health\s+plan|plan|insurer|carrier|HMO|health\s+maintenance\s+organization|insurance\s+company|company|health\s+insurer)\b/i,
  ],
]

const word = `[A-Z][\\w&.'’|/-]*`
const linking = `(?:of|the|and|for|&|in|at|de|del|la)`
const suffix = `(?:,?\\s+(?:Inc|LLC|L\\.L\\.C|Corp|Corporation|Co|Company|Ltd|LP|L\\.P|LLP|PLLC|P\\.L\\.L\\.C|P\\.?A|P\\.?C|N\\.?A)\\b\\.?)`
const partyName = `${word}(?:\\s+(?:${linking}\\s+){0,2}${word}){0,9}${suffix}*`

const defined = new RegExp(
  `(${partyName})((?:\\s*,[^()“”"]{0,220}?)?|\\s+d/b/a[^()“”"]{0,100})\\s*\\(\\s*(?:hereinafter|hereafter|referred\\s+to|individually|collectively|together|each|as|herein|called|the|or|,|\\s)*["“]([^"”]{2,40})["”]`,
  'g',
)
const labelled =
  /^[ \t]*(Payer|Payor|Health Plan|Plan|Insurer|Carrier|Provider|Group|Facility|Hospital|Practice|Medical Group|Third[ -]Party Administrator|Claims Administrator|Administrator|TPA|Contracting Entity|IPA|PHO|ACO)(?:\s+(?:Legal\s+)?Name)?[ ]*[:\t][ \t]*([^\n\t]{3,120})/gm
const administered = new RegExp(
  `(?:administered\\s+by|(?:third[\\s-]party|claims?)\\s+administrator[,]?\\s+(?:is\\s+|shall\\s+be\\s+)?|services\\s+are\\s+performed\\s+by)\\s+(${partyName})|(${partyName}),?\\s+(?:acting\\s+)?as\\s+(?:the\\s+)?(?:third[\\s-]party|claims?)\\s+administrator`,
  'g',
)
const between = new RegExp(
  `between\\s+(${partyName})(,\\s+an?\\s[^()“”"]{3,160}?)?,?\\s+and\\s+(${partyName})(,\\s+an?\\s[^()“”".]{3,160})?`,
  'g',
)

/** Who the contract is between, and who else does the payer's work. */
export function parties(view: ContractView): FoundParty[] {
  const found: FoundParty[] = []
  const add = (role: PartyRole | undefined, raw: string, start: number, confidence: number) => {
    const value = cleaned(raw)
    if (role === undefined || value.length < 3 || generic.test(value)) return
    const at = start + Math.max(0, raw.indexOf(raw.trim()))
    const payer = registered(value)
    found.push({
      role,
      value,
      normalized: normalizedPartyName(value),
      payer: role === 'payers' || role === 'administrators' ? payer : undefined,
      start: at,
      end: at + raw.trim().length,
      confidence: payer && role === 'payers' ? Math.min(0.99, confidence + 0.05) : confidence,
    })
  }
  for (const { index, 1: name = '', 2: description = '', 3: term = '' } of view.text.matchAll(defined))
    add(roleOf(term) ?? roleOf(description) ?? roleOf(name), name, index, 0.93)
  for (const match of view.text.matchAll(labelled))
    add(roleOf(match[1]!), match[2]!, match.index + match[0].length - match[2]!.length, 0.9)
  for (const match of view.text.matchAll(administered)) {
    const name = match[1] ?? match[2] ?? ''
    add('administrators', name, match.index + match[0].indexOf(name), 0.85)
  }
  if (!found.some(({ role }) => role === 'payers') || !found.some(({ role }) => role === 'providers'))
    for (const match of view.text.slice(0, 6_000).matchAll(between)) {
      const [whole, one = '', oneIs = '', two = '', twoIs = ''] = match
      const known = (name: string) => (registered(cleaned(name)) ? 'payers' : undefined)
      add(known(one) ?? roleOf(oneIs) ?? roleOf(one), one, match.index + whole.indexOf(one), 0.75)
      add(known(two) ?? roleOf(twoIs) ?? roleOf(two), two, match.index + whole.lastIndexOf(two), 0.75)
    }
  const roles = [...new Set(found.map(({ role }) => role))]
  const one = new Map<string, FoundParty>()
  for (const party of roles.flatMap((role) => distinct(found.filter((party) => party.role === role)))) {
    // The same name in two roles: the surer rule is right.
    const known = one.get(party.normalized!.toLowerCase())
    if (!known || known.confidence < party.confidence) one.set(party.normalized!.toLowerCase(), party)
  }
  return [...one.values()]
}

const generic =
  /^(this|the|an?|each|either|such|party|parties|agreement|provider|payer|plan|company|date|name|effective|amendment|article|section|_+)\b\.?$/i

function roleOf(text: string): PartyRole | undefined {
  return roleWords.find(([, words]) => words.test(text))?.[0]
}

const cleaned = (raw: string) =>
  flat(raw)
    .replace(/^(?:by|and|between|among|The Parties|WHEREAS|This|Agreement)\s+(?=[A-Z])/, '')
    .replace(/[\s,;]+$/, '')

/** The registry's payer of a name, also where a state or a word of incorporation follows it. */
function registered(name: string): string | undefined {
  const words = normalizedPartyName(name).split(' ')
  for (let count = words.length; count > 0; count--) {
    const payer = payerNamed(words.slice(0, count).join(' '))
    if (payer && (count === words.length || count >= 2 || words[0]!.length > 4)) return payer.payer
  }
  return payerNamed(name)?.payer
}

import { payerNamed } from '../../vocabulary/payers.ts'
import { normalizedPartyName } from '../party-names.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'
import { tableCells } from './table-columns.ts'
import { nameRole, type PartyRole, termRole } from './party-roles.ts'

export interface FoundParty extends Found {
  readonly role: PartyRole
  readonly payer?: string | undefined
}

const word = String.raw`(?:(?:St|Dr|Mt|Ft|Jr|Sr)\.|(?:[A-Z]\.){2,}|[A-Z][\w&'’|/-]*)`
// A name may run over a line, not over a paragraph.
const space = String.raw`(?:[ ]|\n(?![ ]*\n))+`
const linking = String.raw`(?:of|the|and|for|&|in|at|de|del|la)`
const suffix = String.raw`(?:,?\s+(?:Inc|INC|LLC|L\.L\.C|Corp|Corporation|Co|Company|Ltd|LP|L\.P|LLP|PLLC|P\.L\.L\.C|P\.L\.C|P\.?A|P\.?C|P\.?S|S\.?C|O\.?D|N\.?A)\b\.?)`
const name = String.raw`${word}(?:,?${space}(?:${linking}${space}){0,2}(?!AND\b|BETWEEN\b|BY\b|TO\b)${word}){0,9}${suffix}*`
const term =
  /\(\s*(?:hereinafter|hereafter|referred\s+to|individually|collectively|together|each|as|herein|called|the|an?|or|,|\s)*["“]([^"”]{2,40})["”]/g
// Between a name and the term that is defined for it: who it is, or where.
const description = String.raw`((?:\s*,\s*(?:an?|the|which|whose|on|acting|organized|with|for|doing|by|through|\d{1,6}\s+[A-Z])\s?[^()“”"]{0,220}|\s+d/b/a\s[^()“”"]{0,100})?)`
const before = new RegExp(String.raw`(?<![\w.])(${name})${description}\s*,?\s*$`)

const labels = String.raw`Payer|Payor|Health Plan|Plan|Insurer|Carrier|Insurance Company|Provider|Group|Facility|Hospital|Clinic|Practice|Supplier|Laboratory|Agency|Medical Group|Third[ -]Party Administrator|Claims Administrator|Administrator|TPA|Contracting Entity|IPA|PHO|ACO`
const labelled = new RegExp(
  String.raw`^[ \t]*(${labels})(?:\s+(?:Legal\s+)?Name)?[ ]*(?:[:\t]|\.{3,})[ \t:]*([^\n\t]{3,120})`,
  'gim',
)
const administered = new RegExp(
  String.raw`(?:administered\s+by|(?:third[\s-]party|claims?)\s+administrator[,]?\s+(?:is\s+|shall\s+be\s+)?|services\s+are\s+performed\s+by)\s+(${name})|(${name}),?\s+(?:acting\s+)?as\s+(?:the\s+)?(?:third[\s-]party|claims?)\s+administrator`,
  'g',
)
const described = String.raw`((?:,\s+(?:an?|the)\s[^()“”",.]{3,120})?)`
const between = new RegExp(
  String.raw`(?:between|among|by|parties\s+are)\s+(${name})${described},?\s+and\s+(${name})${described}`,
  'g',
)
const represented = new RegExp(
  String.raw`(?:acts?|acting)\s+for\s+(?:itself\s+and\s+for\s+)?(${name})(?:\s+and\s+(${name}))?|participants\s+include\s+(${name})`,
  'g',
)

/** Who the contract is between, and who else does the payer's work. */
export function parties(view: ContractView): FoundParty[] {
  const found: FoundParty[] = []
  const add = (rule: string, role: PartyRole | undefined, raw: string, start: number) => {
    const value = cleaned(raw)
    if (role === undefined || value.length < 3 || !isName(value)) return
    const at = start + Math.max(0, raw.indexOf(value.split(' ')[0]!))
    found.push({
      role,
      value,
      normalized: normalizedPartyName(value),
      payer: role === 'payers' || role === 'administrators' ? registered(value) : undefined,
      start: at,
      end: start + raw.trimEnd().length,
      rule: `${role}.${rule}`,
    })
  }
  for (const { index, 1: meaning = '' } of view.text.matchAll(term)) {
    const paragraph = view.paragraphAt(index)
    const from = Math.max(paragraph?.start ?? 0, index - 400)
    // The words after the term that was defined before, if there is one.
    const window = view.text.slice(from, index).replace(/^[\s\S]*\)/, (gone) => ' '.repeat(gone.length))
    const [whole, raw, said = ''] = before.exec(window) ?? []
    if (raw !== undefined)
      add('defined', termRole(meaning) ?? roleOf(raw, said), raw, from + window.length - whole!.length)
  }
  for (const match of view.text.matchAll(labelled))
    add('labelled', termRole(match[1]!), match[2]!, match.index + match[0].length - match[2]!.length)
  for (const { heading, text, start } of tableCells(view))
    if (
      /^(?:hospitals?|facilit(?:y|ies)|providers?|clinics?)(?:\s+names?)?$/i.test(heading) &&
      nameRole(text) === 'providers'
    )
      add('column', 'providers', text, start)
  for (const match of view.text.matchAll(administered)) {
    const raw = match[1] ?? match[2] ?? ''
    add('administered', 'administrators', raw, match.index + match[0].indexOf(raw))
  }
  for (const match of view.text.slice(0, 8_000).matchAll(represented))
    for (const raw of match.slice(1))
      if (raw !== undefined && nameRole(cleaned(raw)) === 'providers')
        add('represented', 'providers', raw, match.index + match[0].indexOf(raw))
  if (!found.some(({ role }) => role === 'payers') || !found.some(({ role }) => role === 'providers'))
    for (const match of view.text.slice(0, 8_000).matchAll(between)) {
      const [whole, one = '', oneIs = '', two = '', twoIs = ''] = match
      add('between', roleOf(one, oneIs), one, match.index + whole.indexOf(one))
      add('between', roleOf(two, twoIs), two, match.index + whole.lastIndexOf(two))
    }
  return oneRoleEach(found)
}

/** The same name in two roles: the rule that comes first is right. */
function oneRoleEach(found: readonly FoundParty[]): FoundParty[] {
  const roles = new Map<string, PartyRole>()
  for (const { normalized, role } of found) {
    const key = normalized!.toLowerCase()
    if (!roles.has(key)) roles.set(key, role)
  }
  return distinct(found.filter(({ normalized, role }) => roles.get(normalized!.toLowerCase()) === role))
}

function roleOf(raw: string, description: string): PartyRole | undefined {
  const value = cleaned(raw)
  return registered(value) === undefined
    ? (termRole(description) ?? nameRole(value))
    : (nameRole(value, ['administrators', 'contractingEntities']) ?? 'payers')
}

const months = /^(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/i
const document =
  /\b(?:agreement|amendment|contract|exhibit|letter|addendum|act|manual|schedule|number|numbers|no|rate|rates|method|service|services\s+agreement|address|name)\.?$/i
const generic =
  /^(?:this|the|an?|each|either|such|party|parties|agreement|provider|payer|plan|company|date|name|effective|amendment|article|section|by|signature|_+)\b\.?$/i
const isName = (value: string) =>
  !generic.test(value) &&
  !months.test(value) &&
  !document.test(value) &&
  /^[A-Z]/.test(value) &&
  !/\/s\/|_{2}|\d{4}|[:;]|^(?:By|Signature|Date|Title|Name)\b/.test(value)

const cleaned = (raw: string) =>
  flat(raw)
    .replace(
      /^(?:(?:by|and|between|among|for|whereas|this|agreement|between|the parties|parties|contract|re|dear|made|is)\s+)+(?=[A-Z])/i,
      '',
    )
    .replace(/^.*\b(?!Assoc\b)[A-Za-z]{5,}\.\s+/, '')
    .replace(/\s+\([\s\S]*$/, '')
    .replace(/[\s,;]+$/, '')

/** The registry's payer of a name, also where a state or a word of incorporation follows it. */
export function registered(name: string): string | undefined {
  const words = normalizedPartyName(name).split(' ')
  for (let count = words.length; count > 0; count--) {
    const payer = payerNamed(words.slice(0, count).join(' '))
    if (payer && (count === words.length || count >= 2 || words[0]!.length > 4)) return payer.payer
  }
  return payerNamed(name)?.payer
}

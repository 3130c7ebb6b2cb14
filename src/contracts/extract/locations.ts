import { State } from '../../vocabulary/enums.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'
import type { FoundParty } from './parties.ts'

export interface FoundLocation extends Found {
  readonly address: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
}

const streetWords = String.raw`(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Way|Pkwy|Parkway|Hwy|Highway|Ct|Court|Pl|Place|Plaza|Circle|Loop|Pike|Trail|Terrace|Square|Broadway|Turnpike|Row|Alley|Crossing|Point)\b\.?(?:\s+(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?`
const suite = String.raw`(?:Suite|Ste\.?|Unit|Floor|Building|Bldg\.?|Room|Rm\.?|#)\s*[\w-]+|\d{1,3}(?:st|nd|rd|th)\s+Floor`
const gap = String.raw`[,\s]+`
// A number, the street's name, perhaps a suite, a city, a state and a postal code.
const address = new RegExp(
  String.raw`(?<![\d$.-])(\d{1,6}[ \n]+(?:[A-Z][\w.'’-]*[ \n]+|\d{1,3}(?:st|nd|rd|th)[ \n]+){0,5}?${streetWords})(?:${gap}(${suite}))?${gap}([A-Z][A-Za-z.'’-]+(?:[ \n][A-Z][A-Za-z.'’-]+){0,3}),?\s+([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)(?!\d)`,
  'g',
)
const payerSide =
  /\b(?:if\s+to|to|notices?\s+to)\s+(?:the\s+)?(?:payer|payor|plan|health\s+plan|insurer|company|administrator|carrier)\b|\b(?:payer|payor|plan|insurer|carrier)(?:['’]s)?\s+address\b/gi
const providerSide =
  /\b(?:if\s+to|to|notices?\s+to)\s+(?:the\s+)?(?:provider|group|hospital|facility|practice|physician|clinic|medical\s+group)\b|\blocation|\bfacilit|\bsites?\b|\boffices?\b|\bclinic\b/gi
const nearby = 300

/** Addresses of the provider's side: where it works, or where it takes notices. */
export function locations(view: ContractView, parties: readonly FoundParty[]): FoundLocation[] {
  const payers = parties.filter(({ role }) => role === 'payers' || role === 'administrators')
  const providers = parties.filter(({ role }) => role === 'providers' || role === 'contractingEntities')
  return distinct(
    [...view.text.matchAll(address)].flatMap((match): FoundLocation[] => {
      const [whole, street = '', room, town = '', state = '', postalCode = ''] = match
      if (!State.safeParse(state).success) return []
      const before = view.text.slice(Math.max(0, match.index - nearby), match.index)
      const last = (words: RegExp, named: readonly FoundParty[]) =>
        Math.max(
          lastOf(before, words),
          ...named.flatMap(({ value }) => [
            flatLastIndex(before, value),
            flatLastIndex(before, `${value.split(' ')[0]!} address`),
          ]),
        )
      if (last(payerSide, payers) > last(providerSide, providers)) return []
      const line = flat(room === undefined ? street : `${street}, ${room}`)
      const city = flat(town)
      return [
        {
          value: `${line}, ${city}, ${state} ${postalCode}`,
          normalized: `${line} ${city} ${postalCode.slice(0, 5)}`.toLowerCase(),
          address: line,
          city,
          state,
          postalCode,
          start: match.index,
          end: match.index + whole.length,
          rule: 'locations.street',
        },
      ]
    }),
  )
}

const lastOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.index ?? -1
const flatLastIndex = (text: string, name: string) =>
  text.replaceAll(/\s/g, ' ').toLowerCase().lastIndexOf(name.toLowerCase())

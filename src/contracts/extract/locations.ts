import { State } from '../../vocabulary/enums.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'

export interface FoundLocation extends Found {
  readonly address: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
}

const street =
  /(\d{1,6}\s+(?:[NSEW]\.?\s+)?[A-Z0-9][\w.'’-]*(?:\s+[\w.'’#-]+){0,5}?)[,\t\n ]+([A-Z][A-Za-z.'’-]+(?:\s[A-Z][A-Za-z.'’-]+){0,3}),?[\s]+([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)(?!\d)/g
const streetWord =
  /\b(St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Way|Pkwy|Parkway|Hwy|Highway|Ct|Court|Pl|Place|Plaza|Circle|Loop|Pike|Trail|Terrace|Square|Broadway|Suite|Ste)\b/
const payerSide =
  /\b(if\s+to|to|notices?\s+to)\s+(the\s+)?(payer|plan|health\s+plan|insurer|company|administrator|carrier)\b/gi
const providerSide =
  /\b(if\s+to|to|notices?\s+to)\s+(the\s+)?(provider|group|hospital|facility|practice|physician|clinic|medical\s+group)\b|location|facilit|site/gi

/** Addresses of the provider's side: where it works, or where it takes notices. */
export function locations(view: ContractView): FoundLocation[] {
  return distinct(
    [...view.text.matchAll(street)].flatMap((match): FoundLocation[] => {
      const [whole, address = '', city = '', state = '', postalCode = ''] = match
      const [line, suite] = splitSuite(flat(address), flat(city))
      if (!streetWord.test(`${address} ${city}`) || !State.safeParse(state).success) return []
      const before = view.text.slice(Math.max(0, match.index - 300), match.index)
      if (lastOf(before, payerSide) > lastOf(before, providerSide)) return []
      const value = `${line}, ${suite}, ${state} ${postalCode}`
      return [
        {
          value,
          normalized: `${line} ${suite} ${postalCode.slice(0, 5)}`.toLowerCase(),
          address: line,
          city: suite,
          state,
          postalCode,
          start: match.index,
          end: match.index + whole.length,
          confidence: 0.85,
        },
      ]
    }),
  )
}

/** The words of a suite belong to the address, not to the city. */
function splitSuite(address: string, city: string): [string, string] {
  const [, suite, rest] = /^((?:Suite|Ste\.?|Unit|Floor|Building|Bldg\.?)\s+\S+)\s+(.+)$/.exec(city) ?? []
  return suite !== undefined && rest !== undefined ? [`${address}, ${suite}`, rest] : [address, city]
}

const lastOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.index ?? -1

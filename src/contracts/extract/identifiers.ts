import { Ccn, npiCheckDigitHolds, npiFromText } from '../../vocabulary/identifiers.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, type Found } from './found.ts'
import { tableCells } from './table-columns.ts'

const nearby = 400

const hasBefore = (view: ContractView, at: number, words: RegExp, within = nearby) =>
  words.test(view.text.slice(Math.max(0, at - within), at))

/** NPIs: ten digits whose check digit holds, with the word near before them. */
export const npis = (view: ContractView): Found[] =>
  distinct(
    [...view.text.matchAll(/(?<![\d-])[12]\d{9}(?![\d-])/g)].flatMap(({ index: start, 0: value }) =>
      npiCheckDigitHolds(npiFromText(value) ?? 0) &&
      hasBefore(view, start, /\bNPIs?\b|National Provider Identif/i)
        ? [{ value, normalized: value, start, end: start + 10, rule: 'npis.named' }]
        : [],
    ),
  )

/** Taxpayer numbers: `12-3456789`, or nine digits, with a word for them near before. */
export const tins = (view: ContractView): Found[] =>
  distinct(
    [...view.text.matchAll(/(?<![\d-])(\d{2}-\d{7}|\d{9})(?![\d-])/g)].flatMap(
      ({ index: start, 0: value }) => {
        const normalized = value.replace('-', '')
        const named = hasBefore(
          view,
          start,
          /\b(TINs?|EIN|FEIN|Tax(payer)?\s+(I\.?D|Identification)|Employer\s+Identification|Federal\s+Tax)/i,
          value.includes('-') ? nearby : 60,
        )
        return named && !/^0+$/.test(normalized)
          ? [
              {
                value,
                normalized,
                start,
                end: start + value.length,
                rule: value.includes('-') ? 'tins.hyphenated' : 'tins.digits',
              },
            ]
          : []
      },
    ),
  )

const ccnWords = String.raw`\bCCNs?\b|\bCMS\s+Certification\s+(?:No\b\.?|Numbers?)|\bMedicare\s+(?:Provider|Certification)\s+(?:No\b\.?|Numbers?)|\bOSCAR\s+(?:No\b\.?|Numbers?)`
const ccnNumber = String.raw`\d{2}-?(?:\d|[STRZMUstrzmu])\d{3}`
const ccnNamed = new RegExp(
  String.raw`(?:${ccnWords})[^.;\d\n]{0,50}?(?<![\w-])(${ccnNumber}(?:(?:\s*,\s*|\s+and\s+)${ccnNumber})*)(?![\w-])`,
  'gi',
)

/** CMS certification numbers: named as such, or under the heading of a column. */
export function ccns(view: ContractView): Found[] {
  const found: Found[] = []
  const add = (value: string, start: number, rule: string) => {
    const normalized = value.replace('-', '').toUpperCase()
    if (Ccn.safeParse(normalized).success)
      found.push({ value, normalized, start, end: start + value.length, rule })
  }
  for (const match of view.text.matchAll(ccnNamed)) {
    const at = match.index + match[0].length - match[1]!.length
    for (const { index, 0: value } of match[1]!.matchAll(new RegExp(ccnNumber, 'g')))
      add(value, at + index, 'ccns.named')
  }
  for (const { heading, text, start } of tableCells(view))
    if (new RegExp(ccnWords, 'i').test(heading) && new RegExp(`^${ccnNumber}$`).test(text))
      add(text, start, 'ccns.column')
  return distinct(found)
}

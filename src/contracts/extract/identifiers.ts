import { Ccn, npiCheckDigitHolds, npiFromText } from '../../vocabulary/identifiers.ts'
import { taxonomies, taxonomyOf } from '../../vocabulary/taxonomy.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'

const nearby = 400

const hasBefore = (view: ContractView, at: number, words: RegExp, within = nearby) =>
  words.test(view.text.slice(Math.max(0, at - within), at))

/** NPIs: ten digits whose check digit holds, with the word near before them. */
export const npis = (view: ContractView): Found[] =>
  distinct(
    [...view.text.matchAll(/(?<![\d-])[12]\d{9}(?![\d-])/g)].flatMap(({ index: start, 0: value }) =>
      npiCheckDigitHolds(npiFromText(value) ?? 0) &&
      hasBefore(view, start, /\bNPIs?\b|National Provider Identif/i)
        ? [{ value, normalized: value, start, end: start + 10, confidence: 0.98 }]
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
                confidence: value.includes('-') ? 0.97 : 0.9,
              },
            ]
          : []
      },
    ),
  )

/** CMS certification numbers, named as such. */
export const ccns = (view: ContractView): Found[] =>
  distinct(
    [
      ...view.text.matchAll(
        /(?:\bCCNs?\b|CMS\s+Certification\s+(?:No\.?|Numbers?)|Medicare\s+Provider\s+(?:No\.?|Number)|OSCAR\s+(?:No\.?|Number))[\s:#()A-Z]{0,12}?((?:\d{2}-?\d{4}|\d{2}-?[STRZMU]\d{3})(?:(?:\s*,\s*|\s+and\s+)(?:\d{2}-?\d{4}))*)(?!\d)/g,
      ),
    ].flatMap((match) => {
      const at = match.index + match[0].length - match[1]!.length
      return [...match[1]!.matchAll(/\d{2}-?[\dSTRZMU]\d{3}/g)].flatMap(({ index, 0: value }) => {
        const normalized = value.replace('-', '')
        const start = at + index
        return Ccn.safeParse(normalized).success
          ? [{ value, normalized, start, end: start + value.length, confidence: 0.95 }]
          : []
      })
    }),
  )

const specialtyNames = new Map<string, string | undefined>()
for (const { code, classification, specialization, grouping } of taxonomies) {
  if (
    !/Physicians|Hospitals|Agencies|Ambulatory|Laboratories|Suppliers|Nursing|Therapy|Rehabilitative|Behavioral|Dental|Eye|Podiatric|Chiropractic/.test(
      grouping,
    )
  )
    continue
  if (specialization === '' && classification.length > 5)
    specialtyNames.set(classification.toLowerCase(), code)
}
for (const { code, specialization, grouping } of taxonomies)
  if (
    /Physicians/.test(grouping) &&
    specialization.length > 5 &&
    !specialtyNames.has(specialization.toLowerCase())
  )
    specialtyNames.set(specialization.toLowerCase(), code)
// How contracts say them, beside the names of the code set.
const spoken: Record<string, string> = {
  cardiology: '207RC0000X',
  gastroenterology: '207RG0100X',
  'orthopedic surgery': '207X00000X',
  orthopedics: '207X00000X',
  'obstetrics and gynecology': '207V00000X',
  'primary care': '208D00000X',
  'physical therapy': '225100000X',
  'diagnostic radiology': '2085R0202X',
  radiology: '2085R0202X',
  pathology: '207ZP0102X',
  psychiatry: '2084P0800X',
  neurology: '2084N0400X',
  'general surgery': '208600000X',
  'emergency medicine': '207P00000X',
  oncology: '207RX0202X',
  'medical oncology': '207RX0202X',
}
for (const [name, code] of Object.entries(spoken)) if (taxonomyOf(code)) specialtyNames.set(name, code)
const ambiguous = new Set([
  'hospice',
  'general practice',
  'specialist',
  'pharmacy',
  'laboratory',
  'counselor',
  'nutrition',
  'driver',
  'physician',
  'group',
])

const speakers =
  /special(?:ty|ties|ists?|izing|izes)|physicians?\b|services\s+of|practice\s+of|board[\s-]certified|department|professional\s+services|providers?\s+of/i

/** Specialties by name, where the sentence speaks of specialties. */
export function specialties(view: ContractView): Found[] {
  const names = [...specialtyNames.keys()]
    .filter((name) => !ambiguous.has(name))
    .sort((a, b) => b.length - a.length)
  const pattern = new RegExp(
    `\\b(?:${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+')).join('|')})\\b`,
    'gi',
  )
  return distinct(
    [...view.text.matchAll(pattern)].flatMap(({ index: start, 0: raw }) => {
      const end = start + raw.length
      const around = view.sentenceAround({ start, end })
      if (!speakers.test(view.text.slice(around.start, around.end))) return []
      const value = flat(raw)
      return [{ value, normalized: value.toLowerCase(), start, end, confidence: 0.85 }]
    }),
  )
}

/** Taxonomy codes that stand in the text, and those of specialties that have one. */
export function taxonomyCodes(view: ContractView, named: readonly Found[]): Found[] {
  const written = [...view.text.matchAll(/\b[0-9A-Z]{9}X\b/g)].flatMap(({ index: start, 0: value }) =>
    taxonomyOf(value) ? [{ value, normalized: value, start, end: start + 10, confidence: 0.98 }] : [],
  )
  const meant = named.flatMap((one) => {
    const normalized = specialtyNames.get(one.value.toLowerCase())
    return normalized ? [{ ...one, normalized, confidence: 0.7 }] : []
  })
  return distinct([...written, ...meant])
}

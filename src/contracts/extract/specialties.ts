import { taxonomies, taxonomyOf } from '../../vocabulary/taxonomy.ts'
import type { ContractView } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'

const groupings =
  /Physicians|Hospitals|Agencies|Ambulatory|Laboratories|Suppliers|Nursing|Therapy|Rehabilitative|Behavioral|Dental|Eye|Podiatric|Chiropractic/
const clinicians = /Physicians|Dental|Podiatric/

// How contracts say them, beside the names of the code set.
const spoken: Record<string, string> = {
  cardiology: '207RC0000X',
  gastroenterology: '207RG0100X',
  'orthopedic surgery': '207X00000X',
  orthopedics: '207X00000X',
  orthopaedics: '207X00000X',
  'physical therapy': '225100000X',
  'occupational therapy': '225X00000X',
  'speech therapy': '235Z00000X',
  'speech-language pathology': '235Z00000X',
  chiropractic: '111N00000X',
  podiatry: '213E00000X',
  optometry: '152W00000X',
  psychology: '103T00000X',
  'clinical psychology': '103TC0700X',
  radiology: '2085R0202X',
  pathology: '207ZP0102X',
  psychiatry: '2084P0800X',
  neurology: '2084N0400X',
  neurosurgery: '207T00000X',
  'general surgery': '208600000X',
  oncology: '207RX0202X',
  pulmonology: '207RP1001X',
  endocrinology: '207RE0101X',
  'colorectal surgery': '208C00000X',
}
const tooCommon = new Set(
  'dentist|chiropractor|hospice|general practice|specialist|pharmacy|laboratory|counselor|nutrition|driver|physician|group|clinic/center'.split(
    '|',
  ),
)

/** The names of specialties with their taxonomy code; undefined where a name stands for several codes. */
const codes = specialtyCodes()

function specialtyCodes(): Map<string, string | undefined> {
  const known = new Map<string, string | undefined>()
  const add = (name: string, code: string) => {
    if (name.length <= 5 || tooCommon.has(name)) return
    for (const variant of new Set([name, name.replaceAll(' & ', ' and ')])) {
      const other = known.get(variant)
      known.set(variant, known.has(variant) && other !== code ? undefined : code)
    }
  }
  for (const { code, classification, specialization, grouping } of taxonomies)
    if (specialization === '' && groupings.test(grouping)) add(classification.toLowerCase(), code)
  const classes = new Set(known.keys())
  for (const { code, specialization, grouping } of taxonomies)
    if (clinicians.test(grouping) && !classes.has(specialization.toLowerCase()))
      add(specialization.toLowerCase(), code)
  for (const [name, code] of Object.entries(spoken)) if (taxonomyOf(code)) known.set(name, code)
  return known
}

const pattern = new RegExp(
  String.raw`\b(?:${[...codes.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`))
    .join('|')})\b`,
  'gi',
)
const speakers =
  /special(?:ty|ties|ists?|i[sz](?:e|es|ing))|physicians?\b|services\s+of|practi[cs](?:e|es|ing)\s+(?:of|in|the|general)|\bpractic(?:e|es)\b|board[\s-]certified|department|professional\s+services|providers?\s+of|\bservices\s+are\b/i

/** Specialties by name, where the sentence speaks of specialties. */
export function specialties(view: ContractView): Found[] {
  return distinct(
    [...view.text.matchAll(pattern)].flatMap(({ index: start, 0: raw }) => {
      const range = { start, end: start + raw.length }
      if (!speakers.test(view.sentenceText(range)) || isPartOfName(view, range)) return []
      const value = flat(raw)
      return [{ value, normalized: value.toLowerCase(), ...range, rule: 'specialties.named' }]
    }),
  )
}

/** `Blue Ridge Cardiology Associates` is a name. */
const isPartOfName = ({ text }: ContractView, { start, end }: { start: number; end: number }) =>
  /^[A-Z]/.test(text.slice(start)) &&
  (/[A-Z][\w’'&-]*\s+$/.test(text.slice(Math.max(0, start - 30), start)) ||
    /^,?\s+(?:[A-Z][a-z]|P\.|LLC|Inc)/.test(text.slice(end, end + 12)))

/** Taxonomy codes that stand in the text, and those of specialties that have one. */
export function taxonomyCodes(view: ContractView, named: readonly Found[]): Found[] {
  const written = [...view.text.matchAll(/\b[0-9A-Z]{9}X\b/g)].flatMap(({ index: start, 0: value }) =>
    taxonomyOf(value) ? [{ value, normalized: value, start, end: start + 10, rule: 'taxonomies.code' }] : [],
  )
  const meant = named.flatMap((one) => {
    const normalized = codes.get(one.value.toLowerCase())
    return normalized ? [{ ...one, normalized, rule: 'taxonomies.specialty' }] : []
  })
  return distinct([...written, ...meant])
}

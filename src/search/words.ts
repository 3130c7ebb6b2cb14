import { distance } from 'fastest-levenshtein'

/**
 * The words of a name or of what a person types: lower case, accents and punctuation gone, common abbreviations
 * written out. Names and questions pass through the same function, so they meet in one spelling.
 */
export function words(text: string): string[] {
  return typedWords(text).map(longForm)
}

/** The words as they stand, abbreviations and all: what was typed last may be the beginning of a longer word. */
export const typedWords = (text: string) =>
  folded(text)
    .split(' ')
    .filter((word) => word !== '')

/** Text as bare lower-case letters and digits with single spaces between words; abbreviations stay as they are. */
export function folded(text: string): string {
  let plain = text.toLowerCase()
  if (plainAlready.test(plain)) return plain
  // Few names hold anything beyond ASCII; decomposing is the slow part.
  if (beyondAscii.test(plain)) {
    plain = plain
      .normalize('NFD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll(/[ßæœøłđ]/g, (letter) => spelled[letter] ?? letter)
  }
  return plain
    .replaceAll(apostrophes, '')
    .replaceAll('&', ' and ')
    .replaceAll(dottedInitials, (initials) => initials.replaceAll('.', ''))
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}

// oxlint-disable-next-line no-control-regex -- the range is ASCII itself
const beyondAscii = /[^\u0000-\u007F]/
/** Most names are letters and single spaces; they need no more folding. */
const plainAlready = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const apostrophes = /['’‘`´]/g
/** `M.D.`, `L.L.C.`, `J.P.`: one word, not three. */
const dottedInitials = /(?<![a-z0-9])(?:[a-z]\.)+[a-z]?(?![a-z0-9])/g
const spelled: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** How names of providers are shortened, in NPPES, CMS and payer files. The long form is the one that is indexed. */
const abbreviations: Record<string, string> = {
  saint: 'st ste sainte',
  saints: 'sts',
  mount: 'mt',
  fort: 'ft',
  medical: 'med medcl mdcl',
  medicine: 'medcn',
  center: 'ctr cntr centre cent cen',
  centers: 'ctrs cntrs centres',
  hospital: 'hosp hsp hospit hsptl',
  hospitals: 'hosps',
  university: 'univ unv',
  memorial: 'mem meml memrl',
  regional: 'reg regl rgnl',
  general: 'gen genl gnrl',
  community: 'comm cmty commty commun comnty',
  county: 'cnty cty',
  health: 'hlth hth',
  healthcare: 'hlthcare hlthcr healthcr',
  care: 'cre',
  services: 'svcs srvcs svs servs',
  service: 'svc srvc serv',
  systems: 'systs',
  system: 'sys syst',
  clinic: 'clin clnc',
  clinics: 'clins',
  associates: 'assoc assocs assc asso',
  association: 'assn',
  rehabilitation: 'rehab rehabil',
  physicians: 'phys physcns',
  physical: 'phy',
  therapy: 'thpy thrpy ther',
  therapeutics: 'therap',
  surgery: 'surg srgry',
  surgical: 'srgcl',
  orthopedic: 'ortho orthopaedic',
  orthopedics: 'orthopaedics',
  pediatric: 'paediatric ped',
  pediatrics: 'peds paediatrics',
  psychiatric: 'psych',
  behavioral: 'behav behavioural bhvrl',
  laboratory: 'lab',
  laboratories: 'labs',
  pharmacy: 'phcy pharm phmcy',
  department: 'dept',
  district: 'dist',
  national: 'natl',
  international: 'intl',
  american: 'amer',
  institute: 'inst',
  management: 'mgmt mgt',
  group: 'grp',
  family: 'fam fmly',
  practice: 'prac',
  veterans: 'vets',
  emergency: 'emerg',
  ambulatory: 'amb ambul',
  children: 'childrn',
  childrens: 'chldrns childrns',
  north: 'n no',
  south: 's so',
  east: 'e',
  west: 'w',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
}

/** One letter may be a person's initial, and these two letters a state's code, so points of the compass stay short. */
const ambiguous = new Set(['n', 's', 'e', 'w', 'ne', 'no', 'so'])

const writtenOut = new Map(
  Object.entries(abbreviations).flatMap(([long, short]) =>
    short
      .split(' ')
      .filter((word) => !ambiguous.has(word))
      .map((word) => [word, long] as const),
  ),
)

/** What an abbreviation stands for; the word itself where it is none. */
export const longForm = (word: string) => writtenOut.get(word) ?? word

const shortForms = [...writtenOut.keys()].filter((short) => !(short in abbreviations))

/** What abbreviations one slip away from a typed word stand for: `rehag` means `rehab`, hence rehabilitation. */
export const longFormsNear = (typed: string): string[] =>
  shortForms.filter((short) => short !== typed && isOneSlip(short, typed)).map(longForm)

const isOneSlip = (one: string, other: string) =>
  Math.abs(one.length - other.length) < 2 &&
  (distance(one, other) === 1 || (one.length === other.length && sortedLetters(one) === sortedLetters(other)))

const sortedLetters = (word: string) => word.split('').sort().join('')

/**
 * Words that a name may have or lack without being another name: they help to order answers and are never required
 * while another word is there. `a` and `an` are not among them: they are initials and beginnings.
 */
const light = new Set(
  (
    'the of and at for in inc llc pllc llp lp pc ltd corp corporation incorporated company plc ' +
    'md do np pa rn dds dmd phd dpm od dc lcsw lpc lmft aprn crna fnp dnp pt dpt ot otr slp bcba jr sr ii iii iv'
  ).split(' '),
)

export const isLight = (word: string) => light.has(word)

/** The first letters of a name of three words or more (`mgh`), as people call hospitals; undefined for shorter names. */
export function initials(nameWords: readonly string[]): string | undefined {
  const heavy = nameWords.filter((word) => !light.has(word))
  return heavy.length < 3 ? undefined : heavy.map((word) => word[0]).join('')
}

/** One number for a set of words, whatever their order: names that consist of the same words share it. */
export function nameKey(nameWords: readonly string[]): string {
  const heavy = nameWords.filter((word) => !light.has(word))
  const sorted = (heavy.length > 0 ? heavy : [...nameWords]).sort()
  // Two 32-bit FNV-1a rounds with different seeds: 53 bits are ample for ten million names.
  let low = 0x811c9dc5
  let high = 0x1b873593
  let before: string | undefined
  for (const word of sorted) {
    if (word === before) continue
    before = word
    for (let place = 0; place < word.length; place++) {
      const unit = word.charCodeAt(place)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ unit, 0x85ebca6b)
    }
    low = Math.imul(low ^ 32, 0x01000193)
    high = Math.imul(high ^ 32, 0x85ebca6b)
  }
  return ((high >>> 11) * 0x1_0000_0000 + (low >>> 0)).toString(36)
}

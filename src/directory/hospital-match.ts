import type { ListedHospital, ListedSystem } from './hospital-files.ts'

/** How a hospital of one list was found in another. */
export type MatchedBy = 'ccn' | 'name and ZIP' | 'address and state'

export interface SystemMatch {
  readonly entry: ListedSystem
  readonly by: MatchedBy
}

const nameWords: Readonly<Record<string, string>> = {
  SAINT: 'ST',
  HOSPITALS: 'HOSPITAL',
  HOSP: 'HOSPITAL',
  CTR: 'CENTER',
  CENTRE: 'CENTER',
  MED: 'MEDICAL',
  MEM: 'MEMORIAL',
  UNIV: 'UNIVERSITY',
  REG: 'REGIONAL',
  THE: '',
  AND: '',
  OF: '',
  INC: '',
  LLC: '',
}

const streetWords: Readonly<Record<string, string>> = {
  STREET: 'ST',
  AVENUE: 'AVE',
  AV: 'AVE',
  BOULEVARD: 'BLVD',
  DRIVE: 'DR',
  ROAD: 'RD',
  LANE: 'LN',
  COURT: 'CT',
  PLACE: 'PL',
  HIGHWAY: 'HWY',
  PARKWAY: 'PKWY',
  CIRCLE: 'CIR',
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
  NORTHWEST: 'NW',
  NORTHEAST: 'NE',
  SOUTHWEST: 'SW',
  SOUTHEAST: 'SE',
  FIRST: '1ST',
  SECOND: '2ND',
  THIRD: '3RD',
}

const folded = (text: string, words: Readonly<Record<string, string>>) =>
  text
    .toUpperCase()
    .replaceAll("'", '')
    .split(/[^A-Z0-9]+/)
    .map((word) => words[word] ?? word)
    .join('')

const nameKey = (name: string, zip: string) =>
  name === '' || zip === '' ? '' : `${folded(name, nameWords)} ${zip}`

/** A street without a number is no address. */
const addressKey = (street: string, state: string) =>
  /\d/.test(street) && state !== '' ? `${folded(street, streetWords)} ${state}` : ''

/** What hospitals are commonly called; a word shared beyond these tells that two names mean the same one. */
const commonWords = new Set(
  (
    'HOSPITAL HOSPITALS MEDICAL CENTER CENTERS HEALTH HEALTHCARE CARE SYSTEM SYSTEMS SERVICES REGIONAL COMMUNITY ' +
    'MEMORIAL GENERAL COUNTY DISTRICT VALLEY UNIVERSITY CLINIC CAMPUS NORTH SOUTH EAST WEST ST SPECIALTY BEHAVIORAL ' +
    'PSYCHIATRIC REHABILITATION CHILDRENS SURGICAL AUTHORITY CORPORATION GROUP AT FOR A DBA VA PA LP LLP'
  ).split(' '),
)
const tellingWords = (name: string) =>
  name
    .toUpperCase()
    .replaceAll("'", '')
    .split(/[^A-Z0-9]+/)
    .map((word) => nameWords[word] ?? word)
    .filter((word) => word !== '' && !commonWords.has(word))

const shareName = (one: string, other: string) => {
  const told = new Set(tellingWords(one))
  return tellingWords(other).some((word) => told.has(word))
}

/** Which types of the HIFLD list a CMS hospital type goes with. A type that stands in neither list goes with any. */
const fittingTypes: Readonly<Record<string, readonly string[]>> = {
  'Acute Care Hospitals': ['GENERAL ACUTE CARE', 'CRITICAL ACCESS', 'SPECIAL', 'WOMEN'],
  'Critical Access Hospitals': ['CRITICAL ACCESS', 'GENERAL ACUTE CARE'],
  'Rural Emergency Hospital': ['GENERAL ACUTE CARE', 'CRITICAL ACCESS'],
  Psychiatric: ['PSYCHIATRIC', 'SPECIAL'],
  Childrens: ['CHILDREN'],
  'Long-term': ['LONG TERM CARE', 'CHRONIC DISEASE'],
  'Acute Care - Veterans Administration': ['MILITARY', 'GENERAL ACUTE CARE'],
  'Acute Care - Department of Defense': ['MILITARY', 'GENERAL ACUTE CARE'],
}
const listedTypes = new Set(
  'GENERAL ACUTE CARE,CRITICAL ACCESS,PSYCHIATRIC,REHABILITATION,LONG TERM CARE,MILITARY,CHILDREN,WOMEN,CHRONIC DISEASE'.split(
    ',',
  ),
)
const typesFit = (cmsType: string, listedType: string) =>
  !listedTypes.has(listedType) || (fittingTypes[cmsType]?.includes(listedType) ?? true)

/**
 * Whether two records of one address are one hospital. A street of the same name and number may lie in another town of
 * the state, and one building may house two hospitals (a long-term or a children's hospital inside a general one): the
 * name decides where place or type speak against it.
 */
const isSameHospital = (hospital: ListedHospital, entry: ListedSystem) => {
  const isNear = hospital.zip === entry.zip || folded(hospital.city, {}) === folded(entry.city ?? '', {})
  const fits = typesFit(hospital.type, entry.type ?? '')
  return (isNear && fits) || shareName(hospital.name, entry.name)
}

/**
 * Finds beds and health system of a hospital: by CCN where the list has one, else by name and ZIP, else by address and
 * state where nothing speaks against it. Of several entries under one key the open one that says more is taken.
 */
export function systemMatcher(
  systems: readonly ListedSystem[],
  hospitals: readonly ListedHospital[],
): (hospital: ListedHospital) => SystemMatch | undefined {
  const byCcn = new Map<string, ListedSystem[]>()
  const byName = new Map<string, ListedSystem[]>()
  const byAddress = new Map<string, ListedSystem[]>()
  const worth = ({ isOpen, system, beds }: ListedSystem) =>
    (isOpen ? 4 : 0) + (system === '' ? 0 : 2) + (beds > 0 ? 1 : 0)
  const add = (map: Map<string, ListedSystem[]>, key: string, entry: ListedSystem) => {
    const known = map.get(key)
    if (known !== undefined) known.push(entry)
    else if (key !== '') map.set(key, [entry])
  }
  for (const entry of systems.toSorted((a, b) => worth(b) - worth(a))) {
    add(byCcn, entry.ccn, entry)
    add(byName, nameKey(entry.name, entry.zip), entry)
    add(byAddress, addressKey(entry.street, entry.state), entry)
  }
  // A namesake of the same type first: a hospital and its psychiatric unit bear one name.
  const fitting = (entries: readonly ListedSystem[], { type }: ListedHospital) =>
    entries.find((entry) => typesFit(type, entry.type ?? '')) ?? entries[0]
  const named = (hospital: ListedHospital) =>
    fitting(byName.get(nameKey(hospital.name, hospital.zip)) ?? [], hospital)
  // What one hospital has by its name, its neighbour on the same grounds does not have by the address.
  const taken = new Set(hospitals.map(named))
  return (hospital) => {
    const { ccn, name, street, state } = hospital
    const there = (byAddress.get(addressKey(street, state)) ?? []).filter((entry) =>
      isSameHospital(hospital, entry),
    )
    const alike = there.filter((entry) => shareName(name, entry.name))
    const free = there.filter((entry) => !taken.has(entry))
    const found: readonly (readonly [ListedSystem | undefined, MatchedBy])[] = [
      [byCcn.get(ccn)?.[0], 'ccn'],
      [named(hospital), 'name and ZIP'],
      [fitting(alike, hospital) ?? fitting(free, hospital), 'address and state'],
    ]
    for (const [entry, by] of found) if (entry !== undefined) return { entry, by }
    return undefined
  }
}

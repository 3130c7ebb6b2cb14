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

/**
 * Finds beds and health system of a hospital: by CCN where the list has one, else by name and ZIP, else by address and
 * state. Of several entries under one key the open one that says more is taken.
 */
export function systemMatcher(
  systems: readonly ListedSystem[],
): (hospital: ListedHospital) => SystemMatch | undefined {
  const byCcn = new Map<string, ListedSystem>()
  const byName = new Map<string, ListedSystem>()
  const byAddress = new Map<string, ListedSystem>()
  const worth = ({ isOpen, system, beds }: ListedSystem) =>
    (isOpen ? 4 : 0) + (system === '' ? 0 : 2) + (beds > 0 ? 1 : 0)
  const add = (map: Map<string, ListedSystem>, key: string, entry: ListedSystem) => {
    const known = map.get(key)
    if (key !== '' && (known === undefined || worth(entry) > worth(known))) map.set(key, entry)
  }
  for (const entry of systems) {
    add(byCcn, entry.ccn, entry)
    add(byName, nameKey(entry.name, entry.zip), entry)
    add(byAddress, addressKey(entry.street, entry.state), entry)
  }
  return ({ ccn, name, zip, street, state }) => {
    const found: readonly (readonly [ListedSystem | undefined, MatchedBy])[] = [
      [byCcn.get(ccn), 'ccn'],
      [byName.get(nameKey(name, zip)), 'name and ZIP'],
      [byAddress.get(addressKey(street, state)), 'address and state'],
    ]
    for (const [entry, by] of found) if (entry !== undefined) return { entry, by }
    return undefined
  }
}

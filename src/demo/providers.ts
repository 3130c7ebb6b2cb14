import { npiCheckDigitHolds } from '../vocabulary/identifiers.ts'
import type { Family } from './codes.ts'
import { demoStates, type DemoState } from './places.ts'
import { Random } from './random.ts'
import { facilities, groupTaxonomies, hospitalTaxonomy, specialties, type Specialty } from './specialties.ts'

/** A provider of the demo. Its NPI has a valid check digit and begins with 2999, a range that no one has been given. */
export interface DemoProvider {
  readonly npi: number
  readonly kind: 'individual' | 'group' | 'facility' | 'hospital'
  readonly name: string
  readonly lastName: string
  readonly firstName: string
  readonly credential: string
  readonly taxonomy: string
  readonly state: DemoState
  readonly place: readonly [zip: string, city: string, county: string]
  readonly street: string
  readonly phone: string
  /** Of hospitals: certification numbers 0880 to 0899 of a state are set aside for demonstrations. */
  readonly ccn: string
  readonly system: string
  readonly beds: number
}

/** Everybody who bills under one TIN. EINs beginning with 89 are not given out. */
export interface DemoPractice {
  readonly tin: string
  readonly name: string
  readonly kind: 'group' | 'facility' | 'hospital'
  readonly state: DemoState
  /** Hospitals of one system bargain together. */
  readonly system: string
  readonly npis: readonly number[]
  readonly families: ReadonlySet<Family>
}

export interface DemoWorld {
  readonly providers: readonly DemoProvider[]
  readonly practices: readonly DemoPractice[]
}

const providersTotal = 5_000
const hospitalsPerState = 12
const groupsPerHundred = 560
const facilitiesPerState = 15

const firstNames =
  'Ada Amir Ana Ben Carla Chen Dara Diego Elena Emil Farah Felix Grace Hana Hugo Ines Ivan Jada Jonas Kavya Kofi Lara Leo Maya Milo Nadia Noor Olga Omar Paula Petra Quinn Rafael Rosa Samir Sofia Tara Theo Uma Viktor Wei Yara Zane'.split(
    ' ',
  )
const lastNames =
  'Abbey Alder Amberg Ashby Barrow Beckett Birch Bramley Calder Carver Colby Dalton Denholm Dunmore Easton Elmwood Fairley Farrow Fenwick Garland Garrick Hadley Harrow Holloway Ingram Jessop Kendrick Kirkwood Langley Larkin Linden Marlow Merrick Norwood Oakley Orchard Penrose Quimby Radford Rowan Selwyn Sheldon Stanton Thornby Underhill Vance Wakefield Weston Yardley Yarrow'.split(
    ' ',
  )
const placeWords =
  'Harbor Summit Valley Riverside Lakeview Prairie Cedar Maple Granite Meadow Coral Sunrise'.split(' ')
const streets = 'Example Sample Placeholder Specimen Mockup Fictional'.split(' ')

/** The nth NPI of the demo. */
export function demoNpi(n: number): number {
  const nine = 299_900_000 + n
  for (let digit = 0; digit < 10; digit++) if (npiCheckDigitHolds(nine * 10 + digit)) return nine * 10 + digit
  throw new Error('every number has a check digit')
}

export const demoTin = (n: number) => `89${String(1_000_000 + n)}`

/** The 5,000 providers of the demo and the practices they bill through: always the same ones. */
export function demoWorld(): DemoWorld {
  const random = new Random('providers')
  const providers: DemoProvider[] = []
  const practices: DemoPractice[] = []

  const provider = (
    kind: DemoProvider['kind'],
    state: DemoState,
    taxonomy: string,
    more: Partial<DemoProvider>,
  ) => {
    const n = providers.length + 1
    const made: DemoProvider = {
      npi: demoNpi(n),
      kind,
      name: '',
      lastName: '',
      firstName: '',
      credential: '',
      taxonomy,
      state,
      place: random.pick(state.places),
      street: `${100 + random.below(900)} ${random.pick(streets)} St`,
      phone: `555${String(1_000_000 + random.below(8_999_999)).slice(0, 7)}`,
      ccn: '',
      system: '',
      beds: 0,
      ...more,
    }
    providers.push(made)
    return made
  }
  const practice = (made: Omit<DemoPractice, 'tin'>) =>
    practices.push({ tin: demoTin(practices.length + 1), ...made })

  for (const state of demoStates) {
    for (let i = 0; i < hospitalsPerState; i++) {
      const system = `Demo ${state.state} ${placeWords[Math.floor(i / 3)]} Health System`
      const name = `Demo ${placeWords[i % placeWords.length]} Hospital of ${random.pick(state.places)[1]}`
      const hospital = provider('hospital', state, hospitalTaxonomy, {
        name: `${name} (Synthetic)`,
        ccn: `${state.ccnPrefix}${String(880 + i).padStart(4, '0')}`,
        system,
        beds: 60 + random.below(600),
      })
      practice({
        name: hospital.name,
        kind: 'hospital',
        state,
        system,
        npis: [hospital.npi],
        families: new Set<Family>(),
      })
    }
    for (let i = 0; i < facilitiesPerState; i++) {
      const what = facilities[i % facilities.length] as Specialty
      const facility = provider('facility', state, what.taxonomy, {
        name: `Demo ${placeWords[i % placeWords.length]} ${what.word} ${state.state}-${i + 1} (Synthetic)`,
      })
      practice({
        name: facility.name,
        kind: 'facility',
        state,
        system: '',
        npis: [facility.npi],
        families: new Set(what.families),
      })
    }
  }

  const groups = demoStates.flatMap((state) =>
    Array.from({ length: Math.round((groupsPerHundred * state.weight) / 100) }, (_, i) =>
      newGroup(random, state, i, provider),
    ),
  )
  // Everybody finds a practice; after one round, chance makes some large.
  for (let member = 0; providers.length < providersTotal; member++)
    addMember(random, groups[member] ?? random.pick(groups), provider)
  for (const { state, name, npis, families } of groups)
    practice({ name, kind: 'group', state, system: '', npis, families })
  return { providers, practices }
}

interface Group {
  readonly state: DemoState
  readonly name: string
  readonly specialties: readonly Specialty[]
  readonly npis: number[]
  readonly families: Set<Family>
}

type Maker = (
  kind: DemoProvider['kind'],
  state: DemoState,
  taxonomy: string,
  more: Partial<DemoProvider>,
) => DemoProvider

const weighted: readonly Specialty[] = specialties.flatMap((each) => Array<Specialty>(each.weight).fill(each))

function newGroup(random: Random, state: DemoState, i: number, provider: Maker): Group {
  // The first groups of a state take the specialties in turn, so that each is met somewhere; two in ten have several.
  const first = specialties[(i * 3 + state.weight) % specialties.length] as Specialty
  const several = i % 5 === 0
  const kinds = several ? [first, random.pick(weighted), random.pick(weighted)] : [first]
  const what = several ? 'Medical Group' : `${first.word} Associates`
  const name = `Demo ${random.pick(placeWords)} ${what} ${state.state}-${i + 1} (Synthetic)`
  const taxonomy = several ? groupTaxonomies.several : groupTaxonomies.single
  const made = provider('group', state, taxonomy, { name })
  return { state, name, specialties: kinds, npis: [made.npi], families: new Set() }
}

function addMember(random: Random, group: Group, provider: Maker): void {
  const practised = random.pick(group.specialties)
  const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
  const made = provider('individual', group.state, practised.taxonomy, {
    name: `${firstName} ${lastName}`,
    firstName,
    lastName,
    credential: practised.credential,
  })
  group.npis.push(made.npi)
  for (const family of practised.families) group.families.add(family)
}

import { categoryOfFacilityType, ccnParts, facilityTypeOfHospitalType } from '../vocabulary/ccn.ts'
import type { Enrolment, HospitalInputs, ListedHospital } from './hospital-files.ts'
import { systemMatcher, type MatchedBy } from './hospital-match.ts'
import type { hospitalColumns } from './tables.ts'

/** A row of the hospital table, ready to be stored. */
export type HospitalRow = { readonly [Column in keyof typeof hospitalColumns]: unknown }

interface NpiLink {
  readonly npi: number
  readonly matched_by: 'PECOS CCN' | 'PECOS sub-unit of this CCN'
  readonly organization: string | null
  readonly doing_business_as: string | null
}

export interface HospitalBuild {
  readonly rows: readonly HospitalRow[]
  readonly counts: Readonly<Record<string, number>>
}

/** Joins the lists: every listed hospital, then every CCN that only the enrolments know. */
export function hospitalRows({ general, enrolments, systems }: HospitalInputs): HospitalBuild {
  const byCcn = new Map<string, Enrolment[]>()
  const unitsOf = new Map<string, Enrolment[]>()
  const push = (map: Map<string, Enrolment[]>, key: string, enrolment: Enrolment) =>
    map.set(key, [...(map.get(key) ?? []), enrolment])
  for (const enrolment of enrolments) {
    push(byCcn, enrolment.ccn, enrolment)
    const parent = parentOf(enrolment)
    if (parent !== '' && parent !== enrolment.ccn) push(unitsOf, parent, enrolment)
  }
  const listed = new Map(general.map((hospital) => [hospital.ccn, hospital]))
  const matchOf = systemMatcher(systems, general)
  const ways = new Map<MatchedBy, number>()
  const rows: HospitalRow[] = []
  for (const ccn of new Set([...listed.keys(), ...byCcn.keys()])) {
    const own = byCcn.get(ccn) ?? []
    const hospital = listed.get(ccn) ?? hospitalOfEnrolment(ccn, own)
    const match = matchOf(hospital)
    if (match !== undefined && listed.has(ccn)) ways.set(match.by, (ways.get(match.by) ?? 0) + 1)
    const npis = npiLinks(own, unitsOf.get(ccn) ?? [])
    const parts = ccnParts(ccn)
    // Rural emergency hospitals keep the number they had as short-term ones: CMS's own word goes first.
    const facilityType = facilityTypeOfHospitalType(hospital.type) ?? parts?.facilityType
    rows.push({
      ccn,
      name: hospital.name,
      street: hospital.street || null,
      city: hospital.city || null,
      state: hospital.state || null,
      zip: hospital.zip || null,
      county: hospital.county || null,
      phone: hospital.phone.replaceAll(/\D/g, '') || null,
      provider_type: hospital.type || facilityType || null,
      ownership: hospital.ownership || null,
      emergency: hospital.emergency === '' ? null : /^y/i.test(hospital.emergency),
      care_quality: /^[1-5]$/.test(hospital.rating) ? Number(hospital.rating) : null,
      // The lists count the beds of the whole house; a unit of it has fewer.
      bed_count:
        match === undefined || match.entry.beds === 0 || parts?.category === 'Unit' ? null : match.entry.beds,
      health_system: match?.entry.system || null,
      matched_by: match?.by ?? null,
      npis,
      npi: npis.find(({ matched_by: by }) => by === 'PECOS CCN')?.npi ?? null,
      other_names: otherNames(hospital.name, own),
      ccn_state: parts?.state ?? null,
      ccn_category: facilityType === undefined ? null : categoryOfFacilityType(facilityType),
      ccn_facility_type: facilityType ?? null,
      ccn_unit: parts?.category === 'Unit' ? parts.facilityType : null,
      parent_ccn:
        own.map(parentOf).find((parent) => parent !== '' && parent !== ccn) ?? parts?.hospital ?? null,
      in_general_information: listed.has(ccn),
    })
  }
  return {
    rows,
    counts: {
      listed: listed.size,
      fromEnrolmentsOnly: rows.length - listed.size,
      listedWithNpi: rows.filter((row) => row.in_general_information === true && row.npi !== null).length,
      matchedByCcn: ways.get('ccn') ?? 0,
      matchedByNameAndZip: ways.get('name and ZIP') ?? 0,
      matchedByAddressAndState: ways.get('address and state') ?? 0,
      withHealthSystem: rows.filter(
        (row) => row.in_general_information === true && row.health_system !== null,
      ).length,
      withBeds: rows.filter((row) => row.in_general_information === true && row.bed_count !== null).length,
    },
  }
}

const parentOf = ({ ccn, parent }: Enrolment) => parent || (ccnParts(ccn)?.hospital ?? '')

function hospitalOfEnrolment(ccn: string, own: readonly Enrolment[]): ListedHospital {
  const main = own.find(({ isMainLocation }) => isMainLocation) ?? own[0]
  return {
    ccn,
    name: main?.doingBusinessAs || main?.organization || '',
    street: main?.street ?? '',
    city: main?.city ?? '',
    state: main?.state ?? '',
    zip: main?.zip ?? '',
    county: '',
    phone: '',
    type: '',
    ownership: '',
    emergency: '',
    rating: '',
  }
}

/** Distinct NPIs: those of the CCN itself first, its main location at the head, then those of its units. */
function npiLinks(own: readonly Enrolment[], units: readonly Enrolment[]): NpiLink[] {
  const links = new Map<number, NpiLink>()
  const add = (enrolment: Enrolment, matchedBy: NpiLink['matched_by']) => {
    if (!links.has(enrolment.npi))
      links.set(enrolment.npi, {
        npi: enrolment.npi,
        matched_by: matchedBy,
        organization: enrolment.organization || null,
        doing_business_as: enrolment.doingBusinessAs || null,
      })
  }
  for (const enrolment of own) if (enrolment.isMainLocation) add(enrolment, 'PECOS CCN')
  for (const enrolment of own) add(enrolment, 'PECOS CCN')
  for (const enrolment of units) add(enrolment, 'PECOS sub-unit of this CCN')
  return [...links.values()]
}

function otherNames(name: string, own: readonly Enrolment[]): string[] {
  const names = own.flatMap(({ organization, doingBusinessAs }) => [doingBusinessAs, organization])
  return [...new Set(names)].filter((other) => other !== '' && other.toUpperCase() !== name.toUpperCase())
}

import type { z } from 'zod'
import { ccnStates } from './ccn-states.ts'
import { choice } from './choice.ts'
import type { State } from './enums.ts'
import type { Ccn } from './identifiers.ts'

/** The broad kinds of certified provider. */
export const ccnCategories = [
  'Hospital',
  'Unit',
  'Clinic',
  'Dialysis',
  'Home health',
  'Hospice',
  'Skilled nursing',
  'Other',
] as const
export const CcnCategory = choice('CCN category', ccnCategories).describe(
  'Broad kind of a certified provider. Unit = a psychiatric or rehabilitation unit, or swing beds, of a hospital with its own number',
)
export type CcnCategory = z.infer<typeof CcnCategory>

const categories = {
  'Short-term acute': 'Hospital',
  'Critical access': 'Hospital',
  'Rural emergency': 'Hospital',
  'Long-term care': 'Hospital',
  Psychiatric: 'Hospital',
  Rehabilitation: 'Hospital',
  "Children's": 'Hospital',
  "Children's psychiatric": 'Hospital',
  'Religious non-medical': 'Hospital',
  'Medical assistance': 'Hospital',
  Tuberculosis: 'Hospital',
  'Alcohol and drug': 'Hospital',
  'Medical complex component': 'Hospital',
  Federal: 'Hospital',
  'Emergency only': 'Hospital',
  'Psychiatric unit': 'Unit',
  'Rehabilitation unit': 'Unit',
  'Alcohol and drug unit': 'Unit',
  'Swing beds': 'Unit',
  'Federally qualified health center': 'Clinic',
  'Rural health clinic': 'Clinic',
  'Community mental health center': 'Clinic',
  'Comprehensive outpatient rehabilitation': 'Clinic',
  'Outpatient physical therapy': 'Clinic',
  'Opioid treatment program': 'Clinic',
  'Dialysis facility': 'Dialysis',
  'Home health agency': 'Home health',
  Hospice: 'Hospice',
  'Skilled nursing facility': 'Skilled nursing',
  'Nursing facility': 'Skilled nursing',
  'Intermediate care facility': 'Other',
  'Psychiatric residential treatment': 'Other',
  'Transplant center': 'Other',
  'Organ procurement': 'Other',
  Reserved: 'Other',
} as const satisfies Record<string, CcnCategory>
export type CcnFacilityType = keyof typeof categories

/** What a certified provider is. */
export const ccnFacilityTypes = Object.keys(categories) as [CcnFacilityType, ...CcnFacilityType[]]
export const CcnFacilityType = choice('CCN facility type', ccnFacilityTypes).describe(
  'What a certified provider is, as its number says (Rural emergency: as CMS lists it; such hospitals keep short-term numbers)',
)

export const categoryOfFacilityType = (type: CcnFacilityType): CcnCategory => categories[type]

/** What the last four digits mean: each type up to and including this number. */
const medicareRanges: readonly (readonly [number, CcnFacilityType])[] = [
  [0, 'Reserved'],
  // 0880-0899 were set aside for demonstrations; those in use today are ordinary acute hospitals.
  [899, 'Short-term acute'],
  [999, 'Medical complex component'],
  [1199, 'Federally qualified health center'],
  [1224, 'Alcohol and drug'],
  [1299, 'Medical assistance'],
  [1399, 'Critical access'],
  [1499, 'Community mental health center'],
  [1799, 'Hospice'],
  [1989, 'Federally qualified health center'],
  [1999, 'Religious non-medical'],
  [2299, 'Long-term care'],
  [2999, 'Dialysis facility'],
  [3024, 'Tuberculosis'],
  [3099, 'Rehabilitation'],
  [3199, 'Home health agency'],
  [3299, 'Comprehensive outpatient rehabilitation'],
  [3399, "Children's"],
  [3499, 'Rural health clinic'],
  [3799, 'Dialysis facility'],
  [3999, 'Rural health clinic'],
  [4499, 'Psychiatric'],
  [4599, 'Comprehensive outpatient rehabilitation'],
  [4799, 'Community mental health center'],
  [4899, 'Comprehensive outpatient rehabilitation'],
  [4999, 'Community mental health center'],
  [6499, 'Skilled nursing facility'],
  [6989, 'Outpatient physical therapy'],
  [6999, 'Reserved'],
  [8499, 'Home health agency'],
  [8999, 'Rural health clinic'],
  [9799, 'Home health agency'],
  [9899, 'Transplant center'],
  [9999, 'Opioid treatment program'],
]

/** What the last three digits of a hospital that only Medicaid certifies mean. */
const medicaidHospitalRanges: readonly (readonly [number, CcnFacilityType])[] = [
  [0, 'Reserved'],
  [99, 'Short-term acute'],
  [199, "Children's"],
  [299, "Children's psychiatric"],
  [399, 'Psychiatric'],
  [499, 'Rehabilitation'],
  [599, 'Long-term care'],
  [999, 'Reserved'],
]

const typeIn = (ranges: typeof medicareRanges, number: number) =>
  ranges.find(([last]) => number <= last)?.[1] ?? 'Reserved'

/** A letter in the third place of a unit: what it is, and the digit that stands there in its hospital's own number. */
const units: Readonly<Record<string, readonly [CcnFacilityType, string]>> = {
  M: ['Psychiatric unit', '1'],
  R: ['Rehabilitation unit', '1'],
  S: ['Psychiatric unit', '0'],
  T: ['Rehabilitation unit', '0'],
  U: ['Swing beds', '0'],
  V: ['Alcohol and drug unit', '0'],
  W: ['Swing beds', '2'],
  Y: ['Swing beds', '3'],
  Z: ['Swing beds', '1'],
}

/** A letter in the fourth place of a unit: its hospital is itself outside the short-term range and begins its last four so. */
const specialtyParents: Readonly<Record<string, string>> = {
  A: '20',
  B: '21',
  C: '22',
  D: '30',
  E: '33',
  F: '40',
  G: '41',
  H: '42',
  J: '43',
  K: '44',
}

const medicaidOnlyTypes: Readonly<Record<string, CcnFacilityType>> = {
  A: 'Nursing facility',
  B: 'Nursing facility',
  E: 'Nursing facility',
  F: 'Nursing facility',
  G: 'Intermediate care facility',
  H: 'Intermediate care facility',
  K: 'Home health agency',
  L: 'Psychiatric residential treatment',
}

/** What the places of a CCN say. */
export interface CcnParts {
  readonly stateCode: string
  /** Absent for foreign providers and for codes newer than our list. */
  readonly state?: State
  readonly facilityType: CcnFacilityType
  readonly category: CcnCategory
  /** For a unit or swing beds: the number of the hospital they belong to. */
  readonly hospital?: Ccn
  /** Paid by Medicare for emergencies only. Federal ones are run by Veterans Affairs or the Department of Defense. */
  readonly emergency?: 'federal' | 'non-federal'
  /** Certified for Medicaid and not for Medicare. */
  readonly medicaidOnly?: true
}

/** The six-character number in a text; CMS lists append one to three characters for a campus, which are left off. Never padded. */
export function ccnFromText(text: string): Ccn | undefined {
  const [, ccn] = /^([0-9A-Z]\d[0-9A-Z]{2}\d[0-9EF])[0-9A-Z]{0,3}$/.exec(text.trim().toUpperCase()) ?? []
  return ccn as Ccn | undefined
}

/** What a CCN's positions mean: state (2), then type and sequence (4). Undefined where the text has not the shape of one. */
export function ccnParts(ccn: string): CcnParts | undefined {
  const [, stateCode, rest = ''] = /^([0-9A-Z]\d)([0-9A-Z]{2}\d[0-9EF])$/.exec(ccn) ?? []
  const kind = stateCode && kindOf(stateCode, rest)
  if (!kind) return undefined
  const state = ccnStates.get(stateCode)
  return { stateCode, ...(state && { state }), category: categories[kind.facilityType], ...kind }
}

type Kind = Pick<CcnParts, 'facilityType' | 'hospital' | 'emergency' | 'medicaidOnly'>

function kindOf(stateCode: string, rest: string): Kind | undefined {
  const letter = rest.charAt(0)
  if (/^\d{4}$/.test(rest)) return { facilityType: typeIn(medicareRanges, Number(rest)) }
  if (/^\d{3}F$/.test(rest)) return { facilityType: 'Federal', emergency: 'federal' }
  if (/^\d{3}E$/.test(rest)) return { facilityType: 'Emergency only', emergency: 'non-federal' }
  const [facilityType, digit] = units[letter] ?? []
  if (facilityType && digit) {
    const parent = /^.\d{3}$/.test(rest)
      ? digit + rest.slice(1)
      : /^[ST][A-HJK]\d\d$/.test(rest) && `${specialtyParents[rest.charAt(1)]}${rest.slice(2)}`
    return parent ? { facilityType, hospital: `${stateCode}${parent}` as Ccn } : undefined
  }
  if (!/^.\d{3}$/.test(rest)) return undefined
  if (letter === 'P') return { facilityType: 'Organ procurement' }
  if (letter === 'J')
    return { facilityType: typeIn(medicaidHospitalRanges, Number(rest.slice(1))), medicaidOnly: true }
  const medicaidOnly = medicaidOnlyTypes[letter]
  return medicaidOnly && { facilityType: medicaidOnly, medicaidOnly: true }
}

/** The facility type that the Hospital Type column of CMS's hospital list means; undefined for a word it did not use when this was written. */
export const facilityTypeOfHospitalType = (hospitalType: string): CcnFacilityType | undefined =>
  hospitalTypes[hospitalType]

const hospitalTypes: Readonly<Record<string, CcnFacilityType>> = {
  'Acute Care Hospitals': 'Short-term acute',
  'Critical Access Hospitals': 'Critical access',
  'Rural Emergency Hospital': 'Rural emergency',
  Psychiatric: 'Psychiatric',
  Childrens: "Children's",
  'Long-term': 'Long-term care',
  'Acute Care - Veterans Administration': 'Federal',
  'Acute Care - Department of Defense': 'Federal',
}
